// `archtool convert`: files written in another format.

import Basics
import Batches
import CommandLineInterface
import KeyedArchives
import Migrations
import PropertyLists

struct Convert {
  private let session: Session
  private var conversion: Conversion
  private let dataPath: DataPath?
  private let continuation: RewriteContinuation

  init(_ session: Session, _ continuation: RewriteContinuation = RewriteContinuation()) throws {
    self.session = session
    self.continuation = continuation
    let arguments = session.arguments
    let name = arguments.value(of: .conversionTarget) ?? ""
    guard let target = ConversionTarget(rawValue: name) else {
      throw UsageError("'--to' has no format '\(name)'")
    }
    conversion = Conversion(to: target)
    dataPath = try Session.dataPath(arguments)
    conversion.isTyped = arguments.has(.typed)
    conversion.isCompact = arguments.has(.compact)
    conversion.readsTags = !arguments.has(.noTags)
    conversion.allowsJSON5 = arguments.has(.json5)
    for text in arguments.values(of: .keys) {
      // A class name of Objective-C holds no '=', nor does a key that anyone uses.
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
        throw UsageError("'--keys' needs CLASS=KEY,KEY; found '\(text)'", command: "convert")
      }
      let names = parts[1].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      var seen: Set<String> = []
      for name in names where !name.isEmpty && !seen.insert(name).inserted {
        throw UsageError("'--keys' names the key '\(name)' twice in '\(text)'", command: "convert")
      }
      conversion.keys[String(parts[0])] = names
    }
  }

  func run() throws {
    let (arguments, dataPath) = (session.arguments, dataPath)
    let conversion = conversion
    let make: RewriteRun.Maker = { () throws(ArchiveError) in
      let rewriting = ConversionRewriting(conversion)
      return dataPath.map { EmbeddedRewriting(at: $0, rewriting) } ?? rewriting
    }
    guard [.inPlace, .outputDirectory, .dryRun].contains(where: arguments.has) else {
      return try pour(make)
    }
    let run = RewriteRun(
      session, wording: .init(done: "converted", undone: "not converted", verb: "convert"),
      continuation: continuation)
    try run.run(make)
  }

  /// Writes what the inputs become to standard output or one file.
  private func pour(_ make: RewriteRun.Maker) throws {
    var rewriting = try make()
    session.forEachInput { (input, storage) throws(ArchiveError) in
      var warnings: [ArchiveError] = []
      try session.write(to: OutputPlace(of: session.arguments), allowing: input.mode) {
        (output) throws(ArchiveError) in
        if dataPath == nil {
          warnings = try conversion.run(storage, name: input.name, to: &output)
          return
        }
        let source = RewriteInput(storage: storage, name: input.name, path: nil)
        guard case .changed(let archive) = try rewriting.rewrite(source) else {
          return output.bytes.append(storage.bytes)
        }
        output.bytes.append(archive.storage.bytes)
        warnings = archive.warnings
      }
      for warning in warnings {
        session.warn(warning.located(in: storage.bytes), file: input.name)
      }
    }
  }
}
