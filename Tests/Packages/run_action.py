"""Runs the steps of action.yml as GitHub's runner does: their environment, their expressions, their shells.

usage: run_action.py ROOT RELEASES FOLDER EXPECTED_STATUS [INPUT=VALUE...]

RELEASES is the address that takes the place of the project's releases. The steps run in FOLDER. Prints what the action
gives out; fails if the action does not end with EXPECTED_STATUS, or leaves no report.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

import yaml


class Runner:
    """The state of a job."""

    def __init__(self, action, root, folder, inputs):
        known = action["inputs"]
        unknown = set(inputs) - set(known)
        assert not unknown, f"the action has no input {unknown}"
        self.inputs = {name: inputs.get(name, input.get("default", "")) for name, input in known.items()}
        self.root = root
        self.folder = folder
        self.temporary = tempfile.mkdtemp()
        self.outputs = {}
        self.github = {"server_url": "https://example.org", "action_repository": "owner/archtool"}

    def value(self, expression):
        """The value of an expression of the few kinds that the action uses."""
        expression = expression.strip()
        if "&&" in expression:
            return all(self.value(part) for part in expression.split("&&"))
        comparison = re.fullmatch(r"(.+?)\s*(==|!=)\s*'([^']*)'", expression)
        if comparison:
            return (self.value(comparison[1]) == comparison[3]) == (comparison[2] == "==")
        path = expression.split(".")
        if path[0] == "inputs":
            return self.inputs[".".join(path[1:])]
        if path[0] == "github":
            return self.github[path[1]]
        assert path[0] == "steps" and path[2] == "outputs", expression
        return self.outputs.get(path[1], {}).get(".".join(path[3:]), "")

    def text(self, text):
        """A text with the values of its expressions."""
        return re.sub(r"\$\{\{(.*?)\}\}", lambda match: str(self.value(match[1])), str(text))

    def run(self, step, releases):
        """Runs a step; returns its status."""
        if "if" in step:
            condition = re.fullmatch(r"\$\{\{(.*)\}\}", step["if"])
            if not self.value(condition[1]):
                return 0
        if "uses" in step:
            assert re.fullmatch(r"[\w-]+/[\w/-]+@v\d+", step["uses"]), step["uses"]
            self.upload({name: self.text(value) for name, value in step["with"].items()})
            return 0
        assert step["shell"] == "bash"
        assert "${{" not in step["run"], "values go through the environment, or they could be code"
        output = os.path.join(self.temporary, "output")
        script = os.path.join(self.temporary, "step.sh")
        open(output, "w").close()
        with open(script, "w", encoding="utf-8") as file:
            file.write(step["run"])
        environment = {
            **os.environ, **{name: self.text(value) for name, value in step.get("env", {}).items()},
            "GITHUB_ACTION_PATH": self.root, "GITHUB_OUTPUT": output, "GITHUB_WORKSPACE": self.folder,
            "RUNNER_TEMP": self.temporary,
        }
        if "RELEASES" in environment:
            assert environment["RELEASES"] == "https://example.org/owner/archtool/releases/download"
            environment["RELEASES"] = releases
        status = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", script], cwd=self.folder,
                                env=environment, check=False).returncode
        with open(output, encoding="utf-8") as file:
            pairs = dict(line.rstrip("\n").split("=", 1) for line in file)
        if "id" in step:
            self.outputs[step["id"]] = pairs
        return status

    def upload(self, parameters):
        """Checks what would be uploaded."""
        with open(os.path.join(self.folder, parameters["sarif_file"]), encoding="utf-8") as file:
            report = json.load(file)
        assert report["version"] == "2.1.0"
        assert report["runs"][0]["tool"]["driver"]["name"] == "archtool"
        print("results:", len(report["runs"][0]["results"]))


def main():
    root, releases, folder, expected = sys.argv[1:5]
    inputs = dict(word.split("=", 1) for word in sys.argv[5:])
    with open(os.path.join(root, "action.yml"), encoding="utf-8") as file:
        action = yaml.safe_load(file)
    assert action["runs"]["using"] == "composite"
    runner = Runner(action, root, folder, inputs)
    status = 0
    for step in action["runs"]["steps"]:
        status = runner.run(step, releases)
        if status:
            break
    for name, output in action["outputs"].items():
        print(f"{name}: {runner.text(output['value'])}")
    assert (status == 0) == (expected == "0"), f"the action ended with {status}"


if __name__ == "__main__":
    main()
