// `archtool rename-class`: other names for classes, keys and archivers.

import CommandLineInterface
import KeyedArchives
import Migrations
import ObjectGraph

struct RenameClass {
  private let session: Session
  private let substitutions: Substitutions

  init(_ session: Session) throws {
    self.session = session
    substitutions = try Self.substitutions(session.arguments)
  }

  /// The rules that the options spell.
  static func substitutions(_ arguments: ParsedArguments) throws(UsageError) -> Substitutions {
    do {
      return try Substitutions(
        classRenames: arguments.values(of: .renameClass),
        archiver: arguments.value(of: .setArchiver),
        droppedClasses: arguments.values(of: .dropClass),
        keyRenames: arguments.values(of: .renameKey))
    } catch {
      throw UsageError(error.message, command: arguments.command.name)
    }
  }

  func run() throws {
    var rewriting = SubstitutionRewriting(substitutions)
    session.forEachInput { (input, storage) throws(ArchiveError) in
      let result = try rewriting.rewrite(
        RewriteInput(
          storage: storage, name: input.name, path: input.isStandardInput ? nil : input.path))
      for warning in rewriting.warnings { session.warn(warning, file: input.name) }
      switch result {
      case .unchanged(let reason): session.say("\(input.name): \(reason); left alone")
      case .refused(let reason, _):
        session.complain("\(input.name): error: \(reason)")
        session.merge(.answerIsNo)
      case .changed(let archive): try place(archive, of: input, was: storage.bytes.count)
      }
    }
  }

  /// Writes the new bytes where the options say.
  private func place(
    _ archive: RewrittenArchive, of input: Input, was oldSize: Int
  ) throws(ArchiveError) {
    let arguments = session.arguments
    let bytes = archive.storage.bytes
    let sizes = "\(oldSize) to \(bytes.count) bytes"
    if arguments.has(.dryRun) {
      session.output.bytes.append("\(input.name): would rewrite \(archive.summary), \(sizes)\n")
      return session.output.flushIfFull()
    }
    let place = OutputPlace(for: input, arguments)
    try session.write(to: place) { (output) throws(ArchiveError) in output.bytes.append(bytes) }
    session.say("\(input.name): rewrote \(archive.summary), \(sizes), in \(place.name)")
  }
}
