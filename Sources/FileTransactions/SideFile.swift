// Files that archtool itself writes beside archives: they are not inputs when found in a folder.

import ArchiveBasics
import ArchivePropertyLists

/// Distinguishes archtool's own files from a user's, by their content.
package enum SideFile {
  /// The marks with which a record of lost values begins, white space aside.
  private static let lostValues = [#"{"archtool":"#, #","family":""#]
  private static let lostValuesKind = "a file of lost values that archtool made"
  private static let plan = #"{"plan":"archtool","#
  /// How a file of conflicts begins.
  package static let conflicts = #"{"archtool": "conflicts", "#
  private static let conflictsKind = "a file of conflicts that archtool made"
  /// The extended attribute of copies that `--backup` makes.
  private static let backupAttribute = "user.archtool.backup"
  /// How much of a file is looked at.
  private static let prefixSize = 256

  /// Whether a file has lost values of the archive beside it: it is named `FILE.lost.json` and begins as such.
  package static func isLostValues(_ path: String) -> Bool {
    guard path.hasSuffix(SideFile.lostValues(of: "")) else { return false }
    return OpenFile(path, O_RDONLY | O_NONBLOCK)?.bytes(prefixSize).map(beginsLostValues) ?? false
  }

  /// What bytes are that begin as one of archtool's own records: `a journal of archtool`; nil for a user's.
  package static func kind(of storage: ByteStorage) -> String? {
    let bytes = storage.bytes
    if JournalHeader.begins(storage) { return "a journal of archtool" }
    if bytes.starts(with: plan.utf8) { return "a plan of archtool" }
    if bytes.starts(with: conflicts.utf8) { return conflictsKind }
    if beginsReport(bytes) { return "a report of archtool" }
    // Under the name that they were given they are not even opened.
    return beginsLostValues(Array(bytes.prefix(prefixSize))) ? lostValuesKind : nil
  }

  /// The kind of a file that archtool wrote beside an archive; nil for others.
  package static func kind(ofFile path: String) -> String? {
    if isBackup(path) { return "a backup that archtool made" }
    return isLostValues(path) ? lostValuesKind : nil
  }

  /// Whether bytes begin like a report: with the outcome of a file, or with counts.
  private static func beginsReport(_ bytes: ByteView) -> Bool {
    if bytes.starts(with: #"{"counts":{"files":0,"#.utf8) { return true }
    guard bytes.starts(with: #"{"file":""#.utf8), let end = bytes.firstIndex(of: 0x0A),
      let line = try? JSONTree(json: Array(bytes[..<end])), let members = line.members
    else { return false }
    return members.prefix(3).map(\.0) == ["file", "outcome", "summary"]
      && ["changed", "unchanged", "refused", "failed"].contains(line["outcome"]?.string)
  }

  /// The name of the file with the conflicts of a merge.
  package static func conflicts(of path: String) -> String { path + ".conflicts.json" }

  /// The name of the file with an archive's lost values.
  package static func lostValues(of path: String) -> String { path + ".lost.json" }

  // MARK: Backups

  /// Records in an open file that it is a copy of an old archive, made by `--backup`.
  ///
  /// The record is an extended attribute with the copy's own name: a copy that its user moves back is an archive again.
  ///
  /// - Returns: whether the file system could take that down.
  static func markBackup(_ descriptor: Int32, name: String) -> Bool {
    ExtendedAttributes.set(backupAttribute, to: name.pathBytes, descriptor)
  }

  /// Whether a file is a copy of an old archive under the name that `--backup` gave it.
  package static func isBackup(_ path: String) -> Bool {
    guard let mark = ExtendedAttributes.value(of: backupAttribute, path: path) else { return false }
    return mark == AtomicFile.name(of: path).pathBytes
  }

  static func unmarkedBackup(_ path: String) -> String {
    "the file system cannot record that \(path) is a backup; later runs will treat it as an input"
  }

  /// Whether bytes begin as lost values do: the version of the form, a number, then the family.
  static func beginsLostValues(_ bytes: [UInt8]) -> Bool {
    guard bytes.first == UInt8(ascii: "{") else { return false }
    let text = String(
      decoding: bytes.filter { !" \t\r\n".utf8.contains($0) }, as: UTF8.self)
    guard text.hasPrefix(lostValues[0]) else { return false }
    let rest = text.dropFirst(lostValues[0].count).drop { $0.isNumber }
    return rest.hasPrefix(lostValues[1])
  }
}
