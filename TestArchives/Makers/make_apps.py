#!/usr/bin/env python3
"""Makes the samples of families whose archives are laid out as published apps wrote them: class names, keys, and what
is stored inline, from their encoding code. Each version holds the same values, as an app of that version writes them.

usage: make_apps.py FOLDER
"""

import datetime
import json
import pathlib
import plistlib
import sys
import uuid

import keyed
import make_typedstreams

WHEN = datetime.datetime(2020, 6, 4, 12, 30)
FLAVOURS = {"NSMutableArray": ("NSArray", "NSObject"), "NSMutableDictionary": ("NSDictionary", "NSObject")}


class Object:
    """An object of an app: what a class encodes under its keys."""

    def __init__(self, name, fields, *ancestors):
        self.name, self.fields, self.ancestors = name, fields, ancestors


class Inline:
    """What encode(_:forKey:) of a Bool, an Int or a Double stores in the object itself."""

    def __init__(self, value):
        self.value = value


class URL(str):
    """The text of an NSURL."""


class Mutable(list):
    """The elements of an NSMutableArray."""


class Flat:
    """A dictionary that encoded itself with the coder of another object: its lists stand in that object."""

    def __init__(self, pairs):
        self.pairs = pairs


class AppArchive(keyed.Archive):
    """An archive of objects; what stands in it twice is stored once."""

    def __init__(self):
        super().__init__()
        self.numbers = {}

    def value(self, value, mutable=False):
        if value is None:
            return keyed.UID(0)
        if not isinstance(value, (Object, list, dict, datetime.datetime, uuid.UUID, URL)):
            return self.add(value)
        if id(value) not in self.numbers:
            self.numbers[id(value)] = (self.reserve(), value)
            self.fill(self.numbers[id(value)][0], value)
        return self.numbers[id(value)][0]

    def fill(self, uid, value):
        if isinstance(value, Object):
            self.put(uid, value.name, self.fields(value), *value.ancestors)
        elif isinstance(value, datetime.datetime):
            seconds = (value - datetime.datetime(2001, 1, 1)).total_seconds()
            self.put(uid, "NSDate", {"NS.time": seconds})
        elif isinstance(value, uuid.UUID):
            self.put(uid, "NSUUID", {"NS.uuidbytes": value.bytes})
        elif isinstance(value, URL):
            self.put(uid, "NSURL", {"NS.base": keyed.UID(0), "NS.relative": self.add(str(value))})
        else:
            name = "NSMutableArray" if isinstance(value, Mutable) else "NSArray"
            name = "NSDictionary" if isinstance(value, dict) else name
            self.put(uid, name, self.elements(value), *FLAVOURS.get(name, ()))

    def elements(self, value):
        if isinstance(value, dict):
            keys = [self.add(key) for key in value]
            return {"NS.keys": keys, "NS.objects": [self.value(item) for item in value.values()]}
        return {"NS.objects": [self.value(item) for item in value]}

    def fields(self, value):
        if isinstance(value.fields, Flat):
            return self.elements(value.fields.pairs)
        return {
            key: item.value if isinstance(item, Inline) else self.value(item)
            for key, item in value.fields.items()}


def binary(value):
    """A binary property list."""
    return plistlib.dumps(value, fmt=plistlib.FMT_BINARY, sort_keys=False)


def archived(root, key="root"):
    """A keyed archive with one object."""
    archive = AppArchive()
    return binary(archive.parts(**{key: archive.value(root)}))


def codable(value, key="root"):
    """A keyed archive of the data that PropertyListEncoder makes."""
    return archived(binary(value), key)


# Analytics: histories in the data of user defaults; all classes got another prefix, the defaults other keys.


def analytics(prefix, devices, sessions):
    device = Object(
        f"{prefix}Device",
        {"sdkName": "appcenter.ios", "sdkVersion": "3.3.4", "model": "iPhone10,1", "timeZoneOffset": -420,
         "carrierName": None},
        f"{prefix}WrapperSdk", "NSObject")
    history = Mutable([
        Object(f"{prefix}DeviceHistoryInfo", {"timestampKey": WHEN, "deviceKey": device},
               f"{prefix}HistoryInfo", "NSObject"),
        Object(f"{prefix}DeviceHistoryInfo", {"timestampKey": WHEN + datetime.timedelta(hours=1), "deviceKey": device},
               f"{prefix}HistoryInfo", "NSObject"),
    ])
    session = Mutable([
        Object(f"{prefix}SessionHistoryInfo", {"timestampKey": WHEN, "sessionIdKey": "5E551011"},
               f"{prefix}HistoryInfo", "NSObject")])
    return binary({devices: archived(history), sessions: archived(session), "launches": 3})


