"""Conversion of a large property list: binary to XML and XML to binary."""

from __future__ import annotations

from pathlib import Path

import make_workloads
from contenders import Bench
from measuring import Command, paired_ratio, writing
from report import Check, Comparison, Finding, Table, at_most, peak_at_most

# Binary to XML, against plistutil's time.
TO_XML_BOUND = 0.20
TO_XML_ALLOWANCE = 16 << 20
TO_BINARY_PEAK = 300 << 20


def measure_convert(bench: Bench) -> Finding:
    source = make_workloads.mixed_path(bench.work, make_workloads.MIXED_COUNT)
    xml = bench.scratch / "mixed.xml"
    finding = Finding("convert", [])
    finding.tables.append(to_xml(bench, source, xml, finding))
    if xml.exists():
        finding.tables.append(to_binary(bench, xml, finding))
    xml.unlink(missing_ok=True)
    return finding


def convert(bench: Bench, target: str, source: Path, output: Path) -> Command:
    arguments = [bench.archtool, "convert", "--to", target, str(source), "-o", str(output)]
    return writing(Command(f"archtool convert --to {target}", arguments), output)


def to_xml(bench: Bench, source: Path, xml: Path, finding: Finding) -> Table:
    """Binary to XML beside plistutil; leaves the XML of archtool there."""
    peer_output = bench.scratch / "peer.xml"
    commands = [convert(bench, "xml1", source, xml)]
    if bench.plistutil:
        arguments = [bench.plistutil, "-i", str(source), "-o", str(peer_output)]
        commands.append(writing(Command("plistutil", arguments, slow=True), peer_output))
    timings = bench.interleave(commands, full=7, quick=3, slow=5)
    peer_output.unlink(missing_ok=True)
    peer = timings[1] if bench.plistutil else None
    what = "binary to XML against plistutil"
    if peer:
        finding.checks.append(at_most(what, paired_ratio(timings[0], peer), TO_XML_BOUND))
    else:
        finding.checks.append(Check(f"{what}: plistutil is not installed", None))
    bound = source.stat().st_size + TO_XML_ALLOWANCE
    what = "binary to XML: peak memory"
    finding.checks.append(peak_at_most(what, timings[0], bound, "input + 16 MiB = "))
    finding.comparisons.append(Comparison("binary to XML", timings[0], peer))
    size = xml.stat().st_size / 1e6 if xml.exists() else 0
    title = f"mixed list, binary ({source.stat().st_size / 1e6:.1f} MB) to XML ({size:.1f} MB)"
    return Table(title, timings)


def to_binary(bench: Bench, xml: Path, finding: Finding) -> Table:
    """XML to binary beside libxml2, which only calls functions that count."""
    output = bench.scratch / "mixed.plist"
    # The last file that archtool wrote may be the baseline's: both write the same XML.
    commands = [convert(bench, "binary1", xml, output)]
    if bench.sax:
        commands.append(Command("libxml2, SAX alone", [bench.sax, str(xml)]))
    else:
        finding.notes.append("the headers of libxml2 are missing: its parser is left out")
    timings = bench.interleave(commands, full=5, quick=3)
    output.unlink(missing_ok=True)
    peer = timings[1] if bench.sax else None
    what = "XML to binary"
    finding.checks.append(peak_at_most(f"{what}: peak memory", timings[0], TO_BINARY_PEAK))
    finding.comparisons.append(Comparison(what, timings[0], peer))
    return Table(f"mixed list, XML ({xml.stat().st_size / 1e6:.1f} MB) to binary", timings)
