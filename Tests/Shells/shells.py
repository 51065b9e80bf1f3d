"""Interactive shells on a pseudo-terminal, in which Tab is pressed as a user does."""

import os
import pty
import select
import shutil
import signal
import subprocess
import time

# Long enough for a loaded machine; a test that passes never waits so long.
PATIENCE = 30


class Terminal:
    """A shell on a terminal of its own."""

    def __init__(self, words, folder, environment):
        self.printed = b""
        self.process, self.descriptor = pty.fork()
        if self.process == 0:
            try:
                os.chdir(folder)
                os.execvpe(words[0], words, environment)
            finally:
                os._exit(127)

    def type(self, text):
        """Types keys."""
        data = text if isinstance(text, bytes) else text.encode()
        while data:
            data = data[os.write(self.descriptor, data):]

    def read(self, seconds):
        """Takes over what the shell prints within a time."""
        ready, _, _ = select.select([self.descriptor], [], [], seconds)
        if not ready:
            return False
        try:
            piece = os.read(self.descriptor, 65536)
        except OSError:
            return False
        self.printed += piece
        return bool(piece)

    def wait(self, condition, what):
        """Waits until something is true, and returns it."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            result = condition()
            if result is not None:
                return result
            self.read(0.02)
        raise AssertionError(f"{what} did not happen; the shell printed {self.printed[-2000:]!r}")

    def close(self):
        """Ends the shell."""
        try:
            os.kill(self.process, signal.SIGKILL)
        except ProcessLookupError:
            pass
        os.waitpid(self.process, 0)
        os.close(self.descriptor)


class Shell:
    """A shell with the completions of archtool, in a folder."""

    name = ""

    def __init__(self, archtool, folder, home):
        self.folder = folder
        self.line_file = os.path.join(home, "line")
        self.script = os.path.join(home, "completions." + self.name)
        with open(self.script, "wb") as file:
            file.write(subprocess.run([archtool, "completions", self.name], check=True, capture_output=True).stdout)
        self.environment = {
            "HOME": home, "TERM": "xterm", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8",
            "PATH": os.path.dirname(archtool) + ":" + os.environ["PATH"], "LINE_FILE": self.line_file,
            "XDG_STATE_HOME": os.path.join(home, "state"), "XDG_CONFIG_HOME": os.path.join(home, "config"),
            "COLUMNS": "200", "LINES": "100",
        }
        self.terminal = Terminal(self.words(), folder, self.environment)
        for command in self.settings():
            self.run(command)

    def close(self):
        self.terminal.close()

    def words(self):
        """The command line of the shell."""
        raise NotImplementedError

    def settings(self):
        """Commands that load the completions, and bind Control-G to writing the line to $LINE_FILE."""
        raise NotImplementedError

    def run(self, command):
        """Runs a command and waits for its end."""
        mark = f"{self.line_file}.{time.monotonic_ns()}"
        self.terminal.type(f" {command}\n : > {mark}\n")
        self.terminal.wait(lambda: os.path.exists(mark) or None, command)
        os.remove(mark)

    def line_after(self, text, keys="\t"):
        """The line after text and keys were typed; it is deleted then."""
        self.enter(text + keys)
        line = self.shown_line()
        self.terminal.type("\x15")
        return line

    def enter(self, text):
        """Types at the prompt."""
        self.terminal.type(text)

    def shown_line(self):
        """The line as the shell has it now."""
        self.terminal.type("\x07")

        def line():
            try:
                with open(self.line_file, encoding="utf-8", errors="surrogateescape") as file:
                    text = file.read()
            except FileNotFoundError:
                return None
            return text[:-4] if text.endswith("END\n") else None

        text = self.terminal.wait(line, "writing the line")
        os.remove(self.line_file)
        return text

    def candidates(self, text):
        """All that may come at the end of a line, as words that the shell would insert."""
        raise NotImplementedError


def bash_is_new():
    """Whether bash can show its line to tests: macOS has a version that cannot."""
    return subprocess.run(["bash", "-c", "((BASH_VERSINFO[0] >= 4))"], check=False).returncode == 0


class Bash(Shell):
    name = "bash"

    def load(self):
        """The command that loads the completions."""
        return f". {self.script}"

    def words(self):
        return ["bash", "--norc", "--noprofile", "-i"]

    def settings(self):
        bindings = ["set bell-style none", "set enable-bracketed-paste off", "set completion-query-items 0",
                    "set page-completions off", "set show-all-if-ambiguous off"]
        return (["PS1='$ '", "set +o history", self.load()] + [f"bind '{binding}'" for binding in bindings]
                + [r"""bind -x '"\C-g": printf "%sEND\n" "$READLINE_LINE" > "$LINE_FILE"'"""])

    def candidates(self, text):
        # Inserts every candidate.
        line = self.line_after(text, "\x1b*")
        return line


class BashWithPackage(Bash):
    """Bash with the package bash-completion, which finds the completions by their name at the first Tab."""

    package = "/usr/share/bash-completion/bash_completion"

    def load(self):
        folder = os.path.join(os.path.dirname(self.script), ".local/share/bash-completion/completions")
        os.makedirs(folder, exist_ok=True)
        shutil.copy(self.script, os.path.join(folder, "archtool"))
        return f". {self.package}"


class Zsh(Shell):
    name = "zsh"

    def words(self):
        return ["zsh", "-f", "-i"]

    def settings(self):
        return [
            "PS1='$ '", "setopt no_beep no_list_beep interactive_comments", "unsetopt auto_menu",
            f"fpath=({os.path.dirname(self.script)}/functions $fpath)",
            f"mkdir -p {os.path.dirname(self.script)}/functions",
            f"cp {self.script} {os.path.dirname(self.script)}/functions/_archtool",
            "autoload -Uz compinit && compinit -u -D",
            """write-line() { print -rn -- "${BUFFER}END"$'\\n' > $LINE_FILE }""",
            "zle -N write-line && bindkey '^G' write-line", "bindkey '^U' kill-whole-line",
            "zstyle ':completion:all-matches::::' completer _all_matches _complete",
            "zstyle ':completion:all-matches:*' insert true",
            "zle -C all-matches complete-word _generic && bindkey '^Xa' all-matches",
        ]

    def candidates(self, text):
        return self.line_after(text, "\x18a")


class Fish(Shell):
    name = "fish"

    def words(self):
        return ["fish", "--no-config", "-i"]

    def settings(self):
        return [
            "function fish_prompt; echo '$ '; end", "set fish_greeting", f"source {self.script}",
            "bind \\cg 'printf %sEND\\n (commandline | string collect) > $LINE_FILE'",
            "bind \\cu 'commandline \"\"'",
        ]

    def candidates(self, text):
        script = f"source {self.script}; complete --escape -C (cat -- $LINE_FILE | string collect -N)"
        with open(self.line_file, "w", encoding="utf-8") as file:
            file.write(text)
        result = subprocess.run(["fish", "--no-config", "-c", script], cwd=self.folder, env=self.environment,
                                capture_output=True, check=True)
        os.remove(self.line_file)
        assert result.stderr == b"", result.stderr
        return result.stdout.decode()
