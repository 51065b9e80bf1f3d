// Options of the commands that edit values.

import CommandLineInterface

extension OptionDescription {
  static let asString = flag("string", help: "Take VALUE as a string.")

  static let asInteger = flag("integer", help: "Take VALUE as an integer.")

  static let asReal = flag("real", help: "Take VALUE as a real, such as 64, 0.5 or NaN.")

  static let asBoolean = flag(
    "bool", help: "Take VALUE as a boolean. It is true, false, yes or no.")

  static let asDate = flag(
    "date", help: "Take VALUE as a date, such as 2019-04-06T03:50:00Z.")

  static let asData = flag(
    "data", help: "Take VALUE as data in Base64. With @FILE it is the content of FILE.")

  static let asJSON = flag(
    "json", help: "Take VALUE as JSON. This is what it is without another option.")

  static let fromFile = text(
    "from", valueName: "PART",
    help: "Take the root of the archive PART. It is used in place of VALUE.")

  static let edits = text(
    "edits", valueName: "EDITS",
    help: """
      Do the edits in the file EDITS, all or none. Each line is a JSON object with op, path, \
      and value, key or from.
      """)

  static let shared = flag(
    "shared", help: "Change an object that others refer to. It changes for all of them.")

  static let copyShared = flag(
    "copy", help: "Copy an object that others refer to. The copy at PATH is changed.")

  static let checkResult = flag(
    "check", help: "Refuse a result that does not fit its schema. The schema is detected.")

  /// The types of a value.
  static let valueTypes: [OptionDescription] = [
    .asString, .asInteger, .asReal, .asBoolean, .asDate, .asData, .asJSON,
  ]

  /// The options of the commands that add one value.
  static let adding = valueTypes + [.fromFile] + editing

  /// The options of every command that edits values.
  static let editing: [OptionDescription] = [
    .shared, .copyShared, .checkResult, .schema, .schemaFile, .schemaFolders, .assertFormats,
    .output, .inPlace, .backup, .dryRun, .force, .keepTimes, .journal, .noJournal,
    .backupDirectory, .wait,
  ]
}

extension OptionRule {
  /// The rules of the commands that add one value.
  static let adding = [.exclusive(OptionDescription.valueTypes + [.fromFile])] + editing

  /// The rules of every command that edits values.
  static let editing: [OptionRule] = [
    .exclusive([.shared, .copyShared]), .exclusive([.schema, .schemaFile]),
    .needs(.schema, anyOf: [.checkResult]), .needs(.schemaFile, anyOf: [.checkResult]),
    .needs(.schemaFolders, anyOf: [.checkResult]), .needs(.assertFormats, anyOf: [.checkResult]),
    .exclusive([.output, .inPlace, .dryRun]), .needs(.backup, anyOf: [.inPlace]),
    .namePart(.backup), .needs(.force, anyOf: [.output]), .firstIsFile(.inPlace),
    .needs(.keepTimes, anyOf: [.inPlace]), .needs(.wait, anyOf: [.inPlace]),
    .exclusive([.journal, .noJournal]), .exclusive([.backupDirectory, .noJournal]),
    .needs(.noJournal, anyOf: [.inPlace]), .needs(.journal, anyOf: [.inPlace]),
    .needs(.backupDirectory, anyOf: [.inPlace, .journal]),
  ]
}
