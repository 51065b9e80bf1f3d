// Options of runs over many files.

import CommandLineInterface

extension OptionDescription {
  /// `-j`: how many inputs are processed at a time.
  package static let jobs = integer(
    "jobs", letter: "j", in: 1...1024,
    help: "Work on N inputs at a time. The default is the number of processors.")

  /// `--fail-fast`: stops at the first file that is not valid.
  package static let failFast = flag(
    "fail-fast", help: "Stop at the first file with a problem.")

  /// `--report`: the outcome of each file.
  package static let report = text(
    "report", valueName: "REPORT",
    help: "Write each file's outcome to REPORT as JSON lines. The last line has the counts.")

  /// `--no-progress`: no bar and no counts during the run.
  package static let noProgress = flag(
    "no-progress", help: "Do not show progress.")

  /// `--records`: archives in lines of JSON.
  package static let records = flag(
    "records",
    help: """
      Process JSON records from standard input. Each line is an object with an archive in \
      Base64 as its member 'data', and gets a line as its answer.
      """)

  /// The options of every run over many files.
  static let batch: [OptionDescription] = [.jobs, .failFast, .report, .noProgress]
}
