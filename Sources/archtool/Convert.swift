// `archtool convert`: files written in another format.

import CommandLineInterface
import KeyedArchives
import Migrations
import ObjectGraph
import PropertyLists

struct Convert {
  private let session: Session
  private var conversion: Conversion
  private let dataPath: DataPath?

  init(_ session: Session) throws {
    self.session = session
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
    session.forEachInput { (input, storage) throws(ArchiveError) in
      var warnings: [ArchiveError] = []
      let place = OutputPlace(for: input, session.arguments)
      if case .input = place, let kind = SideFile.kind(ofFile: input.path) {
        return session.say("\(input.name): is \(kind); left alone")
      }
      try session.write(to: place, allowing: input.mode) { (output) throws(ArchiveError) in
        warnings = try convert(storage, input, to: &output)
      }
      for warning in warnings {
        session.warn(warning.located(in: storage.bytes), file: input.name)
      }
    }
  }

  /// Converts an input, or the archives in its data values.
  private func convert(
    _ storage: ByteStorage, _ input: Input, to output: inout OutputBuffer
  ) throws(ArchiveError) -> [ArchiveError] {
    guard let dataPath else { return try conversion.run(storage, name: input.name, to: &output) }
    let embedded = try EmbeddedArchives(at: dataPath, in: storage)
    var replacements: [Int: ByteStorage] = [:]
    var warnings: [ArchiveError] = []
    for (position, part) in embedded.parts.enumerated() {
      var converted = OutputBuffer(descriptor: nil)
      warnings += try conversion.run(
        part.storage, name: input.within(part.path).name, to: &converted)
      replacements[position] = ByteStorage(copying: converted.bytes.array)
    }
    let storage = try embedded.replacing(replacements)
    withExtendedLifetime(storage) { output.bytes.append(storage.bytes) }
    return warnings
  }
}
