// `archtool schema infer`: a schema from example archives.

import Basics
import Batches
import CommandLineInterface
import KeyedArchives
import PropertyLists
import Rendering
import Schemas

struct SchemaInfer {
  private let session: Session
  private var inference: SchemaInference

  init(_ session: Session) {
    self.session = session
    let arguments = session.arguments
    var options = SchemaInference.Options()
    options.isOpen = arguments.has(.open)
    options.hasRanges = arguments.has(.ranges)
    if arguments.has(.noEnums) { options.enumValues = 0 }
    if !arguments.has(.noFormats) {
      options.acceptsFormat = { name, text in
        StringFormat(rawValue: name)?.accepts(text) ?? false
      }
    }
    inference = SchemaInference(options: options)
  }

  func run() throws {
    var inference = inference
    session.forEachInput { (input, storage) throws(ArchiveError) in
      let graph = try session.reader().read(storage)
      do throws(ArchiveError) {
        try inference.add(graph)
      } catch {
        guard error.code == .mismatch else { throw error }
        session.complain(error.line(file: input.name))
        session.merge(.answerIsNo)
      }
    }
    // A schema of some examples would not fit the others.
    guard session.status == .done else { return }
    let arguments = session.arguments
    let family = arguments.value(of: .inferredFamily)
    let version = arguments.value(of: .inferredVersion)
    let tree = try inference.schema(
      family: family ?? "Model", version: version ?? "v1", title: arguments.value(of: .title))
    guard let family, let version else {
      return try session.write(to: OutputPlace(of: arguments)) { output throws(ArchiveError) in
        try tree.write(to: &output)
      }
    }
    let folder = arguments.value(of: .familyDirectory) ?? "."
    do throws(ArchiveError) {
      try FamilyWriter(folder: folder).write(
        tree, family: family, version: version, title: arguments.value(of: .title),
        replacing: arguments.has(.force))
    } catch {
      // A name that cannot be one is a wrong command line.
      if error.code == .outOfRange { throw UsageError(error.message) }
      throw error
    }
    session.say(
      "\(folder == "." ? "" : folder + "/")\(family): wrote \(family)@\(version) from \(Counted.text(inference.exampleCount, "example"))"
    )
  }
}
