"""What the files of a folder have beside their bytes, as Python's os module sees it.

usage: file_facts.py FOLDER        a JSON object: name -> "MODE MTIME_NS SHA256 ATTRIBUTES"
       file_facts.py --tag FOLDER  gives each file the attribute user.tag first, where there are attributes
"""
import hashlib
import json
import os
import sys


def facts(path):
    status = os.stat(path, follow_symlinks=False)
    names = sorted(os.listxattr(path)) if hasattr(os, "listxattr") else []
    attributes = {name: os.getxattr(path, name).hex() for name in names}
    with open(path, "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()
    return f"{status.st_mode:o} {status.st_mtime_ns} {digest} {attributes}"


folder = sys.argv[-1]
names = sorted(name for name in os.listdir(folder) if name != ".archtool-lock")
if sys.argv[1] == "--tag":
    for name in names:
        try:
            os.setxattr(os.path.join(folder, name), "user.tag", name.encode())
        except (AttributeError, OSError):
            pass
print(json.dumps({name: facts(os.path.join(folder, name)) for name in names}))
