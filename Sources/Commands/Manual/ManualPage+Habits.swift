// The manual page's table for people who know plutil and PlistBuddy.

import CommandLineInterface

extension ManualPage {
  /// What one does with another program, and the same with archtool.
  static let habits: [(habit: String, command: String)] = [
    ("plutil -p Settings", "archtool dump Settings"),
    ("plutil -lint Settings", "archtool validate --format-only Settings"),
    ("plutil -convert xml1 Settings", "archtool convert --to xml1 --in-place Settings"),
    ("plutil -convert json -o - Settings", "archtool convert --to json Settings"),
    ("plutil -extract a.b raw Settings", "archtool get Settings a.b"),
    ("plutil -extract a xml1 -o - Settings", "archtool get --format xml1 Settings a"),
    ("plutil -type a.n Settings", "archtool get --type Settings a.n"),
    (
      "plutil -insert a.c -string 'a text' Settings",
      "archtool insert --in-place --string Settings a.c 'a text'"
    ),
    (
      "plutil -replace a.n -integer 5 Settings",
      "archtool set --in-place --integer Settings a.n 5"
    ),
    (
      "plutil -insert list -string two -append Settings",
      "archtool append --in-place --string Settings list two"
    ),
    ("plutil -remove list.0 Settings", "archtool remove --in-place Settings list.0"),
    ("PlistBuddy -c 'Print :a:b' Settings", "archtool get Settings :a:b"),
    (
      "PlistBuddy -c 'Set :a:b y' Settings",
      "archtool set --in-place --string Settings :a:b y"
    ),
    (
      "PlistBuddy -c 'Add :a:new bool true' Settings",
      "archtool insert --in-place --bool Settings :a:new true"
    ),
    (
      "PlistBuddy -c 'Delete :a:new' Settings",
      "archtool remove --in-place Settings :a:new"
    ),
    (
      "PlistBuddy -c 'Add :other dict' -c 'Merge Other :other' Settings",
      "archtool insert --in-place Settings :other --from Other"
    ),
    (
      "PlistBuddy -c 'Copy :a :twin' Settings",
      "archtool patch --in-place Settings copy.json"
    ),
  ]

  func habits(_ page: inout MdocDocument) {
    page.section("COMING FROM PLUTIL AND PLISTBUDDY")
    page.text(
      """
      Paths of both programs are understood. What they change without a word, archtool changes \
      in place only with --in-place, and undo takes it back. Each command of plutil or \
      PlistBuddy is followed by the same one of archtool; the last one applies a JSON Patch, \
      [{"op": "copy", "from": "/a", "path": "/twin"}].
      """)
    for (habit, command) in Self.habits { page.display(habit + "\n$ " + command) }
  }
}
