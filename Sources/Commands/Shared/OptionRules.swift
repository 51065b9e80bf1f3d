// What holds between options that several commands share.

import CommandLineInterface

extension OptionRule {
  /// The option goes with one operand only.
  static func singleOperand(_ option: OptionDescription) -> OptionRule {
    .oneOperand(option, lists: [.filesFrom])
  }

  /// With more than one input, one of these options must be given.
  static func severalNeed(_ options: [OptionDescription]) -> OptionRule {
    .manyNeed(options, lists: [.recursive, .filesFrom])
  }

  /// The option stands for the inputs: there are no operands, nor what else names or selects files.
  static func replacesOperands(_ option: OptionDescription) -> OptionRule {
    .replaces(option, selection: OptionDescription.selection)
  }

  /// What holds for every command that has the options.
  static let forAll: [OptionRule] = [.namesInputs(.filesFrom), .needs(.null, anyOf: [.filesFrom])]

  /// What holds between the options that put names in the place of others.
  static let substitutions: [OptionRule] = [
    .needs(.unless, anyOf: [.renameClass, .dropClass, .renameKey])
  ]

  /// What holds between the options of commands that rewrite archives.
  ///
  /// - Parameter others: options in whose presence no place for results need be named.
  static func rewriting(orElse others: [OptionDescription] = []) -> [OptionRule] {
    [.oneOf(places + [.dryRun] + others + [.records, .resume])] + replacing(orElse: others)
      + [.replacesOperands(.records)]
      + (places + [.dryRun, .journal, .resume, .report, .failFast, .allowEmpty]).map {
        .exclusive([.records, $0])
      }
  }

  /// Where the results of commands that rewrite archives go.
  private static let places: [OptionDescription] = [.output, .inPlace, .outputDirectory]

  /// What holds between the options about places, journals and locks.
  ///
  /// - Parameter others: options in whose presence the places are named elsewhere.
  static func replacing(orElse others: [OptionDescription] = []) -> [OptionRule] {
    [
      .exclusive(places), .exclusive([.output, .recursive]), .exclusive([.output, .failFast]),
      .needs(.backup, anyOf: [.inPlace]), .namePart(.backup),
      .needs(.force, anyOf: [.output, .outputDirectory]),
      .singleOperand(.output), .filesOnly(.inPlace), .filesOnly(.outputDirectory),
      .needs(.keepTimes, anyOf: [.inPlace]), .needs(.wait, anyOf: [.inPlace, .outputDirectory]),
      .exclusive([.journal, .noJournal]), .exclusive([.backupDirectory, .noJournal]),
      .needs(.noJournal, anyOf: [.inPlace]),
      .needs(.journal, anyOf: [.inPlace, .outputDirectory] + others),
      .needs(.backupDirectory, anyOf: [.inPlace, .journal]),
      .needs(.trust, anyOf: [.resume] + others.filter { $0 == .applyPlan }),
      .replacesOperands(.resume),
    ]
  }
}
