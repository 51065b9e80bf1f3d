// Options that rename, take out and set what archives are made of.

import CommandLineInterface

extension OptionDescription {
  /// `-c`, `--rename-class`: a class gets another name.
  public static let renameClass = text(
    "rename-class", letter: "c", valueName: "OLD=NEW", isRepeatable: true,
    help: """
      Rename the class OLD to NEW. In NEW, * and ? stand for what they match in OLD; without \
      them, all classes that OLD matches get one name.
      """)

  /// `--set-archiver`: the archiver gets another name.
  public static let setArchiver = text(
    "set-archiver", valueName: "NAME",
    help: "Set the archiver's name to NAME. Most archives have NSKeyedArchiver.")

  /// `--drop-class`: the objects of a class become nil.
  public static let dropClass = text(
    "drop-class", valueName: "NAME", isRepeatable: true,
    help: """
      Replace each object of the class NAME with nil. In NAME, * matches any characters and \
      ? matches one.
      """)

  /// `--rename-key`: a key of a class's fields gets another name.
  public static let renameKey = text(
    "rename-key", valueName: "CLASS.OLD=NEW", isRepeatable: true,
    help: "Rename the field OLD of CLASS to NEW. OLD is what follows the last dot.")

  /// `--rename-top`: a top-level key gets another name.
  public static let renameTop = text(
    "rename-top", valueName: "OLD=NEW", isRepeatable: true,
    help: "Rename the top-level key OLD to NEW. Most archives have root.")

  /// `--prune`: what nothing reaches is removed.
  public static let prune = flag(
    "prune",
    help: """
      Remove objects that nothing refers to. These include dropped objects and what only \
      they refer to.
      """)

  /// `--unless`: classes that the rules leave alone.
  public static let unless = text(
    "unless", valueName: "PATTERN", isRepeatable: true,
    help: "Leave classes alone whose names match PATTERN. This overrides every rule.")

  /// Those that substitute something by themselves.
  static let substitutionRules: [OptionDescription] = [
    .renameClass, .setArchiver, .dropClass, .renameKey, .renameTop, .prune,
  ]

  /// All of them.
  static let substitutions: [OptionDescription] = substitutionRules + [.unless]
}
