// `archtool schema swift`: Codable types for a schema.

import Basics
import CommandLineInterface
import Schemas

struct SchemaSwift {
  private let session: Session
  private let version: SchemaVersion

  init(_ session: Session) throws {
    self.session = session
    version = try SchemaSources(session.arguments).version(session.arguments.operands[0])
  }

  func run() throws {
    let name = session.arguments.value(of: .typeName) ?? defaultName
    let source = try source(typeName: name)
    try session.write(to: OutputPlace(of: session.arguments)) { output throws(ArchiveError) in
      output.bytes.append(source)
    }
  }

  private func source(typeName: String) throws(ArchiveError) -> String {
    do throws(ArchiveError) {
      return try SwiftSource(schema: version.tree, typeName: typeName).source()
    } catch {
      throw error.inFile(session.arguments.operands[0])
    }
  }

  /// The family's name, or that of the schema file up to its first dot.
  private var defaultName: String {
    version.family.isEmpty ? String(version.name.prefix { $0 != "." }) : version.family
  }
}