# Outcomes: a list of objects in user defaults; a class and a key renamed, a channel added.


def outcome(version, name, identifier, seconds):
    if version == "v1":
        return Object("OSUniqueOutcomeNotification", {
            "name": name, "notificationId": identifier, "timestamp": Inline(seconds)})
    return Object("OSCachedUniqueOutcome", {
        "name": name, "uniqueId": identifier, "timestamp": Inline(seconds), "channel": "notification"})


def outcomes(version):
    return archived([
        outcome(version, "purchase", "1234-5678", 1591273800), outcome(version, "open", "9abc-def0", 1591273860)])


def outcome_defaults(version):
    return binary({"CACHED_ATTRIBUTED_UNIQUE_OUTCOME": outcomes(version), "CACHED_SDK_VERSION": 21200})


# Tabs: the list of a browser's tabs under a key of its own, in the three forms that are in the field, and as Codable.

URLS = ["https://example.com/", "https://example.com/a?b=c"]
SHOT = uuid.UUID("00112233-4455-6677-8899-AABBCCDDEEFF")


def tabs(era):
    session = Object("Client.SessionData", {
        "currentPage": Inline(-1), "urls": [URL(text) for text in URLS], "lastUsedTime": Inline(1591273800123)})
    fields = {"isSelected": Inline(True), "sessionData": session}
    name = "Client.SavedTab"
    if era >= 2:
        fields |= {"title": "Example", "isPrivate": Inline(False), "screenshotUUID": SHOT, "faviconURL": None}
    if era >= 3:
        fields |= {"url": URL(URLS[1]), "UUID": "tab-1", "hasHomeScreenshot": Inline(False)}
    other = {key: value for key, value in fields.items() if key != "sessionData"} | {
        "isSelected": Inline(False), "sessionData": None}
    return archived([Object(name, fields), Object(name, other)], "tabs")


def coded_tabs(era):
    # Foundation encodes a URL as a dictionary and a UUID as a string.
    session = {
        "currentPage": -1, "urls": [{"relative": text} for text in URLS], "lastUsedTime": 1591273800123}
    tab = {"isSelected": True, "sessionData": session, "isPrivate": False, "hasHomeScreenshot": False}
    if era >= 2:
        tab |= {"title": "Example", "screenshotUUID": str(SHOT).upper()}
    if era >= 3:
        tab |= {"url": {"relative": URLS[1]}, "UUID": "tab-1"}
    other = {key: value for key, value in tab.items() if key != "sessionData"} | {"isSelected": False}
    return codable([tab, other], "tabs")


# Trips: Swift 2 encoded numbers as objects, Swift 3 in place.


def trip(version):
    kind = (lambda value: value) if version == "v1" else Inline
    leg = Object("Transit.Leg", {"stops": kind(4), "seconds": kind(310.5)})
    return archived(Object("Transit.Trip", {
        "name": "Line 1", "isPrivate": kind(True), "legs": [leg], "first": leg, "price": 2.75}))


# Discovery: a document whose dictionary encoded itself into the object, then under a key.

DOCUMENT = {
    "issuer": "https://id.example.com", "scopes_supported": ["openid", "email"],
    "claims_parameter_supported": True, "request_uri_parameter_supported": False}


def discovery(version):
    fields = Flat(DOCUMENT) if version == "v1" else {"discoveryDictionary": DOCUMENT}
    return archived(Object("OIDServiceConfiguration", {
        "authorizationEndpoint": URL("https://id.example.com/auth"),
        "tokenEndpoint": URL("https://id.example.com/token"),
        "discoveryDocument": Object("OIDServiceDiscovery", fields)}))


# Users: three names of one class in one fleet, fields that early versions had not.


