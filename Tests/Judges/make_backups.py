#!/usr/bin/env python3
"""Makes small backups of every kind that Finder and iTunes write: of each list of files, each place, each encryption.

usage: make_backups.py FOLDER

Each is a folder in FOLDER; FOLDER/expected.json has the bytes of each file in Base64 by its name DOMAIN/path, and
FOLDER/password the password. The formats are described by iphone-dataprotection, pyiosbackup and jsharkey13's
iphone_backup_decrypt; needs the package cryptography.
"""
import base64
import datetime
import hashlib
import json
import os
import plistlib
import shutil
import sqlite3
import struct
import sys
from dataclasses import dataclass
from plistlib import UID

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.keywrap import aes_key_wrap

PASSWORD = "Gehé1m 密"
ROUNDS = 20
TIME = 1500000000
PASSCODE, DEVICE = 2, 3
FILE, FOLDER, LINK = 0x81A4, 0x41ED, 0xA1ED


@dataclass
class Kind:
    """How a backup is written."""
    name: str
    records: bool = False       # Manifest.mbdb rather than Manifest.db
    nested: bool = True         # files in folders of two digits
    encrypted: bool = False
    new_keys: bool = False      # PBKDF2 with SHA-256 first, and Manifest.db encrypted
    padding: str = "pkcs"       # or "zeros": filled up to a block, and only the size tells
    log: bool = False           # rows of Manifest.db are in its write-ahead log


KINDS = [
    Kind("records", records=True, nested=False),
    Kind("records-encrypted", records=True, nested=False, encrypted=True),
    Kind("plain"),
    Kind("plain-flat", nested=False),
    Kind("plain-log", log=True),
    Kind("early-encrypted", encrypted=True),
    Kind("encrypted", encrypted=True, new_keys=True),
    Kind("encrypted-zeros", encrypted=True, new_keys=True, padding="zeros"),
]


def encrypted(key, content):
    encryptor = Cipher(algorithms.AES(key), modes.CBC(bytes(16))).encryptor()
    return encryptor.update(content) + encryptor.finalize()


def padded(content, how="pkcs"):
    rest = 16 - len(content) % 16
    return content + (bytes([rest]) * rest if how == "pkcs" else bytes(rest % 16))


def archived(text):
    """A keyed archive of a text."""
    return plistlib.dumps({"$version": 100000, "$archiver": "NSKeyedArchiver", "$top": {"root": UID(1)},
                           "$objects": ["$null", text]}, fmt=plistlib.FMT_BINARY)


class Keys:
    """A key bag, and its keys."""
    def __init__(self, kind):
        salt, first_salt = os.urandom(20), os.urandom(20)
        secret = PASSWORD.encode()
        header = [("VERS", 3), ("TYPE", 1), ("UUID", os.urandom(16)), ("HMCK", os.urandom(40)), ("WRAP", 0),
                  ("SALT", salt), ("ITER", ROUNDS)]
        if kind.new_keys:
            secret = hashlib.pbkdf2_hmac("sha256", secret, first_salt, ROUNDS, 32)
            header += [("DPWT", 0), ("DPIC", ROUNDS), ("DPSL", first_salt)]
        secret = hashlib.pbkdf2_hmac("sha1", secret, salt, ROUNDS, 32)
        self.classes = {number: os.urandom(32) for number in range(1, 12)}
        for number, key in self.classes.items():
            wrapping = DEVICE if number > 8 else PASSCODE
            header += [("UUID", os.urandom(16)), ("CLAS", number), ("WRAP", wrapping), ("KTYP", 0),
                       ("WPKY", aes_key_wrap(secret, key))]
        self.bag = b"".join(self.entry(*each) for each in header)

    @staticmethod
    def entry(tag, value):
        value = struct.pack(">I", value) if isinstance(value, int) else value
        return tag.encode() + struct.pack(">I", len(value)) + value

    def new(self, number):
        """A key for one file, and the same as it is written."""
        key = os.urandom(32)
        return key, struct.pack("<I", number) + aes_key_wrap(self.classes[number], key)


