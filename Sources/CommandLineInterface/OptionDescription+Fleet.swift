// Options of the commands that go through many inputs.

extension OptionDescription {
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

  /// `-j`: how many inputs are worked on at a time.
  public static let jobs = integer(
    "jobs", letter: "j", in: 1...1024,
    help: "Work on N inputs at a time, instead of as many as there are processors.")

  /// `--report`: what became of each file.
  public static let report = text(
    "report", valueName: "REPORT",
    help: "Write what became of each file to REPORT as a line of JSON, the counts as the last line."
  )

  /// `--no-progress`: no bar and no counts on the way.
  public static let noProgress = flag(
    "no-progress", help: "Do not tell on the way how many files are done.")

  /// `--records`: archives in lines of JSON.
  public static let records = flag(
    "records",
    help: "Read records from standard input, an object with Base64 'data' a line, and answer each.")

  /// The options that say which files are read.
  static let selection: [OptionDescription] = [.recursive, .include, .exclude, .filesFrom, .null]

  /// The options of commands that rewrite many files.
  static let fleet: [OptionDescription] = [
    .jobs, .failFast, .report, .noProgress, .allowEmpty,
  ]
}
