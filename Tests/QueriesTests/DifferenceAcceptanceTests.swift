// Files and what is made of them: nothing differs after a conversion, and one thing after an edit.

import ArchiveBasics
import ArchiveEditing
import ArchiveGraph
import ArchivePropertyLists
import ArchiveQueries
import ArchiveWriting
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct DifferenceAcceptanceTests {
  private static func differences(_ old: ObjectGraph, _ new: ObjectGraph) throws -> [String] {
    var lines: [String] = []
    try Difference.report(between: old, and: new, options: DifferenceOptions()) {
      (difference) throws(ArchiveError) in
      let path = difference.newPath ?? difference.oldPath
      lines.append("\(difference.kind.rawValue) \(path?.description ?? "-")")
    }
    return lines
  }

  private static let archives = TestArchives.all.filter {
    $0.decodable && ((try? $0.url.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0) < 100_000
  }

  /// Every archive in every encoding and envelope that represents it.
  @Test(arguments: archives) func conversionsDoNotDiffer(_ entry: ManifestEntry) throws {
    let storage = ByteStorage(copying: Array(try Data(contentsOf: entry.url)))
    let graph = try ArchiveReader().read(storage)
    #expect(try Self.differences(graph, try ArchiveReader().read(storage)).isEmpty)
    var done = 0
    for target in ConversionTarget.allCases where ![.swift, .objectiveC].contains(target) {
      for isTyped in target == .json ? [true, false] : [false] {
        var conversion = Conversion(to: target)
        conversion.isTyped = isTyped
        var output = OutputBuffer(descriptor: nil)
        do {
          let notes = try conversion.run(storage, name: "test", to: &output)
          if !notes.warnings.isEmpty { continue }
        } catch {
          continue
        }
        done += 1
        if isTyped {
          // Tags are interpreted by a conversion.
          let text = ByteStorage(copying: output.bytes.array)
          output = OutputBuffer(descriptor: nil)
          _ = try Conversion(to: .binary).run(text, name: "test", to: &output)
        }
        let made = try ArchiveReader().read(ByteStorage(copying: output.bytes.array))
        let found = try Self.differences(graph, made)
        #expect(found.isEmpty, "\(target.rawValue): \(found.prefix(3))")
      }
    }
    #expect(done > 0)
  }

  // MARK: Edits

  /// Lists and dictionaries of texts and numbers, with the paths of its texts.
  private struct TextTree {
    var numbers: SeededNumbers
    var paths: [(pointer: String, steps: [Any])] = []

    mutating func value(_ depth: Int, _ steps: [Any]) -> Any {
      let kind = depth > 2 ? 2 + numbers.below(3) : numbers.below(5)
      switch kind {
      case 0:
        return (0..<1 + numbers.below(5)).map { value(depth + 1, steps + [$0]) }
      case 1:
        var members: [String: Any] = [:]
        for name in ["a", "b c", "é", "x/y", "$z"].prefix(1 + numbers.below(5)) {
          members[name] = value(depth + 1, steps + [name])
        }
        return members
      case 2: return numbers.below(1000)
      default:
        let tokens = steps.map { "\($0)".replacingOccurrences(of: "/", with: "~1") }
        paths.append((tokens.map { "/" + $0 }.joined(), steps))
        return "text \(numbers.below(20))"
      }
    }
  }

  /// The edited archive differs there alone, and NSKeyedUnarchiver finds the new value there.
  @Test func editsAreTheOneDifference() throws {
    let folder = try TemporaryFolder()
    var done = 0
    for seed in 0..<60 {
      var tree = TextTree(numbers: SeededNumbers(seed: UInt64(seed)))
      let root =
        ["first": tree.value(0, ["first"]), "list": [tree.value(0, ["list", 0])]] as [String: Any]
      guard !tree.paths.isEmpty else { continue }
      let path = tree.paths[tree.numbers.below(tree.paths.count)]
      let archiver = NSKeyedArchiver(requiringSecureCoding: false)
      archiver.encode(root, forKey: NSKeyedArchiveRootObjectKey)
      let storage = ByteStorage(copying: Array(archiver.encodedData))
      // Foundation's archiver writes equal lists once.
      var document = EditedDocument(storage, sharing: .copied)
      let value = TypedValueText.value(seed)
      try document.apply([
        DocumentEdit(
          .set(.typed(try TypedValue(json: value))), at: try ValuePath(parsing: path.pointer))
      ])
      let (old, new) = (
        try ArchiveReader().read(storage), try ArchiveReader().read(document.storage)
      )
      let found = try Self.differences(old, new)
      let resolved = try ValuePath(parsing: path.pointer).resolve(in: new).path.description
      // A text that becomes a list is another element.
      let isOther = found == ["removed \(resolved)", "added \(resolved)"]
      #expect(isOther || found == ["changed \(resolved)"], "\(seed) \(path.pointer)")
      let file = folder.file("edited")
      try Data(document.storage.bytes).write(to: file)
      let judge = try Program.run("FoundationJudge", ["dictionary", file.path])
      #expect(judge.status == 0, "\(judge.errors)")
      var node = try JSONSerialization.jsonObject(with: judge.output, options: .fragmentsAllowed)
      for step in path.steps {
        switch step {
        case let index as Int: node = try #require((node as? [Any])?[index])
        default: node = try #require((node as? [String: Any])?["\(step)"])
        }
      }
      let wanted = try JSONSerialization.jsonObject(
        with: Data(value.utf8), options: .fragmentsAllowed)
      #expect(node as? NSObject == wanted as? NSObject, "\(seed) \(path.pointer)")
      done += 1
    }
    #expect(done > 40)
  }
}

private enum TypedValueText {
  /// A value of some type.
  static func value(_ number: Int) -> String {
    ["\"new \(number)\"", "-\(number + 5000)", "true", "0.5", "[1,\"é\"]", "{\"k\":[]}"][number % 6]
  }
}
