// `archtool schema show`: a schema as it is written, or the meta-schema.

import Basics
import CommandLineInterface
import PropertyLists
import Schemas

struct SchemaShow {
  private let session: Session

  init(_ session: Session) { self.session = session }

  func run() throws {
    let arguments = session.arguments
    guard arguments.has(.meta) != (arguments.operands.count == 1) else {
      throw UsageError(
        "schema show needs either NAME@VERSION or '--meta'", command: arguments.command.name)
    }
    let place = OutputPlace(of: arguments)
    if arguments.has(.meta) {
      return try session.write(to: place) { output throws(ArchiveError) in
        MetaSchemas.archtool.withUnsafeBytes { output.bytes.append($0) }
      }
    }
    let version = try SchemaSources(arguments).version(arguments.operands[0])
    try session.write(to: place) { output throws(ArchiveError) in
      try version.tree.write(to: &output)
    }
  }
}
