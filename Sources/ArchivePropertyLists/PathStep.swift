// The notations in which people write paths to values: RFC 9535, JSON Pointer, plutil and PlistBuddy.

import ArchiveBasics

/// One step of a path as it was written, in any of four notations.
///
/// | begins with | notation | example |
/// | --- | --- | --- |
/// | `$`, then `.`, `[` or the end | JSONPath, RFC 9535 | `$.movies[0]['title']` |
/// | `/`, or empty | JSON Pointer, RFC 6901 | `/movies/0/title` |
/// | `:` | PlistBuddy | `:movies:0:title` |
/// | anything else | key path of plutil | `movies.0.title` |
///
/// In the last three, a number is a position in a list, and a key in a dictionary.
package enum PathStep: Sendable, Equatable {
  case one(GraphPath.Step)
  /// A key, or a position in decimal digits.
  case either(String)

  /// The key, if the step may be one.
  package var key: String? {
    switch self {
    case .either(let text), .one(.key(let text)): text
    case .one: nil
    }
  }

  /// The step where no value tells what is meant: digits are a position.
  package var likely: GraphPath.Step {
    switch self {
    case .one(let step): step
    case .either(let text): Self.index(text).map { .index($0) } ?? .key(text)
    }
  }

  /// Whether a step in a graph is what is meant.
  package func matches(_ step: GraphPath.Step) -> Bool {
    switch (self, step) {
    case (.one(let own), _): own == step
    case (.either(let text), .index(let index)): Self.index(text) == index
    case (.either(let text), _): step == .key(text)
    }
  }

  /// A position without leading zeros, as in RFC 6901.
  package static func index(_ text: String) -> Int? {
    guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      text == "0" || text.utf8.first != UInt8(ascii: "0")
    else { return nil }
    return Int(text)
  }

  /// Whether a path is in the notation of RFC 9535.
  package static func isJSONPath(_ text: String) -> Bool {
    let scalars = text.unicodeScalars
    return scalars.first == "$" && [nil, ".", "[", "⟨"].contains(scalars.dropFirst().first)
  }

  /// The steps of a path.
  ///
  /// - Throws: `ArchiveError` with code `malformed`, whose offset is a position in characters.
  package static func steps(of text: String) throws(ArchiveError) -> [PathStep] {
    if isJSONPath(text) { return try GraphPath(parsing: text).steps.map { .one($0) } }
    let scalars = text.unicodeScalars
    switch scalars.first {
    case nil, "/": return try JSONPointer.parse(text).map { .either($0) }
    case ":": return parts(of: scalars.dropFirst(), at: ":").map { .either($0) }
    default: return parts(of: scalars[...], at: ".").map { .either($0) }
    }
  }

  /// The parts between separators; a backslash escapes a separator or another backslash.
  private static func parts(
    of scalars: Substring.UnicodeScalarView, at separator: Unicode.Scalar
  ) -> [String] {
    guard !scalars.isEmpty else { return [] }
    var parts = [String.UnicodeScalarView()]
    var rest = scalars
    while let scalar = rest.popFirst() {
      if scalar == "\\", let next = rest.first, next == separator || next == "\\" {
        parts[parts.count - 1].append(next)
        rest.removeFirst()
      } else if scalar == separator {
        parts.append(String.UnicodeScalarView())
      } else {
        parts[parts.count - 1].append(scalar)
      }
    }
    return parts.map { String($0) }
  }
}
