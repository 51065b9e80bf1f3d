// `archtool create`: an archive made from a service's JSON answer.

import Basics
import Batches
import CommandLineInterface
import KeyedArchives
import Migrations
import PropertyLists
import Rendering
import Schemas

struct Create {
  private let session: Session
  private let creation: ModelCreation

  init(_ session: Session) throws {
    self.session = session
    let catalog = try SchemaSources(session.arguments).catalog()
    let selection = try SchemaSelection(session.arguments.value(of: .targetSchema), in: catalog)
    guard let family = selection.family,
      let version = selection.version ?? selection.family?.versions.last
    else { throw UsageError("'--schema' names a family without versions") }
    try Self.check(session.arguments, version)
    creation = ModelCreation(
      version: version, family: family,
      stamp: session.arguments.value(of: .fetchedAt) ?? MediumDate.now,
      className: session.arguments.value(of: .className))
  }

  /// Refuses what a version has no use for.
  private static func check(
    _ arguments: ParsedArguments, _ version: SchemaVersion
  ) throws(UsageError) {
    if arguments.has(.className), version.envelope != .nscoding {
      throw UsageError(
        "'--class' is for objects of an application's class, which \(version.label) has not",
        command: "create")
    }
    if arguments.has(.fetchedAt), version.tree["properties"]?["fetchedAt"] == nil {
      throw UsageError(
        "'--fetched-at' is for the member fetchedAt, which \(version.label) has not",
        command: "create")
    }
  }

  func run() throws {
    session.forEachInput { (input, storage) throws(ArchiveError) in
      switch try creation.run(storage) {
      case .refused(let violations):
        for violation in violations {
          session.complain(Diagnostic(violation).line(file: input.name))
        }
        session.merge(.answerIsNo)
      case .made(let bytes):
        try place(bytes.bytes, input)
      }
    }
  }

  private func place(
    _ bytes: UnsafeRawBufferPointer, _ input: Input
  ) throws(ArchiveError) {
    let place = OutputPlace(for: input, session.arguments)
    try session.write(to: place, allowing: input.mode) { (output) throws(ArchiveError) in
      output.bytes.append(bytes)
    }
    if place != .standardOutput {
      session.say("\(place.name): made \(creation.version.label)")
    }
  }
}
