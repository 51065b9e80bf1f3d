// The headings under which the help of every command lists its options.

import CommandLineInterface

extension OptionHeading {
  /// All headings, in the order in which help shows them.
  static let all = [
    OptionHeading(
      "Conversion", [.conversionTarget, .plain, .keys, .noTags, .controlCharacters]),
    OptionHeading("Versions", [.from, .to, .via, .family]),
    OptionHeading(
      "Schemas",
      [
        .schema, .targetSchema, .schemaFile, .comparedFamily, .inferredFamily, .inferredVersion,
        .schemaFolders, .assertFormats, .meta, .title, .open, .ranges, .noEnums, .noFormats,
        .models, .notes, .compatibility, .tries, .sampleNumber, .seed,
      ]),
    OptionHeading(
      "Pictures",
      [.graphRoot, .collapse, .classGraph, .maximumBoxes, .comparedFile]),
    OptionHeading("Lost values", [.allowLoss, .strictLosses, .keepLost, .keepLostInside]),
    OptionHeading(
      "Values",
      [
        .asString, .asInteger, .asReal, .asBoolean, .asDate, .asData, .asJSON, .fromFile, .edits,
      ]),
    OptionHeading("Editing", [.shared, .copyShared, .checkResult]),
    OptionHeading("Renaming", OptionDescription.substitutions),
    OptionHeading("Checks", [.requireSchema, .formatOnly, .lint, .allowedClasses]),
    OptionHeading(
      "Conditions",
      [
        .ignore, .tolerance, .keyBy, .findClass, .findKey, .findText, .findValue, .findType, .allow,
        .only,
      ]),
    OptionHeading(
      "Results",
      [.stat, .first, .count, .filesWithMatches, .exists, .type, .expect, .defaultText]),
    OptionHeading(
      "Input",
      [.at] + OptionDescription.selection + [.archivesOnly, .allowEmpty, .json5, .recover]),
    OptionHeading(
      "Output",
      [
        .dumpFormat, .queryFormat, .getFormat, .findFormat, .diffFormat, .classFormat,
        .graphFormat,
        .scanFormat, .csvPlain,
        .validationFormat,
        .reportFormat, .typed, .compact, .raw, .unreachable,
        .noNested, .depth, .maximumItems, .lineWidth, .offsets, .hex, .structure, .explain,
        .maximumErrors, .ruleSeverity, .failOn,
        .listFiles, .className, .classOf, .openStorage, .plainContainers, .fetchedAt, .typeName,
        .output, .outputDirectory, .dumpFolder,
        .extractDirectory, .fileExtension,
        .familyDirectory, .sampleFolder, .force,
      ]),
    OptionHeading(
      "Replacing files",
      [.dryRun, .plan, .applyPlan, .inPlace, .backup, .keepTimes, .wait]),
    OptionHeading(
      "Journals",
      [
        .journal, .noJournal, .backupDirectory, .resume, .trust, .lastRun, .dryUndo, .forceUndo,
        .olderThan, .unfinished, .dryPrune,
      ]),
    OptionHeading("Many files", [.jobs, .failFast, .report, .noProgress, .records]),
    OptionHeading("General", [.color, .noPager, .quiet, .quietDiff, .help]),
  ]
}

extension CommandDescription {
  /// Shows help.
  static let help = CommandDescription.help(examples: [
    Example(command: "archtool help migrate", explanation: "Show how to migrate archives.")
  ])
}
