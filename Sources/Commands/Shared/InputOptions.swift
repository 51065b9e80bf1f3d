// Options that say what is read.

import Batches
import CommandLineInterface

extension OptionDescription {
  /// `-r`: folders are read.
  public static let recursive = flag(
    "recursive", letter: "r",
    help: "Read every regular file in the folders that are named, but those of archtool itself.")

  /// `--files-from`: lists of inputs.
  public static let filesFrom = text(
    "files-from", valueName: "LIST", isRepeatable: true,
    help: "Read the files as well that the lines of LIST name, or of standard input for '-'.")

  /// `-0`: lists are separated by zero bytes.
  public static let null = flag(
    "null", letter: "0", help: "Take a zero byte for the end of each path in LIST, not a newline.")

  /// `--include`: the only files to read.
  public static let include = text(
    "include", valueName: "GLOB", isRepeatable: true,
    help: "Read only files whose name matches GLOB, or whose path does if GLOB has a slash.")

  /// `--exclude`: files not to read.
  public static let exclude = text(
    "exclude", valueName: "GLOB", isRepeatable: true,
    help: "Leave out files and folders that match GLOB, even if they are included.")

  /// `--allow-empty`: no input is no error.
  public static let allowEmpty = flag(
    "allow-empty", help: "Exit with 0 although no file matched, instead of with 66.")

  /// `--at`: the archives in data values of each file.
  public static let at = text(
    "at", valueName: "PATH",
    help: "Take the archives in the data values at PATH, such as $.CACHED or $.items[*].")

  /// `--json5`: JSON inputs may be JSON5.
  public static let json5 = flag(
    "json5", help: "Read JSON inputs as JSON5: comments, bare keys, trailing commas and the like.")

  /// The options that say which files are read.
  static let selection: [OptionDescription] = [.recursive, .include, .exclude, .filesFrom, .null]

  /// The options that every command over archives takes.
  static let common: [OptionDescription] = selection + [.color, .quiet, .help]
}

extension CommandDescription.Operands {
  /// Any number of files, at least one.
  static let files = CommandDescription.Operands(name: "FILE", minimum: 1, maximum: nil)
}

extension ParsedArguments {
  /// The inputs; what the command writes into a folder is none.
  public var selection: InputSelection {
    var selection = InputSelection(
      operands: operands, isRecursive: has(.recursive), lists: values(of: .filesFrom))
    selection.isNullSeparated = has(.null)
    selection.filter.included = values(of: .include).map(Glob.init)
    selection.filter.excluded = values(of: .exclude).map(Glob.init)
    selection.filter.passedOver = values(of: .outputDirectory) + values(of: .report)
    return selection
  }
}
