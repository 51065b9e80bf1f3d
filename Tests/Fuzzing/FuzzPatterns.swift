// Patterns of schemas, lenses and command lines: the first line is a pattern, the remaining text is matched against it.

import ArchiveBasics
import ArchiveBatches
import ArchiveGraph

@testable import ArchiveEditing
@testable import ArchiveMigrations
@testable import ArchivePatterns
@testable import ArchiveSchemas
@testable import KeyedArchives

enum FuzzPatterns {
  static func feed(_ storage: ByteStorage) {
    let (line, rest) = split(storage)
    // Longer ones are longer of the same.
    let pattern = String(decoding: line.prefix(2000), as: UTF8.self)
    let text = String(decoding: rest.bytes.prefix(5000), as: UTF8.self)
    checkRegular(pattern, text)
    checkWildcards(pattern, text)
    checkFolders(pattern, text)
    checkDates(pattern, text)
  }

  // MARK: ECMA-262

  private static func checkRegular(_ source: String, _ text: String) {
    do throws(PatternFault) {
      let pattern = try ECMAPattern(source)
      // Patterns that never end are many once there is one.
      pattern.work = 200_000
      if !ECMAPattern.isWellFormed(source) { fatalError("compiled, but not well-formed") }
      _ = try pattern.matches(text)
      // A text that was made to match does.
      var numbers = SystemRandomNumberGenerator()
      pattern.work = 200_000
      if let made = PatternSample(source)?.text(using: &numbers), try !pattern.matches(made) {
        fatalError("a text that was made for a pattern does not match")
      }
    } catch {
      if error.code == .libraryMissing { fatalError(error.description) }
    }
  }

  // MARK: Wildcards

  private static func checkWildcards(_ source: String, _ text: String) {
    let pattern = WildcardPattern(source)
    if let captures = pattern.captures(in: text) {
      let again = pattern.filled(with: captures)
      if !again.utf8.elementsEqual(text.utf8) {
        fatalError("wildcards do not hold what they match")
      }
    }
    let expected = slowMatch(
      Array(source.unicodeScalars), Array(text.unicodeScalars), hasOnes: true)
    if let expected, pattern.matches(text) != expected { fatalError("a wildcard pattern is wrong") }
    let stars = WildcardPattern(source, hasOnes: false).matches(text)
    let plain = slowMatch(Array(source.unicodeScalars), Array(text.unicodeScalars), hasOnes: false)
    if let plain, stars != plain { fatalError("a name pattern is wrong") }
    do throws(ArchiveError) {
      let rule = try ClassRename(rule: source)
      _ = rule.newName(for: text)
    } catch {}
  }

  /// The definition itself, cell by cell; nil where that takes long.
  private static func slowMatch(
    _ pattern: [Unicode.Scalar], _ text: [Unicode.Scalar], hasOnes: Bool
  ) -> Bool? {
    guard pattern.count * text.count < 20_000 else { return nil }
    var row = [Bool](repeating: false, count: text.count + 1)
    row[0] = true
    for piece in pattern {
      var next = [Bool](repeating: false, count: text.count + 1)
      if piece == "*" {
        var isReached = false
        for position in 0...text.count {
          isReached = isReached || row[position]
          next[position] = isReached
        }
      } else {
        for position in 0..<text.count where row[position] {
          next[position + 1] = text[position] == piece || hasOnes && piece == "?"
        }
      }
      row = next
    }
    return row[text.count]
  }

  // MARK: File names

  private static func checkFolders(_ source: String, _ text: String) {
    let isFound = Glob(source).matches(text)
    // Without brackets, slashes and escapes it is a wildcard pattern.
    guard !source.isEmpty,
      !source.unicodeScalars.contains(where: { "[\\/".unicodeScalars.contains($0) }),
      !text.isEmpty, text != ".", !text.unicodeScalars.contains("/")
    else { return }
    if WildcardPattern(source).matches(text) != isFound { fatalError("a file pattern is wrong") }
  }

  // MARK: Dates

  private static let moments: [Double] = [
    0, 1.5, -1, 86_399.999, 820_454_400, 123_456_789.25, -31_557_600_000, 1e11, -1e11, .infinity,
    .nan, 1e300,
  ]

  private static func checkDates(_ source: String, _ text: String) {
    if case .fields(let fields) = DatePattern.read(source) {
      for offset in [0, 32_400, -12_600] {
        let pattern = DatePattern(source, fields: fields, offset: offset)
        _ = pattern.seconds(of: text)
        for moment in moments {
          guard let spelled = pattern.text(of: moment), let read = pattern.seconds(of: spelled)
          else { continue }
          guard let again = pattern.text(of: read), again == spelled else {
            fatalError("a lens reads \(String(reflecting: spelled)) as \(read)")
          }
        }
      }
    }
  }
}
