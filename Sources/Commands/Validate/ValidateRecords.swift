// `archtool validate --records`: archives in lines of JSON.

import Basics
import CommandLineInterface
import KeyedArchives
import Migrations
import Schemas

struct ValidateRecords {
  private let session: Session
  private let limit: Int

  init(_ session: Session) throws {
    self.session = session
    limit = try session.arguments.integer(of: .maximumErrors) ?? 0
    // Invalid schemas and schema names are reported before anything is read.
    _ = try Validation(session.arguments)
  }

  func run() throws {
    let arguments = session.arguments
    try session.answerRecords { [limit] () throws(ArchiveError) in
      do {
        return ValidatingRecords(
          try Validation(arguments),
          reader: ArchiveReader(allowsJSON5: arguments.has(.json5)), limit: limit,
          requiresSchema: arguments.has(.requireSchema))
      } catch {
        throw ArchiveError(error)
      }
    }
  }
}
