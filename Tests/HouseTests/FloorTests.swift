// The layers of the package: which modules a target may import, and that it imports those that it uses.

import Foundation
import TestSupport
import Testing

@Suite struct FloorTests {
  /// A target as Package.swift declares it.
  struct Target: Sendable, CustomTestStringConvertible {
    let name: String
    let dependencies: [String]
    let path: String
    var testDescription: String { name }
  }

  private static let project = TestArchives.root.deletingLastPathComponent()

  /// The targets in the order of the manifest.
  static let all: [Target] = {
    let file = project.appendingPathComponent("Package.swift")
    guard let text = try? String(contentsOf: file, encoding: .utf8),
      let start = text.range(of: "  targets: [")
    else { return [] }
    return text[start.upperBound...].matches(
      of: /\.(target|executableTarget|testTarget|systemLibrary)\(\s*name: "(\w+)"/
    ).map { match in
      let (kind, name) = (match.1, String(match.2))
      let rest = text[match.range.upperBound...]
      let next = rest.firstMatch(of: /\n    \.(target|executable|test|system)\w*\(/)
      let body = rest[..<(next?.range.lowerBound ?? rest.endIndex)]
      let names = list("dependencies: [", in: body).matches(of: /"(\w+)"/).map { String($0.1) }
      let path = body.firstMatch(of: /path: "([^"]+)"/).map { String($0.1) }
      let folder = kind == "testTarget" ? "Tests/" : "Sources/"
      return Target(name: name, dependencies: names, path: path ?? folder + name)
    }
  }()

  /// What stands between a bracket and the one that closes it.
  private static func list(_ start: String, in text: Substring) -> Substring {
    guard let range = text.range(of: start) else { return "" }
    var depth = 1
    let rest = text[range.upperBound...]
    for index in rest.indices {
      if rest[index] == "[" { depth += 1 }
      if rest[index] == "]" { depth -= 1 }
      if depth == 0 { return rest[..<index] }
    }
    return rest
  }

  /// The texts of a target's files by their names.
  private static func files(of target: Target) throws -> [String: String] {
    let folder = project.appendingPathComponent(target.path)
    let walk = try #require(FileManager.default.enumerator(atPath: folder.path))
    var files: [String: String] = [:]
    for case let name as String in walk where name.hasSuffix(".swift") {
      files[name] = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    }
    return files
  }

  private static func imports(of target: Target) throws -> Set<String> {
    var found: Set<String> = []
    for text in try files(of: target).values {
      for match in text.matches(
        of: /(?m)^\s*(?:@\w+(?:\(\w+\))? )?(?:\w+ )?import (?:struct |class |enum )?(\w+)/)
      { found.insert(String(match.1)) }
    }
    return found
  }

  /// The targets that are products, as the manifest lists them.
  private static let products: Set<String> = {
    let file = project.appendingPathComponent("Package.swift")
    guard let text = try? String(contentsOf: file, encoding: .utf8) else { return [] }
    return Set(text.matches(of: /\.library\(name: "(\w+)"/).map { String($0.1) })
  }()

  /// The library for applications has what they need.
  ///
  /// In the two targets below everything, what it shows is public, and what others inline with all that this names: the
  /// compiler does not inline what is `package`.
  @Test(arguments: all.filter { $0.path.hasPrefix("Sources/") })
  func whatIsPublicIsShownOrInlined(_ target: Target) throws {
    if Self.products.contains(target.name) { return }
    var found: [String] = []
    for text in try Self.files(of: target).values {
      found += text.matches(of: /(?m)^\s*(?:@\w+(?:\([^)]*\))?\s+)*public (?!import).*/).map {
        String($0.0)
      }
    }
    let bounds = ["ArchiveBasics": 100, "ArchiveGraph": 190]
    #expect(found.count <= bounds[target.name] ?? 0, "\(found.first ?? "")")
  }

  @Test func theManifestIsRead() {
    #expect(Self.products.contains("ArchiveKit"))
    #expect(
      Self.all.contains {
        $0.name == "ArchtoolCommands" && $0.dependencies.contains("ArchiveSchemas")
      })
    #expect(Self.all.count > 20)
  }

  @Test(arguments: all)
  func importsWhatItNamesAndNothingAbove(_ target: Target) throws {
    let names = Self.all.map(\.name)
    let own = try #require(names.firstIndex(of: target.name))
    // A program that a test starts need not be imported.
    let programs: Set<String> = [
      "archtool", "FoundationJudge", "ListClasses", "TransactionPeer",
    ]
    let named = Set(target.dependencies)
    let imported = try Self.imports(of: target).intersection(names)
    #expect(imported.subtracting(named).isEmpty, "imported without being named")
    #expect(named.subtracting(imported).subtracting(programs).isEmpty, "named and never imported")
    for name in named {
      let place = try #require(names.firstIndex(of: name), "\(name)")
      #expect(place < own, "\(name) is above \(target.name)")
    }
  }
}
