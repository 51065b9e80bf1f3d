// Options of runs over many files.

import CommandLineInterface

extension OptionDescription {
  /// `-j`: how many inputs are worked on at a time.
  public static let jobs = integer(
    "jobs", letter: "j", in: 1...1024,
    help: "Work on N inputs at a time, instead of as many as there are processors.")

  /// `--fail-fast`: the first file that is not valid is the last.
  public static let failFast = flag(
    "fail-fast", help: "Stop after the first file that is not as it should be.")

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

  /// The options of every run over many files.
  static let batch: [OptionDescription] = [.jobs, .failFast, .report, .noProgress]
}
