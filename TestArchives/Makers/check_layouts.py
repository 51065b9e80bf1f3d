#!/usr/bin/env python3
"""Checks that the archives of the seed forms are laid out as the apps wrote them."""

import json
import plistlib
import sys
from plistlib import UID

from keyed import load

ERROR = {"Code", "Message", "Reference"}
FEED = {"fetchedAt", "topCityWeathers"}
FILM = {"name", "director", "releaseYear"}
MEASUREMENT = {"Value": float, "Unit": str, "UnitType": int}
CITY = {
    "Key": str, "LocalizedName": str, "EnglishName": str, "WeatherText": str,
    "WeatherIcon": int, "IsDayTime": bool,
    "Country": {"ID": str, "LocalizedName": str, "EnglishName": str},
    "Temperature": {"Metric": MEASUREMENT, "Imperial": MEASUREMENT},
}
MOVIE = {"name": str, "director": str, "releaseYear": int}
NESTED = "_TtCV3App5Movie10MovieClass"
PRIVATE = "_TtCV4Demo5MovieP33_0123456789ABCDEF0123456789ABCDEF10MovieClass"


def check_archive(parts, path):
    """What every keyed archive of the apps has in common."""
    assert set(parts) == {"$version", "$archiver", "$top", "$objects"}, path
    assert parts["$version"] == 100000, path
    assert parts["$archiver"] == "NSKeyedArchiver", path
    assert parts["$top"] == {"root": UID(1)}, path
    objects = parts["$objects"]
    assert objects[0] == "$null", path
    for uid in uids(objects):
        assert uid.data < len(objects), f"{path}: {uid} leads nowhere"
    records = [o for o in objects if isinstance(o, dict) and "$classname" in o]
    for record in records:
        assert record["$classes"][0] == record["$classname"], path
        assert record["$classes"][-1] == "NSObject", path
    names = [record["$classname"] for record in records]
    assert len(names) == len(set(names)), f"{path}: a class record stands twice"
    texts = [o for o in objects[1:] if isinstance(o, str)]
    assert len(texts) == len(set(texts)), f"{path}: a string stands twice"
    return objects