def user(version, kind="known", information="FIRUserInfoImpl"):
    isGuest = kind == "guest"
    provider = Object(information, {
        "providerID": "password", "userID": "ada@example.com", "displayName": "Ada", "email": "ada@example.com",
        "photoURL": URL("https://example.com/ada.png")})
    token = Object("FIRSecureTokenService", {
        "refreshToken": "refresh", "accessToken": "access", "accessTokenExpirationDate": WHEN})
    metadata = Object("FIRUserMetadata", {"creationDate": WHEN, "lastSignInDate": WHEN})
    fields = {
        "userID": "u1", "hasEmailPassword": Inline(not isGuest),
        "providerData": {} if isGuest else {"password": provider}, "emailVerified": Inline(not isGuest),
        "tokenService": token, "metadata": metadata}
    if not isGuest:
        fields |= {"email": "ada@example.com", "photoURL": URL("https://example.com/ada.png")}
    if kind == "known":
        fields |= {"APIKey": "key", "firebaseAppID": "1:2:ios:3"}
    if version == "v2":
        fields |= {"anonymous": Inline(isGuest), "APIKey": fields.get("APIKey", ""),
                   "firebaseAppID": fields.get("firebaseAppID", "")}
    return archived(Object("FIRUser", fields), "firebase_auth_1_stored_user")


# Rows of a database: a class and a property renamed, a text that became a date.


def row(version):
    if version == "v1":
        return archived(Object("Person", {
            "fullName": "Ada Lovelace", "born": "1815-12-10", "height": Inline(1.6), "picture": b"PNG"}))
    return archived(Object("Contacts.Contact", {
        "name": "Ada Lovelace", "born": datetime.datetime(1815, 12, 10), "height": Inline(1.6), "picture": b"PNG"}))


# Downloads: a list of typedstreams in user defaults, and one keyed archive of objects.

DOWNLOADS = [(2, 123456, "/tmp/a.mp3"), (1, 5_000_000_000, "/tmp/b.mp3")]


def download(state, size, name):
    stream = make_typedstreams.Stream()
    stream.types("@"), stream.begin("item", ("DownloadItem", 0), stream.OBJECT)
    for number in state, size:
        stream.types("q"), stream.integer(number)
    stream.types("@"), stream.string(name), stream.end()
    return bytes(stream.bytes)


def downloads(version):
    if version == "v1":
        return binary({"DownloadsList": [download(*item) for item in DOWNLOADS], "fontSize": 12})
    items = [
        Object("DownloadItem", {"state": Inline(state), "size": Inline(size), "filename": name})
        for state, size, name in DOWNLOADS]
    return binary({"DownloadItemList": archived(items), "fontSize": 12})


# Properties of an analytics library, in one file.


def properties():
    return archived({
        "distinctId": "D-1", "superProperties": {"plan": "pro", "since": WHEN, "seats": 4, "trial": False},
        "timedEvents": {"upload": 1591273800.25}, "peopleUnidentifiedQueue": []})


# A room whose class went with a framework, in the containers of others.


def room():
    gone = Object("MXJingleCall", {"token": "syt_secret", "address": URL("https://turn.example.com/secret")})
    return archived({"rooms": [Object("MXRoomSummary", {"name": "Lobby", "call": gone, "unread": Inline(2)}), gone]})


# A session of a sign-in library: its class was renamed, the responses under it share one configuration.


def session(name):
    configuration = Object("OIDServiceConfiguration", {
        "authorizationEndpoint": URL("https://id.example.com/auth"),
        "tokenEndpoint": URL("https://id.example.com/token"), "discoveryDocument": None})
    asked = Object("OIDAuthorizationRequest", {
        "configuration": configuration, "clientID": "client", "scope": "openid email",
        "redirectURL": URL("com.example.app:/callback"), "additionalParameters": {"prompt": "login"}})
    answer = Object("OIDAuthorizationResponse", {"request": asked, "authorizationCode": "code", "state": "s"})
    refresh = Object("OIDTokenRequest", {
        "configuration": configuration, "authorizationResponse": answer, "grantType": "refresh_token"})
    token = Object("OIDTokenResponse", {
        "request": refresh, "accessToken": "access", "accessTokenExpirationDate": WHEN, "tokenType": "Bearer"})
    state = Object("OIDAuthState", {
        "refreshToken": "refresh", "scope": "openid email", "lastAuthorizationResponse": answer,
        "lastTokenResponse": token, "authorizationError": None})
    return archived(Object(name, {
        "authState": state, "serviceProvider": "example", "userID": "u1", "userEmail": "ada@example.com",
        "userEmailIsVerified": "y"}))


# Calls of two releases in one list: the module was renamed, in plain and in mangled names, and a key was spelt wrongly.