def record(domain, path, mode, size, key, target):
    """A record of Manifest.mbdb."""
    def text(value):
        if value is None:
            return b"\xff\xff"
        value = value.encode() if isinstance(value, str) else value
        return struct.pack(">H", len(value)) + value

    attributes = [(b"com.example.note", b"\0\xff")] if size % 2 else []
    content = text(domain) + text(path) + text(target) + text(None if size else bytes(20)) + text(key)
    content += struct.pack(">HQIIIIIQBB", mode, 4711, 501, 501, TIME, TIME, TIME, size, 4 if key else 0,
                           len(attributes))
    return content + b"".join(text(name) + text(value) for name, value in attributes)


def archived_record(path, mode, size, key, target, number):
    """The keyed archive of an MBFile; its key is in an object, in a plain value or in the object itself."""
    root = {"Mode": mode, "Size": size, "LastModified": TIME, "ProtectionClass": 4 if key else 0}
    objects = ["$null", root]

    def reference(value):
        objects.append(value)
        return UID(len(objects) - 1)

    def of_class(*names):
        return reference({"$classname": names[0], "$classes": list(names)})

    root["RelativePath"] = reference(path)
    if target:
        root["Target"] = reference(target)
    if key and number % 3 == 0:
        root["EncryptionKey"] = reference({"NS.data": key, "$class": of_class("NSMutableData", "NSData", "NSObject")})
    elif key:
        root["EncryptionKey"] = reference(key) if number % 3 == 1 else key
    root["$class"] = of_class("MBFile", "NSObject")
    return plistlib.dumps({"$version": 100000, "$archiver": "NSKeyedArchiver", "$top": {"root": UID(1)},
                           "$objects": objects}, fmt=plistlib.FMT_BINARY)


def databases(folder):
    """Databases with write-ahead logs: bytes of file and log by name, as they are while a program has them open."""
    made = {}
    for page, grown in ((512, 40), (4096, 3), (65536, 1)):
        path = f"{folder}/w{page}.db"
        database = sqlite3.connect(path, isolation_level=None)
        database.execute(f"PRAGMA page_size = {page}")
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA wal_autocheckpoint = 0")
        database.execute("CREATE TABLE t(v)")

        def insert(count, text):
            database.execute("BEGIN")
            database.executemany("INSERT INTO t VALUES(?)", [(archived(f"{text} {n}"),) for n in range(count)])
            database.execute("COMMIT")

        insert(grown, "checked")
        database.execute("PRAGMA wal_checkpoint(RESTART)")
        # The log begins again; frames of its earlier content follow those that are new.
        insert(2, "logged")
        database.execute("DELETE FROM t WHERE rowid % 3 = 0")
        insert(1, "last")
        content = [open(name, "rb").read() for name in (path, path + "-wal")]
        made[f"w{page}"] = content
        made[f"cut{page}"] = [content[0], content[1][:-7]]
        # A database that is in its log only, and one that its log makes shorter.
        if page == 512:
            database.execute("DELETE FROM t WHERE rowid > 5")
            database.execute("VACUUM")
            made["shorter"] = [open(name, "rb").read() for name in (path, path + "-wal")]
        database.close()
    database = sqlite3.connect(f"{folder}/new.db", isolation_level=None)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA wal_autocheckpoint = 0")
    database.execute("CREATE TABLE t(v)")
    database.execute("INSERT INTO t VALUES(?)", (archived("new"),))
    made["new"] = [open(f"{folder}/new.db{end}", "rb").read() for end in ("", "-wal")]
    database.close()
    return made


def contents(folder):
    """The files of each backup: bytes by domain and path."""
    app = "AppDomain-org.example.app"
    files = {
        ("HomeDomain", "Library/Preferences/a.plist"): plistlib.dumps({"a": 1}, fmt=plistlib.FMT_BINARY),
        (app, "Documents/Grüße 日本.plist"): archived("Grüße 日本"),
        (app, "Documents/empty"): b"", (app, "Documents/unstored"): b"",
        (app, "Documents/large"): bytes(range(256)) * 4000 + b"end",
        ("AppDomainGroup-group.example", "../../outside"): b"a name, and not a place",
        ("CameraRollDomain", "Media/x#y.z@1"): b"\xff\xd8",
    }
    for size in range(15, 34):
        files[(app, f"Documents/of {size}")] = b"x" * size
    for name, (database, log) in databases(folder).items():
        files[("HomeDomain", f"Library/{name}.db")] = database
        files[("HomeDomain", f"Library/{name}.db-wal")] = log
    return files


