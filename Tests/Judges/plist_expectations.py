"""Prints what Python's plistlib finds in property lists, a line of JSON a file.

usage: plist_expectations.py FILE...

Each line names the file and has the hash of the line that plistlib_judge.py makes of its values, dates rounded to
seconds; or, for a file that plistlib refuses, its error.
"""

import datetime
import json
import plistlib
import sys

from fingerprint import fingerprint
from plistlib_judge import REFERENCE, canonical


def adapted(value):
    """The value with whole seconds, and with the UIDs that CoreFoundation spells as dictionaries in XML."""
    if isinstance(value, datetime.datetime):
        return REFERENCE + datetime.timedelta(seconds=round((value - REFERENCE).total_seconds()))
    if isinstance(value, list):
        return [adapted(item) for item in value]
    if isinstance(value, dict):
        if list(value) == ["CF$UID"] and isinstance(value["CF$UID"], int):
            return plistlib.UID(value["CF$UID"])
        return {key: adapted(item) for key, item in value.items()}
    return value


for name in sys.argv[1:]:
    line = {"file": name}
    try:
        with open(name, "rb") as file:
            line["hash"] = fingerprint(canonical(adapted(plistlib.load(file))))
    except Exception as error:
        line["error"] = "%s: %s" % (type(error).__name__, error)
    print(json.dumps(line))
