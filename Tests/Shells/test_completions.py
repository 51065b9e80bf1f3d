"""The completions of archtool in bash, zsh and fish: Tab is pressed in each of them, on honest and on hostile files.

ARCHTOOL names the program.
"""

import functools
import gzip
import os
import plistlib
import re
import shlex
import shutil
import subprocess
import tempfile
import time
import unittest

import shells

ARCHTOOL = os.environ["ARCHTOOL"]
ARCHIVES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../TestArchives")
BASH_PACKAGE = os.path.exists(shells.BashWithPackage.package)

# What one Tab makes of a line, in each shell. The path of a container ends without a space, since its own paths
# begin with the same text.
LINES = [
    ("archtool val", "archtool validate "),
    ("archtool compl", "archtool completions "),
    ("archtool completions f", "archtool completions fish "),
    ("archtool schema sw", "archtool schema swift "),
    ("archtool help sch", "archtool help schema "),
    ("archtool help schema li", "archtool help schema list "),
    ("archtool --ver", "archtool --version "),
    ("archtool validate --lin", "archtool validate --lint "),
    ("archtool dump --format js", "archtool dump --format json "),
    ("archtool dump --format=nd", "archtool dump --format=ndjson "),
    ("archtool dump Mov", "archtool dump Movie "),
    ("archtool dump Movie Fe", "archtool dump Movie Feed "),
    ("archtool dump --output-dir sub", "archtool dump --output-dir subfolder/"),
    ("archtool dump --output=Mov", "archtool dump --output=Movie "),
    ("archtool dump -o Mov", "archtool dump -o Movie "),
    ("archtool dump -qo Mov", "archtool dump -qo Movie "),
    ("archtool merge a=Mov", "archtool merge a=Movie "),
    (r"archtool get Movie \$.n", r"archtool get Movie \$.name "),
    ("archtool get Movie '$.n", "archtool get Movie '$.name' "),
    ("archtool get Feed /t", "archtool get Feed /topCityWeathers"),
    ("archtool get Feed :f", "archtool get Feed :fetchedAt "),
    ("archtool get Feed topCityWeathers.0.Ke", "archtool get Feed topCityWeathers.0.Key "),
    ("archtool get my\\ file n", "archtool get my\\ file name "),
    ("archtool get -- Movie n", "archtool get -- Movie name "),
    ("archtool get ~/work/Movie n", "archtool get ~/work/Movie name "),
    ("archtool graph Feed --root='$.f", "archtool graph Feed --root='$.fetchedAt' "),
    ("archtool find Movie --class NSD", "archtool find Movie --class NSDictionary "),
    ("archtool find --class App.Mov", "archtool find --class App.Mov"),
    ("archtool rename-class Classes -c App.", "archtool rename-class Classes -c App.Movie.MovieClass="),
    ("archtool validate --schema Weather", "archtool validate --schema WeatherFeed"),
    ("archtool validate --schema=Movie@", "archtool validate --schema=Movie@v"),
    ("archtool validate --schemas Schemas --schema Itin", "archtool validate --schemas Schemas --schema Itinerary"),
    ("archtool migrate --schemas Schemas --schema Itinerary --to v", "archtool migrate --schemas Schemas --schema Itinerary --to v"),
    ("archtool schema list Wea", "archtool schema list WeatherFeed "),
    ("archtool undo $HOME/nothing", "archtool undo $HOME/nothing"),
    ("archtool dump nowhere", "archtool dump nowhere"),
    ("archtool convert --to xml1 Mov", "archtool convert --to xml1 Movie "),
]

# Keys that a shell must not run, split or expand, by the text that they begin with.
HOSTILE_KEYS = {
    "k01": "k01 $(touch pwned)", "k02": "k02`touch pwned`", "k03": "k03 it's", "k04": 'k04 "q" \\',
    "k05": "k05;touch pwned;", "k06": "k06 *?[a-z]{x,y}", "k07": "k07 > pwned", "k08": "k08 !touch & |",
    "k09": "k09~#%=:@,^{0}", "k10": "k10\u00e9 \u65e5\u672c \U0001f600",
}
# Keys with what a terminal would obey, or that are too long.
OBEYED = ["x1\x1b]0;PWNED\x07", "x2\nline", "x3\u202ebidi", "x4" + "long" * 100, "x5\x9b31mPWNED", "x6\ttab"]


def shell_classes():
    bash = ([shells.Bash] + ([shells.BashWithPackage] if BASH_PACKAGE else [])) if shells.bash_is_new() else []
    return bash + [shells.Zsh, shells.Fish]