def make(base, kind, files):
    folder = os.path.join(base, kind.name)
    os.mkdir(folder)
    keys = Keys(kind) if kind.encrypted else None
    entries = [("HomeDomain", "", FOLDER, None), ("HomeDomain", "Library", FOLDER, None),
               ("HomeDomain", "Library/Link", LINK, None)]
    entries += [(domain, path, FILE, content) for (domain, path), content in files.items()]
    rows, records = [], b"mbdb\x05\x00"
    for number, (domain, path, mode, content) in enumerate(entries):
        identifier = hashlib.sha1(f"{domain}-{path}".encode()).hexdigest()
        target = "/var/mobile" if mode == LINK else None
        size, written = len(content or b""), None
        if content is not None:
            stored = content
            # Class 0 is that of files without keys.
            if keys and not path.endswith("of 20"):
                key, written = keys.new(3 + number % 2)
                stored = encrypted(key, padded(content, kind.padding)) if "unstored" not in path else b""
            place = os.path.join(folder, identifier[:2]) if kind.nested else folder
            os.makedirs(place, exist_ok=True)
            with open(os.path.join(place, identifier), "wb") as file:
                file.write(stored)
        records += record(domain, path, mode, size, written, target)
        flags = {FILE: 1, FOLDER: 2, LINK: 4}[mode]
        rows.append((identifier, domain, path, flags, archived_record(path, mode, size, written, target, number)))
    manifest = {"IsEncrypted": kind.encrypted, "Version": "10.0", "Lockdown": {}, "Date": datetime.datetime(2017, 7, 14)}
    if keys:
        manifest["BackupKeyBag"] = keys.bag
    if kind.records:
        with open(f"{folder}/Manifest.mbdb", "wb") as file:
            file.write(records)
    else:
        write_database(folder, rows, kind.log)
    if kind.new_keys:
        key, manifest["ManifestKey"] = keys.new(4)
        with open(f"{folder}/Manifest.db", "rb") as file:
            clear = file.read()
        with open(f"{folder}/Manifest.db", "wb") as file:
            file.write(encrypted(key, padded(clear) if kind.padding == "pkcs" else clear))
    with open(f"{folder}/Manifest.plist", "wb") as file:
        plistlib.dump(manifest, file, fmt=plistlib.FMT_BINARY)


def write_database(folder, rows, has_log):
    path = f"{folder}/Manifest.db"
    database = sqlite3.connect(path, isolation_level=None)
    if has_log:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA wal_autocheckpoint = 0")
    database.execute("CREATE TABLE Files (fileID TEXT PRIMARY KEY, domain TEXT, relativePath TEXT, flags INTEGER, "
                     "file BLOB)")
    database.execute("CREATE TABLE Properties (key TEXT PRIMARY KEY, value BLOB)")
    if has_log:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.executemany("INSERT INTO Files VALUES(?, ?, ?, ?, ?)", rows)
    if has_log:
        for end in ("", "-wal"):
            shutil.copyfile(path + end, f"{path}.copy{end}")
    database.close()
    if has_log:
        for end in ("", "-wal"):
            os.rename(f"{path}.copy{end}", path + end)


def make_all(base):
    """Makes every kind, and returns their files."""
    work = os.path.join(base, "work")
    os.makedirs(work)
    files = contents(work)
    shutil.rmtree(work)
    for kind in KINDS:
        make(base, kind, files)
    with open(f"{base}/password", "w") as file:
        file.write(PASSWORD + "\n")
    return files


if __name__ == "__main__":
    expected = make_all(sys.argv[1])
    with open(f"{sys.argv[1]}/expected.json", "w") as file:
        json.dump({f"{domain}/{path}": base64.b64encode(content).decode()
                   for (domain, path), content in expected.items()}, file)
