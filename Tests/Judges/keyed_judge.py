"""What Python's plistlib finds in keyed archives, by following UIDs from $top alone.

Standard input: for each archive its length (8 bytes, big-endian), then its bytes. Standard output: a line of JSON for
each: `graph`, all that $top and the other members beside $objects reach, objects numbered as they are met;
`unreachable`, how many objects they do not reach; `order`, whether reached objects appear in it (their places in
$objects, as they are met).
"""

import json
import plistlib
import struct
import sys


def main():
    while head := sys.stdin.buffer.read(8):
        archive = plistlib.loads(sys.stdin.buffer.read(struct.unpack(">Q", head)[0]))
        print(json.dumps(judge(archive)))


def uid(value):
    if isinstance(value, plistlib.UID):
        return value.data
    if isinstance(value, dict) and list(value) == ["CF$UID"]:
        return value["CF$UID"]
    return None


def judge(archive):
    objects = archive["$objects"]
    numbers = {}
    graph = {}

    def shown(value):
        target = uid(value)
        if target is not None:
            if target not in numbers:
                numbers[target] = len(numbers)
                pending.append(target)
            return {"uid": numbers[target]}
        if isinstance(value, dict):
            return {"dict": [[shown(k), shown(v)] for k, v in value.items()]}
        if isinstance(value, list):
            return {"list": [shown(element) for element in value]}
        return f"{type(value).__name__} {value!r}"

    pending = []
    head = {key: shown(value) for key, value in archive.items() if key != "$objects"}
    while pending:
        target = pending.pop(0)
        graph[numbers[target]] = shown(objects[target])
    order = sorted(numbers, key=numbers.get)
    return {
        "graph": json.dumps([head, sorted(graph.items())]),
        "unreachable": len(set(range(1, len(objects))) - set(numbers)),
        "ranks": [sorted(order).index(place) for place in order],
        "null": objects[0],
    }


main()