def in_each_shell(test):
    """Runs a test in every shell."""

    @functools.wraps(test)
    def tests(self):
        for kind, shell in self.shells.items():
            with self.subTest(shell=kind.__name__):
                test(self, shell)

    return tests


class CompletionTests(unittest.TestCase):
    """What Tab makes of a line."""

    @classmethod
    def setUpClass(cls):
        # The home folder has no spaces: the shells' own files are there too.
        cls.home = tempfile.mkdtemp(prefix="archtool-shells-")
        cls.folder = os.path.join(cls.home, "work")
        os.makedirs(os.path.join(cls.folder, "subfolder"))
        for name, archive in {
            "Movie": "Movie/v1", "Feed": "WeatherFeed/v1-1-city", "my file": "Movie/v1",
            "Classes": "Movie/v0-nested-class",
        }.items():
            shutil.copy(os.path.join(ARCHIVES, archive), os.path.join(cls.folder, name))
        shutil.copytree(os.path.join(ARCHIVES, "Families"), os.path.join(cls.folder, "Schemas"))
        keys = list(HOSTILE_KEYS.values()) + OBEYED
        with open(os.path.join(cls.folder, "evil"), "wb") as file:
            plistlib.dump({key: f"value {number}" for number, key in enumerate(keys)}, file,
                          fmt=plistlib.FMT_BINARY)
        cls.shells = {shell: shell(ARCHTOOL, cls.folder, cls.home) for shell in shell_classes()}

    @classmethod
    def tearDownClass(cls):
        for shell in cls.shells.values():
            shell.close()
        shutil.rmtree(cls.home)

    def tearDown(self):
        self.assertFalse(os.path.exists(os.path.join(self.folder, "pwned")), "a name was run")

    @in_each_shell
    def test_tab_completes_the_line(self, shell):
        for text, line in LINES:
            with self.subTest(line=text):
                found = shell.line_after(text)
                if isinstance(shell, shells.Zsh):
                    # It may quote a word in another way, and completes `--format` as `--format=`.
                    found, line = [self.meaning(text) for text in (found, line)]
                self.assertEqual(found, line)

    @staticmethod
    def meaning(line):
        """The words of a line, and whether another word would follow."""
        return shlex.split(line), line[-1]

    @in_each_shell
    def test_all_commands_and_options_are_offered(self, shell):
        """The same as help shows."""
        table = subprocess.run([ARCHTOOL, "help"], check=True, capture_output=True, text=True).stdout
        commands = re.findall(r"^  ([a-z-]+(?: [a-z]+)?)  ", table.split("Commands:")[1].split("Options:")[0], re.M)
        self.assertGreater(len(commands), 30)
        words = self.words(shell, "archtool ")
        self.assertEqual(words, {command.split()[0] for command in commands})
        for command in commands:
            text = subprocess.run([ARCHTOOL, *command.split(), "-h"], check=True, capture_output=True, text=True).stdout
            options = set(re.findall(r"^  (?:-., |    )(--[a-z0-9-]+)", text, re.M))
            found = {word.rstrip("=") for word in self.words(shell, f"archtool {command} --")}
            with self.subTest(command=command):
                self.assertIn("--help", found)
                self.assertEqual(found, options)

    def words(self, shell, text):
        """The candidates for an empty word, or for `--`."""
        found = shell.candidates(text)
        if isinstance(shell, shells.Fish):
            return {line.split("\t")[0] for line in found.splitlines()}
        return set(found[len(text.rstrip("-")):].split())

    @in_each_shell
    def test_hostile_keys_become_one_word_that_leads_to_the_value(self, shell):
        quotings = {"backslash": r"\$\[\'{}", "pointer": "/{}", "single quotes": "'/{}", "double quotes": '"/{}'}
        for number, (start, key) in enumerate(HOSTILE_KEYS.items()):
            for name, form in quotings.items():
                if "single" in name and "'" in key or "double" in name and "!" in key:
                    continue
                with self.subTest(key=key, quoting=name):
                    shell.enter(f"archtool get evil {form.format(start)}\t")
                    line = shell.shown_line()
                    self.assertNotEqual(line, f"archtool get evil {form.format(start)}")
                    shell.run(">out")
                    self.assertEqual(self.output(), f"value {number}\n", line)

    @in_each_shell
    def test_what_a_terminal_would_obey_is_not_shown(self, shell):
        """Such keys are left out, or escaped in a notation that has escapes."""
        before = len(shell.terminal.printed)
        self.assertEqual(shell.line_after("archtool get evil /x", "\t\t"), "archtool get evil /x")
        # The shell shows the other keys.
        shell.line_after("archtool get evil /", "\t\t")
        shell.line_after(r"archtool get evil \$\[\'", "\t\t")
        printed = shell.terminal.printed[before:]
        for raw in (b"\x1b]0;PWNED", "\x9b31m".encode(), "\u202e".encode(), b"longlong"):
            self.assertNotIn(raw, printed)
        found = shell.candidates("archtool get evil /")
        self.assertNotIn("\x1b", found)
        self.assertEqual(found.count("/k0"), 9)
        shell.enter(r"archtool get evil \$\[\'x1" + "\t")
        self.assertIn("u001b", shell.shown_line())
        shell.run(">out")
        self.assertEqual(self.output(), f"value {len(HOSTILE_KEYS)}\n")

    def output(self):
        with open(os.path.join(self.folder, "out"), encoding="utf-8") as file:
            return file.read()

    @in_each_shell
    def test_hostile_names_of_files_are_quoted(self, shell):
        names = ["f1 $(touch pwned)", "f2`touch pwned`", "f3 it's \"q\"", "f4;touch pwned", "f5*?"]
        for name in names:
            shutil.copy(os.path.join(ARCHIVES, "Movie/v1"), os.path.join(self.folder, name))
        for name in names:
            with self.subTest(name=name):
                shell.enter(f"archtool get {name[:2]}\tname")
                line = shell.shown_line()
                shell.run(">out")
                self.assertEqual(self.output(), "Avatar\n", line)

    @in_each_shell
    def test_expansions_on_the_line_are_not_run(self, shell):
        """The words of the line go to the program unexpanded."""
        for text in ("archtool get $(touch pwned) na", "archtool get `touch pwned` na",
                     "archtool get Movie --default=$(touch pwned) na"):
            if isinstance(shell, shells.Fish) and "`" in text:
                continue
            shell.line_after(text)

    @in_each_shell
    def test_journals_are_offered(self, shell):
        folder = os.path.join(self.home, "state", "archtool")
        os.makedirs(folder, exist_ok=True)
        journal = os.path.join(folder, "20260101T000000Z-1.journal")
        with open(journal, "w", encoding="utf-8"):
            pass
        try:
            self.assertEqual(shell.line_after(f"archtool undo {folder}/2026"), f"archtool undo {journal} ")
            self.assertIn(journal, shell.candidates("archtool journal show "))
        finally:
            shutil.rmtree(folder)

    def test_no_file_makes_a_shell_wait(self):
        """Pipes, devices and files that are expensive to read: the program ends in time, and prints no messages."""
        os.mkfifo(os.path.join(self.folder, "pipe"))
        with gzip.open(os.path.join(self.folder, "bomb"), "wb", compresslevel=1) as file:
            file.write(b"<plist><array>" + b"<string>x</string>" * 5_000_000)
        with open(os.path.join(self.folder, "deep"), "wb") as file:
            file.write(b"[" * 30_000_000)
        with open(os.path.join(self.folder, "many.json"), "w", encoding="utf-8") as file:
            file.write('{"' + '":0,"'.join(f"key{number}" for number in range(1_000_000)) + '":0}')
        with open(os.path.join(self.folder, "huge"), "wb") as file:
            file.truncate(1 << 40)
        names = ["pipe", "bomb", "deep", "many.json", "huge", "/dev/zero", "/dev/tty", "subfolder", "nowhere", "-", ""]
        for name in names:
            for words in (["2", "get", name, ""], ["2", "find", "--class", "", name], ["0", "", name]):
                with self.subTest(words=words):
                    result = subprocess.run([ARCHTOOL, "complete", "--", *words], cwd=self.folder,
                                            stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=5)
                    self.assertEqual((result.returncode, result.stderr), (0, b""))
                    self.assertLess(len(result.stdout), 100_000)

    @in_each_shell
    def test_a_pipe_is_not_read(self, shell):
        path = os.path.join(self.folder, f"pipe-{shell.name}")
        os.path.exists(path) or os.mkfifo(path)
        text = f"archtool get pipe-{shell.name} /x"
        self.assertEqual(shell.line_after(text), text)

    @in_each_shell
    def test_other_programs_are_left_alone(self, shell):
        """A program of the same name in the working folder is not started by Tab."""
        path = os.path.join(self.folder, "archtool")
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\ntouch pwned\n")
        os.chmod(path, 0o755)
        try:
            shell.line_after("./archtool get Movie na")
        finally:
            os.remove(path)


if __name__ == "__main__":
    unittest.main()
