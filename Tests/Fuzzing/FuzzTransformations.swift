// Operations that change archives: replacement of names, and every target of a conversion.

import ArchiveBasics
import ArchiveEditing
import ArchiveGraph
import ArchivePropertyLists
import ArchiveSchemas
import ArchiveWriting
import KeyedArchives

@testable import ArchiveMigrations

enum FuzzTransformations {
  // MARK: rename-class

  /// Rules that nearly every archive has something for, a few of each kind.
  private static let usualRules: [Substitutions] = [
    ["-c", "*=X*"], ["-c", "NS?*=Demo.?*", "-k", "*.NS.objects=objects"],
    ["-d", "*Date"], ["-d", "Demo.*", "-a", "Archiver"], ["-k", "NSDictionary.NS.keys=k"],
    ["-c", "NSDictionary=NSArray", "-d", "NSString", "-k", "*.a=b", "-a", "NSKeyedArchiver"],
  ].compactMap { rules($0) }

  /// The first line may hold rules, an option and a rule in turn; without one, the usual rules are applied.
  static func feedRules(_ storage: ByteStorage) {
    guard storage.bytes.first == UInt8(ascii: "-") else {
      var choice = FuzzChoice(storage)
      for rules in choice.among(usualRules) { substitute(rules, storage) }
      return
    }
    let (line, rest) = split(storage)
    let words = line.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
    if let rules = rules(words) { substitute(rules, rest) }
  }

  private static func rules(_ words: [String]) -> Substitutions? {
    var values: [String: [String]] = [:]
    for index in stride(from: 0, to: words.count - 1, by: 2) {
      values[words[index], default: []].append(words[index + 1])
    }
    do throws(ArchiveError) {
      return try Substitutions(
        classRenames: values["-c"] ?? [], archiver: values["-a"]?.last,
        droppedClasses: values["-d"] ?? [], keyRenames: values["-k"] ?? [])
    } catch {
      return nil
    }
  }

  private static func substitute(_ rules: Substitutions, _ storage: ByteStorage) {
    do throws(ArchiveError) {
      var rewriting = RenameRewriter(rules, limits: limits)
      guard
        case .changed(let archive) = try rewriting.rewrite(
          RewriteInput(storage: storage, name: "fuzz", path: nil))
      else { return }
      mustBeRead(archive.storage)
    } catch {}
  }

  /// A rewriting proves what it gives out, so that it is read again.
  static func mustBeRead(_ storage: ByteStorage) {
    do throws(ArchiveError) { _ = try ArchiveReader(limits: limits).read(storage) } catch {
      if error.code != .limit { fatalError("rewritten: \(error)") }
    }
  }

  // MARK: convert

  /// Every format, and typed JSON.
  private static let conversions: [Conversion] =
    ConversionTarget.allCases.map { conversion(to: $0, isTyped: false) } + [
      conversion(to: .json, isTyped: true)
    ]

  private static func conversion(to target: ConversionTarget, isTyped: Bool) -> Conversion {
    var conversion = Conversion(to: target, limits: limits)
    conversion.isTyped = isTyped
    conversion.isCompact = isTyped
    conversion.keys = ["Thing": ["a", "", "b"]]
    return conversion
  }

  /// Writes an input in a format, in a manner that `convert` offers.
  static func feedConversions(_ storage: ByteStorage) {
    var choice = FuzzChoice(storage)
    for conversion in choice.among(conversions) {
      var output = OutputBuffer(descriptor: nil, limit: limits.outputBytes)
      do throws(ArchiveError) {
        _ = try conversion.run(storage, name: "fuzz", to: &output)
      } catch { continue }
      let isSource = conversion.target == .swift || conversion.target == .objectiveC
      if !isSource, !output.hasProblem { mustBeRead(output, conversion.target) }
    }
  }

  private static func mustBeRead(_ output: borrowing OutputBuffer, _ target: ConversionTarget) {
    let storage = ByteStorage(copying: Array(output.bytes.bytes))
    do throws(ArchiveError) {
      _ = try ArchiveReader(limits: limits).read(storage, resolving: false, nested: false)
    } catch {
      if error.code != .limit { fatalError("\(target): \(error)") }
    }
  }
}

/// The first line of an input, and what stands behind it.
func split(_ storage: ByteStorage) -> (line: [UInt8], rest: ByteStorage) {
  let bytes = storage.bytes
  let end = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
  return (Array(bytes[..<end]), ByteStorage(copying: Array(bytes[min(end + 1, bytes.count)...])))
}
