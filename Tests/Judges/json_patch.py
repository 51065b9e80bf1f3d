"""Applies JSON Patches (RFC 6902) and tells of each whether it makes the new value of the old one.

Standard input: lines of JSON, each an object with old, new and patch.
Standard output: for each line `same`, or what is wrong.
"""

import json
import sys


def tokens(pointer):
    if pointer == "":
        return []
    assert pointer.startswith("/"), pointer
    return [t.replace("~1", "/").replace("~0", "~") for t in pointer.split("/")[1:]]


def holder(document, path):
    for token in path[:-1]:
        document = document[int(token)] if isinstance(document, list) else document[token]
    return document


def get(document, path):
    for token in path:
        document = document[int(token)] if isinstance(document, list) else document[token]
    return document


def add(document, path, value):
    if not path:
        return value
    container, last = holder(document, path), path[-1]
    if isinstance(container, list):
        index = len(container) if last == "-" else int(last)
        assert 0 <= index <= len(container), "index %s" % last
        container.insert(index, value)
    else:
        container[last] = value
    return document


def remove(document, path):
    container, last = holder(document, path), path[-1]
    del container[int(last) if isinstance(container, list) else last]


def apply(document, patch):
    for operation in patch:
        name, path = operation["op"], tokens(operation["path"])
        if name == "add":
            document = add(document, path, operation["value"])
        elif name == "remove":
            remove(document, path)
        elif name == "replace":
            get(document, path)
            if not path:
                document = operation["value"]
            else:
                container, last = holder(document, path), path[-1]
                container[int(last) if isinstance(container, list) else last] = operation["value"]
        elif name == "move":
            source = tokens(operation["from"])
            value = get(document, source)
            remove(document, source)
            document = add(document, path, value)
        else:
            raise ValueError("operation " + name)
    return document


def same(one, two):
    if isinstance(one, bool) or isinstance(two, bool):
        return one is two
    if isinstance(one, list) and isinstance(two, list):
        return len(one) == len(two) and all(map(same, one, two))
    if isinstance(one, dict) and isinstance(two, dict):
        return one.keys() == two.keys() and all(same(one[key], two[key]) for key in one)
    return one == two


def plain(value):
    """Typed JSON whose dictionaries and numbers are those of JSON; dates and data stay objects."""
    if isinstance(value, list):
        return [plain(item) for item in value]
    if not isinstance(value, dict):
        return value
    if value.keys() == {"$entries"}:
        return {entry["key"]: plain(entry["value"]) for entry in value["$entries"]}
    if value.keys() == {"$int"}:
        return int(value["$int"])
    if value.keys() == {"$real"} and not isinstance(value["$real"], str):
        return float(value["$real"])
    return {key: plain(item) for key, item in value.items()}


for line in sys.stdin:
    case = json.loads(line)
    case["old"], case["new"] = plain(case["old"]), plain(case["new"])
    for operation in case["patch"]:
        if "value" in operation:
            operation["value"] = plain(operation["value"])
    try:
        made = apply(case["old"], case["patch"])
        print("same" if same(made, case["new"]) else "made %s" % json.dumps(made)[:300])
    except (AssertionError, IndexError, KeyError, TypeError, ValueError) as problem:
        print("%s: %s" % (type(problem).__name__, problem))
