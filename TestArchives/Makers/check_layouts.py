#!/usr/bin/env python3
"""Checks that the archives of the seed forms are laid out as the apps wrote them."""

import plistlib
import sys
from plistlib import UID

from keyed import load


def check_archive(parts, path):
    assert parts["$version"] == 100000, path
    assert parts["$archiver"] == "NSKeyedArchiver", path
    assert parts["$top"] == {"root": UID(1)}, path
    assert parts["$objects"][0] == "$null", path


def check_codable(root, path, keys):
    parts = load(f"{root}/{path}")
    check_archive(parts, path)
    null, data = parts["$objects"]
    assert null == "$null" and isinstance(data, bytes), path
    assert data.startswith(b"bplist00"), path
    model = plistlib.loads(data)
    for item in model if isinstance(model, list) else [model]:
        assert set(item) == keys, path
    return model


def check_dictionariable(root, path, kind="NSDictionary"):
    parts = load(f"{root}/{path}")
    check_archive(parts, path)
    objects = parts["$objects"]
    top = objects[1]
    assert objects[top["$class"].data]["$classname"] == kind, path
    if kind == "NSDictionary":
        assert set(top) == {"$class", "NS.keys", "NS.objects"}, path
        assert all(isinstance(uid, UID) for uid in top["NS.keys"] + top["NS.objects"]), path
    names = [o["$classname"] for o in objects if isinstance(o, dict) and "$classname" in o]
    assert len(names) == len(set(names)), f"{path}: a class record stands twice"
    texts = [o for o in objects[1:] if isinstance(o, str)]
    assert len(texts) == len(set(texts)), f"{path}: a string stands twice"


def check_nscoding(root, path, name, year):
    parts = load(f"{root}/{path}")
    check_archive(parts, path)
    objects = parts["$objects"]
    movie = objects[1]
    assert objects[movie["$class"].data]["$classname"] == name, path
    assert isinstance(movie["name"], UID), path
    assert isinstance(movie["releaseYear"], year), path


def main(root):
    feed = {"fetchedAt", "topCityWeathers"}
    film = {"name", "director", "releaseYear"}
    for name in ("v2-1-city", "v2-50-cities", "v2-1-city-xml"):
        model = check_codable(root, f"WeatherFeed/{name}", feed)
        for city in model["topCityWeathers"]:
            assert isinstance(city["Temperature"]["Metric"]["Value"], float), name
            assert isinstance(city["IsDayTime"], bool), name
    for name in ("v1-1-city", "v1-50-cities", "v1-1-city-xml"):
        check_dictionariable(root, f"WeatherFeed/{name}")
    check_codable(root, "Movie/v2", film)
    check_codable(root, "Movie/v2-many", film)
    check_codable(root, "Actor/v2", {"name", "firstMovie"})
    check_codable(root, "Person/v2", {"firstName", "lastName"})
    check_dictionariable(root, "Movie/v1")
    check_dictionariable(root, "Movie/v1-many", "NSArray")
    check_dictionariable(root, "Actor/v1")
    check_dictionariable(root, "Person/v1")
    check_nscoding(root, "Movie/v0-mirror-class", "Demo.MovieClass", UID)
    check_nscoding(root, "Movie/v0-mirror-class-inline", "Demo.MovieClass", int)
    check_nscoding(root, "Movie/v0-nested-class", "_TtCV3App5Movie10MovieClass", UID)
    check_nscoding(root, "Movie/v0-playground", "__lldb_expr_11.MovieClass", UID)
    print("every layout is as it should be")


if __name__ == "__main__":
    main(sys.argv[1])
