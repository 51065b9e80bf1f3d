// Options that rename, take out and set what archives are made of.

import CommandLineInterface

extension OptionDescription {
  /// `-c`, `--rename-class`: a class gets another name.
  public static let renameClass = text(
    "rename-class", letter: "c", valueName: "OLD=NEW", isRepeatable: true,
    help: """
      Give the class OLD the name NEW; * and ? in NEW stand for what they match in OLD, and without \
      them all that OLD matches gets one name.
      """)

  /// `--set-archiver`: the archiver gets another name.
  public static let setArchiver = text(
    "set-archiver", valueName: "NAME",
    help: "Give NAME for the archiver, such as NSKeyedArchiver.")

  /// `--drop-class`: the objects of a class become nil.
  public static let dropClass = text(
    "drop-class", valueName: "NAME", isRepeatable: true,
    help: "Make every object of the class NAME nil; * and ? match any characters and one.")

  /// `--rename-key`: a key of a class's fields gets another name.
  public static let renameKey = text(
    "rename-key", valueName: "CLASS.OLD=NEW", isRepeatable: true,
    help: "Give the field OLD of the class CLASS the key NEW; OLD begins behind the last dot.")

  /// `--rename-top`: a top-level key gets another name.
  public static let renameTop = text(
    "rename-top", valueName: "OLD=NEW", isRepeatable: true,
    help: "Give what an archive has under the top-level key OLD the key NEW, such as root.")

  /// `--prune`: what nothing reaches is removed.
  public static let prune = flag(
    "prune",
    help: "Remove what nothing in the archive leads to, dropped objects and all that they held.")

  /// `--unless`: classes that the rules leave alone.
  public static let unless = text(
    "unless", valueName: "PATTERN", isRepeatable: true,
    help: "Leave classes alone whose names PATTERN matches, whatever rule matches them.")

  /// Those that substitute something by themselves.
  static let substitutionRules: [OptionDescription] = [
    .renameClass, .setArchiver, .dropClass, .renameKey, .renameTop, .prune,
  ]

  /// All of them.
  static let substitutions: [OptionDescription] = substitutionRules + [.unless]
}
