"""Pairs of archives that differ in one respect, or in none that counts, and what archive_comparison.py must find."""
import binary_plist
from archive_comparison import differences
from binary_plist import Single
from object_graphs import Inline, Object
from random_models import CHAINS, Table, Values


def object_of(name, **fields):
    return Object(name, CHAINS.get(name, [name, "NSObject"]), list(fields.items()))


def list_of(*items, name="NSArray"):
    return Object(name, CHAINS[name], [("NS.objects", list(items))])


def map_of(*entries):
    keys, values = [[side[at] for side in entries] for at in (0, 1)]
    return Object("NSDictionary", CHAINS["NSDictionary"], [("NS.keys", keys), ("NS.objects", values)])


def plain(value):
    return Object(scalar=value)


def decimal(digits, exponent):
    return Values(None, "nscoding").decimal((False, digits, exponent))


def model(**fields):
    return Table().bytes(object_of("App.Leaf", **fields), "root")


def twice(made, is_shared):
    """A list with one object twice, or with two equal ones."""
    return model(a=list_of(first := made(), first if is_shared else made()))


TEXT = lambda: Object("NSMutableString", CHAINS["NSMutableString"], [("NS.string", Inline("x"))])
CASES = [
    ("order of fields", model(a=plain(1), b=plain(2)), model(b=plain(2), a=plain(1)), None),
    ("a value", model(a=plain(1)), model(a=plain(2)), "value"),
    ("the type of a number", model(a=plain(1)), model(a=plain(1.0)), "value"),
    ("a boolean and a number", model(a=plain(1)), model(a=plain(True)), "value"),
    ("a decimal with another exponent", model(a=decimal(20, 0)), model(a=decimal(2, 1)), None),
    ("a decimal", model(a=decimal(20, 0)), model(a=decimal(2, 0)), "value"),
    ("the sign of zero", model(a=Inline(0.0)), model(a=Inline(-0.0)), "value"),
    ("NaN", model(a=Inline(float("nan"))), model(a=Inline(float("nan"))), None),
    ("composed text", model(a=plain("\u00e9")), model(a=plain("e\u0301")), "value"),
    ("precision", model(a=Inline(Single(0.5))), model(a=Inline(0.5)), "storage value"),
    ("storage", model(a=Inline(1)), model(a=plain(1)), "storage"),
    ("a field that is missing", model(a=plain(1), b=plain(1)), model(a=plain(1)), "value"),
    ("nil and absence", model(a=plain(1), b=None), model(a=plain(1)), "absence"),
    ("null and absence", model(a=plain(1), b=object_of("NSNull")), model(a=plain(1)), "absence class"),
    ("a value and a dictionary", model(a=object_of("NSValue", x=plain(1))), model(a=map_of((plain("y"), plain(2)))),
     "class"),
    ("nil and null", model(a=None), model(a=object_of("NSNull")), "absence class"),
    ("nil and a value", model(a=None), model(a=plain(1)), "absence value"),
    ("a class", model(a=object_of("App.Model")), model(a=object_of("App.Deep")), "class"),
    ("a superclass", model(a=Object("A", ["A", "NSObject"])), model(a=Object("A", ["A", "B", "NSObject"])), "class"),
    ("a mutable list", model(a=list_of()), model(a=list_of(name="NSMutableArray")), "mutability"),
    ("a mutable text", model(a=plain("x")), model(a=TEXT()), "mutability"),
    ("another mutable text", model(a=plain("y")), model(a=TEXT()), "value class"),
    ("the order of a list", model(a=list_of(plain(1), plain(2))), model(a=list_of(plain(2), plain(1))), "value value"),
    ("the length of a list", model(a=list_of(plain(1))), model(a=list_of()), "value"),
    ("the order of a set", model(a=list_of(plain(1), plain(2), name="NSSet")),
     model(a=list_of(plain(2), plain(1), name="NSSet")), None),
    ("the order of a dictionary", model(a=map_of((plain("x"), plain(1)), (plain("y"), plain(2)))),
     model(a=map_of((plain("y"), plain(2)), (plain("x"), plain(1)))), None),
    ("the class of a key", model(a=map_of((plain(1), plain(1)))), model(a=map_of((plain("1"), plain(1)))), "key"),
    ("a dictionary and a list", model(a=map_of((plain("x"), plain("y")))), model(a=list_of(plain("x"), plain("y"))),
     "class value value"),
    ("a shared text that can change", twice(TEXT, True), twice(TEXT, False), "sharing"),
    ("two objects that became one", twice(lambda: object_of("App.Leaf"), False),
     twice(lambda: object_of("App.Leaf"), True), "sharing"),
    ("a shared number", twice(lambda: plain(7), True), twice(lambda: plain(7), False), None),
    ("a shared empty list", twice(list_of, True), twice(list_of, False), None),
    ("a shared list", twice(lambda: list_of(plain(1)), True), twice(lambda: list_of(plain(1)), False), "sharing"),
    ("data", model(a=plain(b"x")), model(a=plain(b"y")), "value"),
    ("an archive in data", model(a=plain(model(a=Inline(1)))), model(a=plain(model(a=plain(1)))), "storage"),
    ("the same archive, written otherwise", model(a=plain(model(a=plain(1), b=plain(2)))),
     model(a=plain(model(b=plain(2), a=plain(1)))), None),
]
PLAIN = [
    ("lists", [1, 2], [2, 1], frozenset(), 2), ("sets", [1, 2], [2, 1], {"$.a"}, 0),
    ("data", b"x", b"y", frozenset(), 1), ("members", {"b": 1}, {}, frozenset(), 1),
]


def verify():
    """Ends the program if the comparison misses a difference, or finds one that there is not."""
    for title, left, right, expected in CASES:
        for first, second in (left, right), (right, left):
            found = " ".join(sorted(kind for kind, _ in differences(first, second, "nscoding")))
            if found != (expected or ""):
                raise SystemExit(f"the comparison of {title} finds {found or 'nothing'}, not {expected}")
    for title, left, right, sets, count in PLAIN:
        lists = [binary_plist.dumps({"a": items}) for items in (left, right)]
        if len(differences(*lists, "plist", sets)) != count:
            raise SystemExit(f"the comparison of {title} in property lists is wrong")
    if differences(b'{"a": 1}', b'{"a": 1.0}', "json") or not differences(b'{"a": 0.0}', b'{"a": -0.0}', "json"):
        raise SystemExit("the comparison of numbers in JSON is wrong")
