"""The measurements by name, each with the workloads that must be there first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable

from contenders import Bench
from conversions import measure_convert
from fleets import measure_fleet, measure_flat_fleet, measure_great_fleet, measure_search
from migrate_fleet import measure_migrate_fleet
from peers import measure_peers
from record_streams import measure_records
from report import Finding
from single_archives import measure_dump, measure_passes
from starts import measure_one_archive, measure_start
from typedstreams import measure_typedstream


@dataclass
class Measurement:
    measure: Callable[[Bench], Finding]
    workloads: tuple[str, ...]
    needs_peer: bool = True


MEASUREMENTS = {
    "start": Measurement(measure_start, ("v1-50", "v1-5000")),
    "one-archive": Measurement(measure_one_archive, ("v1-50",), needs_peer=False),
    "dump": Measurement(measure_dump, ("v1-50", "v1-100000")),
    "passes": Measurement(measure_passes, ("v1-100000",), needs_peer=False),
    "peers": Measurement(measure_peers, ("v1-5000", "v1-100000", "v2-100000")),
    "convert": Measurement(measure_convert, ("mixed-320000",), needs_peer=False),
    "typedstream": Measurement(
        measure_typedstream, ("typedstream-2500", "typedstream-250000"), needs_peer=False
    ),
    "fleet": Measurement(measure_fleet, ("fleet",)),
    "great-fleet": Measurement(measure_great_fleet, ("great-fleet",), needs_peer=False),
    "flat-fleet": Measurement(measure_flat_fleet, ("flat-fleet",), needs_peer=False),
    "search": Measurement(measure_search, ("great-fleet",), needs_peer=False),
    "records": Measurement(measure_records, ("great-fleet",), needs_peer=False),
    "migrate-fleet": Measurement(measure_migrate_fleet, ("great-fleet",)),
}