def uids(value):
    """Every UID below a value."""
    if isinstance(value, UID):
        yield value
    elif isinstance(value, (list, dict)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from uids(item)


def class_name(objects, value):
    return objects[value["$class"].data]["$classname"]


def check_shape(value, shape, place):
    """That a value has the members of a shape, each of its type."""
    if isinstance(shape, dict):
        assert set(value) == set(shape), place
        for key, item in value.items():
            check_shape(item, shape[key], f"{place}.{key}")
    else:
        assert type(value) is shape, f"{place}: {value!r}"


def check_codable(root, path, keys):
    """A root of bare data that holds a binary property list; gives the model."""
    objects = check_archive(load(f"{root}/{path}"), path)
    assert len(objects) == 2 and isinstance(objects[1], bytes), path
    assert objects[1].startswith(b"bplist00"), path
    model = plistlib.loads(objects[1])
    for item in model if isinstance(model, list) else [model]:
        assert set(item) == keys, path
    return model


def check_dictionariable(root, path, prefix="NS", kind="Dictionary"):
    """Dictionaries and arrays all of whose members are UIDs; gives the stored objects."""
    objects = check_archive(load(f"{root}/{path}"), path)
    assert class_name(objects, objects[1]) == prefix + kind, path
    for item in objects:
        if isinstance(item, dict) and "$class" in item:
            name = class_name(objects, item)
            assert name in (prefix + "Dictionary", prefix + "Array"), f"{path}: {name}"
            lists = {"$class", "NS.keys", "NS.objects"} - (
                {"NS.keys"} if name.endswith("Array") else set())
            assert set(item) == lists, path
            members = item.get("NS.keys", []) + item["NS.objects"]
            assert all(isinstance(uid, UID) and uid.data > 0 for uid in members), path
            assert all(isinstance(objects[uid.data], str) for uid in item.get("NS.keys", [])), path
    return objects


def plain(objects, value):
    """The model behind a value of a dictionariable archive."""
    item = objects[value.data]
    if isinstance(item, dict) and "NS.keys" in item:
        keys = [objects[uid.data] for uid in item["NS.keys"]]
        return dict(zip(keys, [plain(objects, uid) for uid in item["NS.objects"]]))
    if isinstance(item, dict):
        return [plain(objects, uid) for uid in item["NS.objects"]]
    return item


def check_object(root, path, name, fields):
    """An object of an application's class with a key a field: a UID, or inline of a type."""
    objects = check_archive(load(f"{root}/{path}"), path)
    value = objects[1]
    assert objects[value["$class"].data] == {
        "$classname": name, "$classes": [name, "NSObject"]}, path
    assert set(value) == {"$class", *fields}, path
    for key, kind in fields.items():
        place = f"{path}: {key}"
        if isinstance(value[key], UID):
            assert kind[0] is UID, place
            assert isinstance(objects[value[key].data], kind[1]), place
        else:
            assert type(value[key]) is kind[0], place
    return objects


def answered(root):
    """The cities of the service's answer, each with the members of the model alone."""
    with open(f"{root}/WeatherFeed/topcities.json", encoding="utf-8") as file:
        return [{key: city[key] for key in CITY} for city in json.load(file)]


def check_answered(feed, cities, name):
    """That a feed holds the cities of the answer: all of them, or Tokyo alone."""
    wanted = cities if len(feed["topCityWeathers"]) > 1 else [
        city for city in cities if city["EnglishName"] == "Tokyo"]
    assert feed["topCityWeathers"] == wanted, f"{name}: other cities than the answer's"
    assert feed["fetchedAt"] == "Apr 6, 2019 at 12:50:00 PM", name


def check_feeds(root):
    cities = answered(root)
    for name in ("v2-1-city", "v2-50-cities", "v2-1-city-xml"):
        model = check_codable(root, f"WeatherFeed/{name}", FEED)
        check_answered(model, cities, name)
        for city in model["topCityWeathers"]:
            check_shape(city, CITY, name)
    for name in ("v1-1-city", "v1-50-cities-typed", "v1-1-city-xml"):
        feed = plain(check_dictionariable(root, f"WeatherFeed/{name}"), UID(1))
        assert set(feed) == FEED, name
        check_answered(feed, cities, name)
        for city in feed["topCityWeathers"]:
            check_shape(city, CITY, name)
    feed = plain(check_dictionariable(root, "WeatherFeed/v1-50-cities"), UID(1))
    typed = plain(check_dictionariable(root, "WeatherFeed/v1-50-cities-typed"), UID(1))
    # Equal in value; Foundation on Linux does not keep the types of equal numbers apart.
    assert feed == typed and len(feed["topCityWeathers"]) == 50
    feed = plain(check_dictionariable(root, "WeatherFeed/v1-mutable", "NSMutable"), UID(1))
    check_answered(feed, cities, "v1-mutable")
    check_shape(feed["topCityWeathers"][0], CITY, "v1-mutable")
    assert set(check_codable(root, "WeatherFeed/v2-error-payload", ERROR)) == ERROR
    error = plain(check_dictionariable(root, "WeatherFeed/v1-error-payload"), UID(1))
    assert set(error) == ERROR
    feed = plain(check_dictionariable(root, "WeatherFeed/v1-error-in-feed"), UID(1))
    assert set(feed) == FEED and feed["topCityWeathers"] == error


def check_movies(root):
    text, year = (UID, str), (UID, int)
    boxed = {"name": text, "director": text, "releaseYear": year}
    inline = {**boxed, "releaseYear": (int,)}
    check_object(root, "Movie/v0-mirror-class", "Demo.MovieClass", boxed)
    objects = check_object(root, "Movie/v0-mirror-class-inline", "Demo.MovieClass", inline)
    assert len(objects) == 5 and "$classname" in objects[4]
    check_object(root, "Movie/v0-mirror-class-nil", "Demo.MovieClass", {})
    check_object(root, "Movie/v0-playground", "__lldb_expr_11.MovieClass", boxed)
    check_object(root, "Movie/v0-nested-class", NESTED, boxed)
    check_object(root, "Movie/v0-private-nested-class", PRIVATE, boxed)
    check_shape(plain(check_dictionariable(root, "Movie/v1"), UID(1)), MOVIE, "Movie/v1")
    objects = check_dictionariable(root, "Movie/v1-many", kind="Array")
    rows = [objects[uid.data] for uid in objects[1]["NS.objects"]]
    assert len(rows) == 3
    assert len({frozenset(uid.data for uid in row["NS.keys"]) for row in rows}) == 1
    assert len({row["$class"].data for row in rows}) == 1
    for movie in plain(objects, UID(1)):
        check_shape(movie, MOVIE, "Movie/v1-many")
    check_shape(check_codable(root, "Movie/v2", FILM), MOVIE, "Movie/v2")
    for movie in check_codable(root, "Movie/v2-many", FILM):
        check_shape(movie, MOVIE, "Movie/v2-many")


def check_others(root):
    text = (UID, str)
    objects = check_dictionariable(root, "Actor/v1")
    outer = objects[1]
    inner = next(objects[u.data] for u in outer["NS.objects"] if isinstance(objects[u.data], dict))
    assert len({u.data for u in outer["NS.keys"]} & {u.data for u in inner["NS.keys"]}) == 1
    actor = {"name": str, "firstMovie": MOVIE}
    check_shape(plain(objects, UID(1)), actor, "Actor/v1")
    check_shape(check_codable(root, "Actor/v2", set(actor)), actor, "Actor/v2")
    person = {"firstName": str, "lastName": str}
    helper = "_TtCV3App6Person11HelperClass"
    check_object(root, "Person/v0-helper-class", helper, {"firstName": text, "lastName": text})
    check_shape(plain(check_dictionariable(root, "Person/v1"), UID(1)), person, "Person/v1")
    check_shape(check_codable(root, "Person/v2", set(person)), person, "Person/v2")


def main(root):
    check_feeds(root)
    check_movies(root)
    check_others(root)
    print("every layout is as it should be")


if __name__ == "__main__":
    main(sys.argv[1])
