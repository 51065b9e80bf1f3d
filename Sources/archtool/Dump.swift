// `archtool dump`: what files hold, as a tree or as JSON.

import CommandLineInterface
import KeyedArchives
import ObjectGraph
import PropertyLists
import Rendering

struct Dump {
  private let session: Session
  private let isRaw: Bool
  private let isJSON: Bool
  private let depth: Int?

  init(_ session: Session) throws {
    self.session = session
    let arguments = session.arguments
    isRaw = arguments.has(.raw)
    isJSON = arguments.value(of: .dumpFormat) == "json"
    depth = try arguments.integer(of: .depth)
  }

  func run() throws {
    guard let path = session.arguments.value(of: .output), path != "-" else {
      return session.forEachInput { (input, storage) throws(ArchiveError) in
        let graph = try read(input, storage)
        try show(graph, input, to: &session.output, style: terminalStyle)
      }
    }
    // The file is whole or absent: it is written when every input was shown.
    var output = OutputBuffer(descriptor: nil)
    session.forEachInput { (input, storage) throws(ArchiveError) in
      let graph = try read(input, storage)
      try show(graph, input, to: &output, style: .plain)
    }
    do throws(ArchiveError) {
      let existing: AtomicFile.Existing = session.arguments.has(.force) ? .replace : .refuse
      try AtomicFile.write(output.bytes.bytes, to: path, existing: existing)
    } catch {
      session.report(error, file: path)
    }
  }

  private var terminalStyle: TerminalStyle {
    TerminalStyle(session.arguments.colorChoice, descriptor: 1)
  }

  /// Reads an input; what it warns of is said before anything of it is shown.
  private func read(_ input: Input, _ storage: ByteStorage) throws(ArchiveError) -> ObjectGraph {
    let nested = !isRaw && !session.arguments.has(.noNested)
    let graph = try session.reader.read(storage, resolving: !isRaw, nested: nested)
    for warning in graph.warnings { session.warn(warning, file: input.name) }
    session.reportRoot(of: graph, file: input.name)
    return graph
  }

  private func show(
    _ graph: ObjectGraph, _ input: Input, to output: inout OutputBuffer, style: TerminalStyle
  ) throws(ArchiveError) {
    if isJSON {
      let options = JSONWriter.Options(
        isTyped: session.arguments.has(.typed), isCompact: session.arguments.has(.compact),
        depth: depth)
      return try JSONWriter.write(graph.root, of: graph, options: options, to: &output)
    }
    if session.arguments.operands.count > 1 || session.arguments.has(.recursive) {
      output.bytes.append(style.bold("\(input.name):") + "\n")
    }
    let options = TreeRenderer.Options(depth: depth, isColoured: style.isOn)
    try TreeRenderer.render(graph.root, of: graph, options: options, to: &output)
  }
}
