// Rules between options that several commands share.

import CommandLineInterface

extension OptionRule {
  static func singleOperand(_ option: OptionDescription) -> OptionRule {
    .oneOperand(option, lists: [.filesFrom])
  }

  /// The option allows only one operand, and none of the options for runs over many files.
  static func ofOneFile(_ option: OptionDescription) -> [OptionRule] {
    let many =
      OptionDescription.selection + OptionDescription.inputKinds + [
        .failFast, .report, .noProgress,
      ]
    return [singleOperand(option)] + exclusive([option], with: many)
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
  static let forAll: [OptionRule] = [
    .namesInputs(.filesFrom), .needs(.null, anyOf: [.filesFrom]),
    .exclusive([.archivesOnly, .json5]), .exclusive([.archivesOnly, .skip]),
  ]

  static let substitutions: [OptionRule] = [
    .needs(.unless, anyOf: [.renameClass, .dropClass, .renameKey])
  ]

  /// The rules for the options of commands that rewrite archives; the result for one file may go to standard output.
  ///
  /// - Parameter others: options with which several files need no destination for results.
  static func rewriting(orElse others: [OptionDescription] = []) -> [OptionRule] {
    replacing(orElse: others) + rewrittenRecords
      + [
        .manyNeed(
          destinations + [.dryRun] + others + [.records, .resume],
          lists: [.recursive, .filesFrom, .include])
      ]
  }

  static var rewrittenRecords: [OptionRule] {
    records(
      without: OptionDescription.selection + [.inPlace, .outputDirectory]
        + [.dryRun, .journal, .resume, .report, .failFast, .allowEmpty])
  }

  /// Options none of which can be used with any of some others, which may be used together.
  static func exclusive(
    _ options: [OptionDescription], with others: [OptionDescription]
  ) -> [OptionRule] {
    options.flatMap { option in others.map { .exclusive([option, $0]) } }
  }

  private static let destinations: [OptionDescription] = [.output, .inPlace, .outputDirectory]

  /// The rules for what is kept of files that are replaced.
  static let keepingOldFiles: [OptionRule] = [
    .needs(.backup, anyOf: [.inPlace]), .namePart(.backup), .needs(.keepTimes, anyOf: [.inPlace]),
    .exclusive([.journal, .noJournal]), .exclusive([.backupDirectory, .noJournal]),
    .needs(.noJournal, anyOf: [.inPlace]), .needs(.backupDirectory, anyOf: [.inPlace, .journal]),
  ]

  /// The rules for the options about destinations, journals and locks.
  ///
  /// - Parameter others: options with which the destinations are specified elsewhere.
  static func replacing(orElse others: [OptionDescription] = []) -> [OptionRule] {
    [
      .exclusive(destinations), .exclusive([.output, .recursive]),
      .exclusive([.output, .failFast]),
      .needs(
        .force, anyOf: [.output, .outputDirectory] + others.filter { $0 == .outputDatabase }),
      .singleOperand(.output), .filesOnly(.inPlace), .filesOnly(.outputDirectory),
      .needs(.wait, anyOf: [.inPlace, .outputDirectory]),
      .needs(
        .journal, anyOf: [.inPlace, .outputDirectory] + others.filter { $0 != .outputDatabase }),
      .needs(.trust, anyOf: [.resume] + others.filter { $0 == .applyPlan }),
      .replacesOperands(.resume),
    ] + keepingOldFiles
  }
}

// MARK: - The headings under which the help of every command lists its options

enum OptionHeadings {
  /// All headings, in the order in which help shows them.
  static let all: [OptionHeading] = [
    (
      "Conversion", [.conversionTarget, .plain, .keys, .noTags, .controlCharacters]
    ),
    ("Versions", [.from, .to, .via, .family]),
    (
      "Schemas",
      [
        .schema, .targetSchema, .schemaFile, .comparedFamily, .inferredFamily, .inferredVersion,
        .schemaFolders, .envelope, .like, .lensSamples, .interactive, .assertFormats, .meta,
        .outputForm,
        .title, .open, .ranges, .noEnums, .noFormats, .eras,
        .models, .notes, .compatibility, .tries, .sampleNumber, .seed,
      ]
    ),
    (
      "Pictures",
      [.graphRoot, .collapse, .classGraph, .maximumBoxes, .comparedFile]
    ),
    ("Lost values", [.allowLoss, .strictLosses, .keepLost, .keepLostInside]),
    (
      "Values",
      [
        .asString, .asInteger, .asReal, .asBoolean, .asDate, .asData, .asJSON, .fromFile, .edits,
      ]
    ),
    ("Editing", [.shared, .copyShared, .checkResult]),
    ("Renaming", OptionDescription.substitutions),
    ("Checks", [.requireSchema, .formatOnly, .lint, .allowedClasses]),
    (
      "Conditions",
      [
        .ignore, .tolerance, .strictComparison, .keyBy, .findClass, .findKey, .findText,
        .ignoreCase,
        .findValue,
        .findType, .between, .allow,
        .only,
      ]
    ),
    (
      "Results",
      [
        .stat, .maximumLines, .allPaths, .first, .count, .filesWithMatches, .exists, .type, .expect,
        .defaultText,
      ]
    ),
    (
      "Input",
      [.at] + OptionDescription.selection
        + OptionDescription.inputKinds + [.allowEmpty, .skip, .json5, .recover, .passwordFile]
    ),
    (
      "Output",
      [
        .dumpFormat, .queryFormat, .getFormat, .findFormat, .diffFormat, .classFormat,
        .graphFormat,
        .scanFormat, .column, .csvPlain,
        .validationFormat,
        .reportFormat, .typedForm, .typed, .compact, .references, .bytes, .raw, .unreachable,
        .noNested, .depth, .maximumItems, .lineWidth, .timeZone, .offsets, .hex, .structure,
        .explain,
        .maximumErrors, .ruleSeverity, .failOn,
        .listFiles, .className, .classOf, .openStorage, .plainContainers, .fetchedAt, .typeName,
        .migrating, .testsFolder, .module,
        .output, .outputDirectory, .outputDatabase, .resultFolder,
        .extractDirectory, .resources, .fileExtension,
        .familyDirectory, .sampleFolder, .force,
      ]
    ),
    (
      "Replacing files",
      [.dryRun, .plan, .applyPlan, .inPlace, .backup, .keepTimes, .wait]
    ),
    (
      "Journals",
      [
        .journal, .noJournal, .backupDirectory, .resume, .trust, .lastRun, .dryUndo, .forceUndo,
        .olderThan, .unfinished, .dryPrune,
      ]
    ),
    ("Many files", [.jobs, .failFast, .report, .noProgress, .records, .dataKey]),
    ("General", [.color, .noPager, .quiet, .quietDiff, .help]),
  ]
}

extension CommandDescription {
  static let help = CommandDescription.help(examples: [
    "archtool help migrate": "Show how to migrate archives."
  ])
}
