// `archtool extract`, `archtool insert` and `archtool merge`: archives taken apart and put together.

import Basics
import Batches
import CommandLineInterface
import KeyedArchives
import ObjectGraph

struct Extract {
  private let session: Session
  private let path: GraphPath

  init(_ session: Session) throws {
    self.session = session
    path = try session.path(session.arguments.operands[0])
  }

  func run() {
    let file = session.arguments.operands[1]
    session.make(of: file) { (storage) throws(ArchiveError) in
      try ArchiveExtraction.extract(path, from: storage)
    }
  }
}

struct Insert {
  private let session: Session
  private let path: GraphPath

  init(_ session: Session) throws {
    self.session = session
    path = try session.path(session.arguments.operands[0])
  }

  func run() throws {
    let operands = session.arguments.operands
    if operands[1] == "-", operands[2] == "-" {
      throw UsageError("standard input ('-') can be read only once", command: "insert")
    }
    do throws(ArchiveError) {
      let part = try Input(operand: operands[1]).open(session.streams)
      session.make(of: operands[2]) { (storage) throws(ArchiveError) in
        try ArchiveInsertion.insert(part, at: path, into: storage)
      }
    } catch {
      session.report(error, file: Input(operand: operands[1]).name)
    }
  }
}

struct Merge {
  private let session: Session
  private let files: [(key: String, file: String)]

  init(_ session: Session) throws {
    self.session = session
    files = try session.arguments.operands.map { operand throws(UsageError) in
      let parts = operand.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
        throw UsageError("merge needs KEY=FILE; found '\(operand)'", command: "merge")
      }
      return (String(parts[0]), String(parts[1]))
    }
    var seen: Set<[UInt8]> = []
    for (key, _) in files where !seen.insert(Array(key.utf8)).inserted {
      throw UsageError("the key '\(key)' is given twice", command: "merge")
    }
    if files.count(where: { $0.file == "-" }) > 1 {
      throw UsageError("standard input ('-') can be read only once", command: "merge")
    }
  }

  func run() {
    var current = files.first?.file ?? ""
    var isWriting = false
    do throws(ArchiveError) {
      var parts: [(key: String, storage: ByteStorage)] = []
      for (key, file) in files {
        current = file
        parts.append((key, try Input(operand: file).open(session.streams)))
      }
      let merged = try ArchiveMerge.merge(parts) { current = files[$0].file }
      isWriting = true
      try session.write(to: OutputPlace(of: session.arguments), merged)
    } catch {
      let output = OutputPlace(of: session.arguments).name
      session.report(error, file: isWriting ? output : Input(operand: current).name)
    }
  }
}

extension Session {
  /// The path that an operand spells.
  func path(_ text: String) throws(UsageError) -> GraphPath {
    do {
      return try GraphPath(parsing: text)
    } catch {
      throw UsageError(
        "'\(text)' is no path: \(error.message)", command: arguments.command.name)
    }
  }

  /// Makes a result of a file and writes it to its place.
  func make(
    of file: String, _ make: (ByteStorage) throws(ArchiveError) -> ByteStorage
  ) {
    let input = Input(operand: file)
    do throws(ArchiveError) {
      let result = try make(try input.open(streams))
      try write(to: OutputPlace(for: input, arguments), result)
    } catch {
      report(error, file: input.name)
    }
  }
}
