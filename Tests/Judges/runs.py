"""Folders of archives that are migrated, and what judges of runs need: copies, listings, a run within a time limit."""
import os
import plistlib
import shutil
import subprocess
from plistlib import UID

# What archtool(1) documents: done, refused, wrong usage, not decoded, not opened, not created, input or output failed.
STATUSES = {0, 1, 64, 65, 66, 73, 74}
SECONDS = 30


def movie(name, year):
    """A keyed archive of a Movie in the version v1."""
    record = {"$classname": "NSDictionary", "$classes": ["NSDictionary", "NSObject"]}
    objects = ["$null", {"NS.keys": [UID(2), UID(3), UID(4)], "NS.objects": [UID(5), UID(6), UID(7)],
                         "$class": UID(8)}, "name", "director", "releaseYear", name, "D", year, record]
    return plistlib.dumps({"$version": 100000, "$archiver": "NSKeyedArchiver", "$top": {"root": UID(1)},
                           "$objects": objects}, fmt=plistlib.FMT_BINARY)


class World:
    """A folder with archives, a folder beside it that nothing may touch, and states of both to come back to."""

    def __init__(self, base, numbers):
        self.base = base
        self.live = os.path.join(base, "live")
        self.files = os.path.join(self.live, "files")
        self.names = ["a", "b c", "d/e", "d/f"][:numbers.randrange(2, 5)]
        os.makedirs(os.path.join(self.files, "d"))
        os.makedirs(os.path.join(self.live, "outside"))
        for number, name in enumerate(self.names):
            self.write(os.path.join("files", name), movie(f"M{number}{numbers.randrange(1000)}", 1900 + number))
        self.write("outside/victim", movie("Victim", 1999))
        self.write("outside/other", b"other")

    def write(self, name, content):
        with open(os.path.join(self.live, name), "wb") as file:
            file.write(content)

    def save(self, name):
        """Keeps a state under a name."""
        shutil.copytree(self.live, os.path.join(self.base, name), symlinks=True)

    def load(self, name):
        """Goes back to a state that was kept, in the same place."""
        shutil.rmtree(self.live, ignore_errors=True)
        shutil.copytree(os.path.join(self.base, name), self.live, symlinks=True)

    def listing(self, folder):
        """Names of all below a folder, with their bytes; None for folders."""
        found = {}
        root = os.path.join(self.live, folder)
        for place, folders, names in os.walk(root):
            for name in folders:
                found[os.path.relpath(os.path.join(place, name), root)] = None
            for name in names:
                path = os.path.join(place, name)
                with open(path, "rb") as file:
                    found[os.path.relpath(path, root)] = file.read()
        return found

    def run(self, program, arguments, environment=None):
        """The status, standard output and standard error of a run; a status of None if it had no end."""
        everything = {**os.environ, "HOME": self.base, "XDG_STATE_HOME": os.path.join(self.base, "state"),
                      **(environment or {})}
        try:
            done = subprocess.run([program, *arguments], cwd=self.live, env=everything, timeout=SECONDS,
                                  stdin=subprocess.DEVNULL, capture_output=True)
        except subprocess.TimeoutExpired:
            return None, b"", b""
        return done.returncode, done.stdout, done.stderr


def manner(status, errors):
    """What is wrong with how a run ended; nothing if it is as documented."""
    if status is None:
        return ["it does not end"]
    if status not in STATUSES:
        return [f"status {status}: {errors[-300:]!r}"]
    lines = errors.decode("utf-8", "replace").splitlines()
    wrong = [f"a line of {len(line)} characters" for line in lines if len(line) > 1000]
    if status != 0 and not any("error: " in line or "refused" in line or line.endswith(")") for line in lines):
        wrong.append(f"status {status} without a sentence: {errors[-200:]!r}")
    return wrong
