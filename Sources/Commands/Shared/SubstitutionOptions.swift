// Options that rename, remove and set parts of archives.

import CommandLineInterface

extension OptionDescription {
  static let renameClass = text(
    "rename-class", letter: "c", valueName: "OLD=NEW", isRepeatable: true,
    completedFrom: .renamings,
    help: """
      Rename the class OLD to NEW. In NEW, * and ? stand for what they match in OLD; without \
      them, all classes that OLD matches get one name.
      """)

  static let setArchiver = text(
    "set-archiver", valueName: "NAME",
    completedFrom: .nothing,
    help: "Set the archiver's name to NAME. Most archives have NSKeyedArchiver.")

  static let dropClass = text(
    "drop-class", valueName: "NAME", isRepeatable: true,
    completedFrom: .classes,
    help: """
      Replace each object of the class NAME with nil. In NAME, * matches any characters and \
      ? matches one.
      """)

  static let renameKey = text(
    "rename-key", valueName: "CLASS.OLD=NEW", isRepeatable: true,
    help: "Rename the field OLD of CLASS to NEW. OLD is what follows the last dot.")

  static let renameTop = text(
    "rename-top", valueName: "OLD=NEW", isRepeatable: true,
    help: "Rename the top-level key OLD to NEW. Most archives have root.")

  static let prune = flag(
    "prune",
    help: """
      Remove objects that nothing refers to. These include dropped objects and what only \
      they refer to.
      """)

  static let unless = text(
    "unless", valueName: "PATTERN", isRepeatable: true,
    completedFrom: .classes,
    help: "Leave classes alone whose names match PATTERN. This overrides every rule.")

  /// The options that are substitutions by themselves.
  static let substitutionRules: [OptionDescription] = [
    .renameClass, .setArchiver, .dropClass, .renameKey, .renameTop, .prune,
  ]

  /// All options about substitutions.
  static let substitutions: [OptionDescription] = substitutionRules + [.unless]
}
