"""Checks the files for GitHub and pre-commit: they are YAML, and what they run is there.

usage: check_workflow.py ROOT
"""

import os
import re
import subprocess
import sys

import yaml


def read(root, name):
    with open(os.path.join(root, name), encoding="utf-8") as file:
        return yaml.safe_load(file)


def main():
    root = sys.argv[1]
    # YAML reads the key `on` as true.
    workflow = read(root, ".github/workflows/ci.yml")
    assert set(workflow) == {"name", True, "permissions", "concurrency", "jobs"}, set(workflow)
    assert set(workflow["jobs"]) == {"linux", "macos"}
    for name, job in workflow["jobs"].items():
        assert job["runs-on"] and job["steps"], name
        for step in job["steps"]:
            assert ("uses" in step) != ("run" in step), step
            for target in re.findall(r"\bmake ([a-z-]+)", step.get("run", "")):
                if target != "install":
                    subprocess.run(["make", "-n", "-C", root, target], check=True, stdout=subprocess.DEVNULL)
            for script in re.findall(r"^(\.ci/\S+)", step.get("run", "")):
                assert os.access(os.path.join(root, script), os.X_OK), script
    for hook in read(root, ".pre-commit-hooks.yaml"):
        assert {"id", "name", "entry", "language"} <= set(hook), hook
    print("check_workflow: the workflow and the hooks are complete")


if __name__ == "__main__":
    main()
