// Rules between options that several commands share.

import CommandLineInterface

extension OptionRule {
  /// The option allows only one operand.
  static func singleOperand(_ option: OptionDescription) -> OptionRule {
    .oneOperand(option, lists: [.filesFrom])
  }

  /// If there is more than one input, one of these options is required.
  static func severalNeed(_ options: [OptionDescription]) -> OptionRule {
    .manyNeed(options, lists: [.recursive, .filesFrom])
  }

  /// The option replaces the inputs: operands, and options that name or select files, are not allowed.
  static func replacesOperands(_ option: OptionDescription) -> OptionRule {
    .replaces(option, selection: OptionDescription.selection)
  }

  /// The rules for every command that has the options.
  static let forAll: [OptionRule] = [.namesInputs(.filesFrom), .needs(.null, anyOf: [.filesFrom])]

  /// The rules for the options that replace names.
  static let substitutions: [OptionRule] = [
    .needs(.unless, anyOf: [.renameClass, .dropClass, .renameKey])
  ]

  /// The rules for the options of commands that rewrite archives.
  ///
  /// - Parameter others: options with which no destination for results is required.
  static func rewriting(orElse others: [OptionDescription] = []) -> [OptionRule] {
    [.oneOf(places + [.dryRun] + others + [.records, .resume])] + replacing(orElse: others)
      + [.replacesOperands(.records)]
      + (places + [.dryRun, .journal, .resume, .report, .failFast, .allowEmpty]).map {
        .exclusive([.records, $0])
      }
  }

  /// The same for a command that writes the result for one file to standard output.
  static var rewritingOrShowing: [OptionRule] {
    rewriting().dropFirst()
      + [
        .manyNeed(
          places + [.dryRun, .records, .resume], lists: [.recursive, .filesFrom, .include])
      ]
  }

  /// The destinations of the results of commands that rewrite archives.
  private static let places: [OptionDescription] = [.output, .inPlace, .outputDirectory]

  /// The rules for the options about destinations, journals and locks.
  ///
  /// - Parameter others: options with which the destinations are specified elsewhere.
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
