// `archtool validate`: whether files fit a schema, and what is wrong with those that cannot be read.

import Basics
import CommandLineInterface

struct Validate {
  private let session: Session
  private let worker: ValidationWorker
  private let output: ValidationOutput

  init(_ session: Session) throws {
    self.session = session
    worker = try ValidationWorker(session.arguments)
    output = try ValidationOutput(session)
  }

  func run() throws {
    if session.arguments.has(.records) { return try ValidateRecords(session).run() }
    var output = output
    let first = FirstWorker(worker)
    let arguments = session.arguments
    try session.examineInputs(
      until: { output.isEnough },
      { () throws(ArchiveError) in
        if let worker = first.take() { return worker.examiner }
        return try ValidationWorker.another(arguments).examiner
      },
      take: { (files: [ValidatedFile]) in
        for file in files where !output.isEnough { output.add(file) }
      })
    try output.finish()
  }
}
