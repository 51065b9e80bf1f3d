// Options that rename, remove and set parts of archives.

import CommandLineInterface

extension OptionDescription {
  /// `-c`, `--rename-class`: renames a class.
  package static let renameClass = text(
    "rename-class", letter: "c", valueName: "OLD=NEW", isRepeatable: true,
    help: """
      Rename the class OLD to NEW. In NEW, * and ? stand for what they match in OLD; without \
      them, all classes that OLD matches get one name.
      """
  )
  .completed(from: .renamings)

  /// `--set-archiver`: sets the name of the archiver.
  package static let setArchiver = text(
    "set-archiver", valueName: "NAME",
    help: "Set the archiver's name to NAME. Most archives have NSKeyedArchiver."
  )
  .completed(from: .nothing)

  /// `--drop-class`: replaces the objects of a class with nil.
  package static let dropClass = text(
    "drop-class", valueName: "NAME", isRepeatable: true,
    help: """
      Replace each object of the class NAME with nil. In NAME, * matches any characters and \
      ? matches one.
      """
  )
  .completed(from: .classes)

  /// `--rename-key`: renames a key of a class's fields.
  package static let renameKey = text(
    "rename-key", valueName: "CLASS.OLD=NEW", isRepeatable: true,
    help: "Rename the field OLD of CLASS to NEW. OLD is what follows the last dot.")

  /// `--rename-top`: renames a top-level key.
  package static let renameTop = text(
    "rename-top", valueName: "OLD=NEW", isRepeatable: true,
    help: "Rename the top-level key OLD to NEW. Most archives have root.")

  /// `--prune`: removes unreachable objects.
  package static let prune = flag(
    "prune",
    help: """
      Remove objects that nothing refers to. These include dropped objects and what only \
      they refer to.
      """)

  /// `--unless`: classes that the rules skip.
  package static let unless = text(
    "unless", valueName: "PATTERN", isRepeatable: true,
    help: "Leave classes alone whose names match PATTERN. This overrides every rule."
  )
  .completed(from: .classes)

  /// The options that are substitutions by themselves.
  static let substitutionRules: [OptionDescription] = [
    .renameClass, .setArchiver, .dropClass, .renameKey, .renameTop, .prune,
  ]

  /// All options about substitutions.
  static let substitutions: [OptionDescription] = substitutionRules + [.unless]
}