def calls(module, mangled, key):
    def call(name, identifier, release):
        spelling = key if release == 1 else "initiatorID"
        return Object(name, {
            "sessionID": uuid.UUID(int=identifier), spelling: uuid.UUID(int=identifier + 1), "state": Inline(2)})
    return archived([
        call(f"{module}.Session", 1, 1), call(mangled, 3, 1), call("CallEngine.Session", 5, 2)])


# Clocks: an array of archives in user defaults, which three targets of one app wrote.


def clocks(*names):
    return binary({"defaultPreferences": [
        archived(Object(name, {
            "customLabel": f"Clock {index}", "timezoneID": zone, "latitude": 47.5, "isFavourite": Inline(index)}))
        for index, (name, zone) in enumerate(zip(names, ["Europe/Zurich", "Asia/Tokyo", "America/Lima"]))],
        "launches": 7})


# Credentials: an object of secure coding, which became JSON, and Codable.


def credentials(version, isFull=True):
    expires = (WHEN - datetime.datetime(2001, 1, 1)).total_seconds()
    texts = {"accessToken": "access", "tokenType": "bearer", "idToken": "id"}
    if version == "v1":
        more = {"refreshToken": "refresh" if isFull else None, "scope": "openid" if isFull else None}
        return archived(Object("A0Credentials", texts | more | {"expiresIn": WHEN}))
    if isFull:
        texts |= {"refreshToken": "refresh", "scope": "openid"}
    if version == "v3":
        return codable(texts | {"expiresIn": WHEN})
    names = {"accessToken": "access_token", "tokenType": "token_type", "idToken": "id_token",
             "refreshToken": "refresh_token", "scope": "scope"}
    return json.dumps({names[key]: text for key, text in texts.items()} | {"expires_in": int(expires)}).encode()


def main(target):
    families = {
        "AnalyticsDefaults": {
            "v1/history": analytics("MS", "pastDevicesKey", "SessionIdHistory"),
            "v2/history": analytics("MSAC", "MSAppCenterPastDevices", "MSAppCenterSessionIdHistory")},
        "Outcomes": {f"{version}/{name}": make(version) for version in ("v1", "v2")
                     for name, make in (("list", outcomes),)},
        "BrowserTabs": {f"v1/era-{era}": tabs(era) for era in (1, 2, 3)}
        | {f"v2/era-{era}": coded_tabs(era) for era in (1, 2, 3)},
        "TransitTrip": {f"{version}/trip": trip(version) for version in ("v1", "v2")},
        "ServiceDiscovery": {f"{version}/document": discovery(version) for version in ("v1", "v2")},
        "StoredUser": {f"{version}/{name}": user(version, name) for version in ("v1", "v2")
                       for name in ("known", "early", "guest")},
        "ContactRow": {f"{version}/ada": row(version) for version in ("v1", "v2")},
        "Credentials": {f"{version}/{name}": credentials(version, name == "full") for version in ("v1", "v2", "v3")
                        for name in ("full", "short")},
    }
    loose = {
        "outcome-defaults-v1": outcome_defaults("v1"), "outcome-defaults-v2": outcome_defaults("v2"),
        "user-of-two-modules": user("v1", information="FirebaseAuth.UserInfoImpl"), "user-of-swift": user("v1", information="UserInfoImpl"),
        "downloads-v1": downloads("v1"), "downloads-v2": downloads("v2"), "properties": properties(), "room": room(),
        "session-v1": session("GTMAppAuthFetcherAuthorization"), "session-v2": session("GTMAuthSession"),
        "calls-v1": calls("zmessaging", "_TtC10zmessaging7Session", "iniatorID"),
        "calls-v2": calls("CallEngine", "_TtC10CallEngine7Session", "initiatorID"),
        "clocks-v1": clocks("Clocker.TimezoneData", "ClockerHelper.TimezoneData", "TimezoneData"),
        "clocks-v2": clocks(*["CoreModelKit.TimezoneData"] * 3)}
    for family, samples in families.items():
        for name, data in samples.items():
            file = pathlib.Path(target) / "Families" / family / "samples" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
    (pathlib.Path(target) / "Apps").mkdir(exist_ok=True)
    for name, data in loose.items():
        (pathlib.Path(target) / "Apps" / name).write_bytes(data)


if __name__ == "__main__":
    main(sys.argv[1])
