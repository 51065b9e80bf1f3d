#!/usr/bin/env python3
"""Compares what archtool finds in backups with what make_backups.py put there.

usage: backups.py ARCHTOOL

Nothing in the backups may change, and nothing may be written for an encrypted one: its folder for temporary files does
not exist.
"""
import csv
import fcntl
import io
import json
import os
import pty
import select
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import tempfile
import termios
import time
import urllib.parse

from make_backups import KINDS, PASSWORD, make_all

SECONDS = 120


class Bench:
    def __init__(self, program):
        self.program = program
        self.base = tempfile.mkdtemp(prefix="archtool-judge-")
        self.work = os.path.join(self.base, "work")
        self.backups = os.path.join(self.base, "backups")
        for folder in (self.work, self.backups):
            os.mkdir(folder)
        self.files = make_all(self.backups)
        os.chdir(self.backups)
        self.environment = {**os.environ, "HOME": self.base, "ARCHTOOL_SCHEMAS": "", "XDG_CONFIG_HOME": ""}
        self.rows = {"/".join(key): self.values(key) for key in self.files if key[1].endswith(".db")}

    def values(self, key):
        """The values of a database with its log, as sqlite3 reads them."""
        path = f"{self.work}/x.db"
        for end in ("", "-wal"):
            with open(path + end, "wb") as file:
                file.write(self.files[key[0], key[1] + end])
        database = sqlite3.connect(path)
        rows = dict(database.execute("SELECT rowid, v FROM t"))
        database.close()
        for name in os.listdir(self.work):
            os.remove(f"{self.work}/{name}")
        return rows

    def run(self, *arguments, status=0, encrypted=False, **options):
        environment = dict(self.environment)
        environment["TMPDIR"] = f"{self.base}/none" if encrypted else self.work
        done = subprocess.run([self.program, *arguments], env=environment, timeout=SECONDS, capture_output=True,
                              **options)
        assert done.returncode == status, f"{arguments}: {done.returncode} {done.stdout} {done.stderr}"
        assert os.listdir(self.work) == [], os.listdir(self.work)
        return done

    def archives(self):
        """The archives of a backup by their names in it."""
        found = {"/".join(key): content for key, content in self.files.items() if content.startswith(b"bplist")}
        for name, rows in self.rows.items():
            found |= {f"{name}#t.v@{row}": value for row, value in rows.items()}
        return found


def listing(bench):
    """The names in every kind of backup."""
    columns = {f"{name}#t.v" for name in bench.rows}
    files = {name for name in bench.archives() if "@" not in name}
    for kind in KINDS:
        done = bench.run("scan", "--format", "ndjson", "--password-file", "password", kind.name,
                         encrypted=kind.encrypted)
        lines = {line["name"]: line for line in map(json.loads, done.stdout.splitlines())}
        own = {f"{kind.name}/Manifest.plist"}
        if not kind.records and not kind.new_keys:
            own.add(f"{kind.name}/Manifest.db#Files.file")
        expected = own | {f"{kind.name}//{name}" for name in files | columns}
        assert set(lines) == expected, set(lines) ^ expected
        for name, rows in bench.rows.items():
            line = lines[f"{kind.name}//{name}#t.v"]
            assert (line["rows"], line["archives"]) == (len(rows), len(rows)), line
    done = bench.run("scan", "--format", "csv", "--password-file", "password", ".")
    names = [line["name"] for line in csv.DictReader(io.StringIO(done.stdout.decode(), newline=""))]
    for kind in KINDS:
        for name in files | columns:
            assert names.count(f"./{kind.name}//{name}") == 1, name


def extraction(bench):
    """The bytes of every archive; those of encrypted backups are for their owner only."""
    archives = bench.archives()
    for kind in KINDS:
        target = f"{bench.base}/extracted-{kind.name}"
        bench.run("scan", "--extract", target, "--password-file", "password", kind.name, encrypted=kind.encrypted)
        found = {urllib.parse.unquote(name): f"{target}/{name}" for name in os.listdir(target)}
        for name, content in archives.items():
            with open(found[name], "rb") as file:
                assert file.read() == content, name
            mode = stat.S_IMODE(os.stat(found[name]).st_mode)
            assert mode == 0o600 or not kind.encrypted, (name, oct(mode))


def passwords(bench):
    """No password and a wrong one are one line; a pipe gives one for several backups."""
    for name, content in (("wrong", "x\n"), ("nothing", ""), ("ended", PASSWORD), ("windows", PASSWORD + "\r\nmore\n")):
        with open(f"{bench.base}/{name}", "w", newline="") as file:
            file.write(content)
    for kind in KINDS:
        status = 66 if kind.encrypted else 0
        for options in ([], ["--password-file", "../wrong"], ["--password-file", "../nothing"],
                        ["--password-file", "../missing"]):
            done = bench.run("scan", *options, kind.name, status=status, stdin=subprocess.DEVNULL)
            lines = done.stderr.decode().splitlines()
            errors = [line for line in lines if "error" in line]
            assert len(errors) == kind.encrypted, errors
        for name in ("ended", "windows"):
            bench.run("scan", "--password-file", f"../{name}", kind.name)
    bench.run("scan", "--password-file", "/dev/stdin", ".", input=PASSWORD.encode() + b"\n")
    with open(f"{bench.base}/long", "w") as file:
        file.write("x" * 5000)
    done = bench.run("scan", "--password-file", "../long", "encrypted", status=65)
    assert b"1024 bytes" in done.stderr, done.stderr


def on_terminal(bench, answer, *arguments, folder="encrypted"):
    """What a terminal shows, the exit status, and whether the terminal shows what is typed at the end."""
    main, side = pty.openpty()
    def prepare():
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
            signal.signal(number, signal.SIG_DFL)

    child = subprocess.Popen([bench.program, "scan", "--no-pager", *arguments, folder], env=bench.environment,
                             stdin=side, stdout=side, stderr=side, start_new_session=True, preexec_fn=prepare)
    shown, asked, echoes = b"", False, None
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        if select.select([main], [], [], 0.1)[0]:
            shown += os.read(main, 65536)
        elif child.poll() is not None:
            break
        if not asked and b"Password" in shown:
            asked, echoes = True, bool(termios.tcgetattr(side)[3] & termios.ECHO)
            if isinstance(answer, bytes):
                os.write(main, answer)
            else:
                child.send_signal(answer)
    status = child.wait(SECONDS)
    after = bool(termios.tcgetattr(side)[3] & termios.ECHO)
    os.close(main)
    os.close(side)
    assert asked and not echoes and after, (asked, echoes, after, shown)
    assert PASSWORD.encode() not in shown, shown
    return status, shown.decode()


def terminal(bench):
    """A person is asked once, and sees nothing of the password; a signal leaves the terminal as it was."""
    status, shown = on_terminal(bench, PASSWORD.encode() + b"\n")
    assert status == 0 and shown.count("Password") == 1 and "a.plist" in shown, (status, shown)
    status, shown = on_terminal(bench, b"wrong\n")
    assert status == 66 and shown.count("error") == 1, (status, shown)
    status, shown = on_terminal(bench, b"\x04")
    assert status == 66 and "no password" in shown, (status, shown)
    for answer, signals in ((b"\x03", [signal.SIGINT]), (signal.SIGTERM, [signal.SIGTERM]),
                            (signal.SIGHUP, [signal.SIGHUP]), (signal.SIGQUIT, [signal.SIGQUIT])):
        status, shown = on_terminal(bench, answer)
        expected = {128 + number for number in signals} | {-number for number in signals}
        assert status in expected, (answer, status, shown)


SCENARIOS = [listing, extraction, passwords, terminal]


def main():
    bench = Bench(os.path.abspath(sys.argv[1]))
    try:
        for scenario in SCENARIOS:
            if sys.argv[2:] and scenario.__name__ not in sys.argv[2:]:
                continue
            scenario(bench)
            print(f"{scenario.__name__}: agrees")
    finally:
        os.chdir("/")
        shutil.rmtree(bench.base)


if __name__ == "__main__":
    main()
