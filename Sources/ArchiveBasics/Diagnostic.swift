// A problem of an input and its location: what errors, violations of schemas, lints and warnings become in reports.
//
// `ArchiveError` is thrown, and its code decides the exit status; the losses of a migration name the lens and the values
// to be kept. They remain types of their own, and a report makes a diagnostic of an error.

/// A problem of an input.
public struct Diagnostic: Sendable, Equatable {
  /// The rule of a warning for a value that the schema marks as deprecated; reports omit it unless it is requested.
  package static let deprecation = "deprecated"

  /// The rule that was violated: a keyword, the name of a lint, or the code of an error.
  package let rule: String
  /// Whether the rule is a lint, which has a line of documentation.
  package let isLint: Bool
  /// Its severity.
  package var severity: Severity
  /// The problem in one line.
  package var message: String
  /// The file, if it is another than the input at hand, such as a schema's.
  package let file: String?
  /// The path in the graph; nil if it is unknown.
  package let path: GraphPath?
  /// The byte offset in the input; nil if it is unknown.
  package var offset: Int?
  /// How many bytes it concerns; nil if that is unknown.
  public var byteCount: Int?
  /// The line of a text that it concerns, from 1; nil for binary files.
  package var line: Int?
  /// The line and column, for messages about a text.
  package var position: TextPosition?
  /// Whether it concerns the end of the file, where there is no byte.
  package var isAtEnd = false
  /// What a schema expected and where; nil if no schema was violated.
  package var expectation: Expectation?

  /// Makes a diagnostic.
  package init(
    rule: String, isLint: Bool = false, severity: Severity = .error, message: String,
    file: String? = nil, path: GraphPath? = nil, offset: Int? = nil, byteCount: Int? = nil,
    expectation: Expectation? = nil
  ) {
    self.rule = rule
    self.isLint = isLint
    self.severity = severity
    self.message = message
    self.file = file
    self.path = path
    self.offset = offset
    self.byteCount = byteCount
    self.expectation = expectation
  }

  /// An error, or a warning that a reader describes as an error.
  package init(_ error: ArchiveError, severity: Severity = .error) {
    self.init(
      rule: error.code.rule, severity: severity, message: error.message, file: error.file,
      path: error.path, offset: error.offset)
    position = error.position
  }

  /// The line for standard error: `FILE@OFFSET: error: MESSAGE (at PATH)`, or `FILE:LINE:COLUMN: …` where the position in
  /// a text is known, as editors and compilers have it.
  ///
  /// - Parameter input: the input's name.
  package func line(file input: String) -> String {
    var line = file ?? input
    if let position { line += ":\(position)" } else if let offset { line += "@\(offset)" }
    line += ": \(severity.rawValue): \(message)"
    if isLint { line += " [\(rule)]" }
    if let path { line += " (at \(path))" }
    return line
  }

  /// The same diagnostic and its causes, with byte counts where they had none.
  ///
  /// - Parameter byteCount: how many bytes the value at an offset occupies.
  package func measured(_ byteCount: (Int) -> Int?) -> Diagnostic {
    var copy = self
    copy.byteCount = self.byteCount ?? offset.flatMap(byteCount)
    copy.expectation?.causes = expectation?.causes.map { $0.measured(byteCount) } ?? []
    return copy
  }
}

/// What a schema expects of a value, and the location of the keyword.
public struct Expectation: Sendable, Equatable {
  /// What was expected.
  package let expected: String
  /// What was found.
  package let found: String
  /// The location of the value as a JSON Pointer.
  package let instanceLocation: String
  /// The keyword, as a JSON Pointer along the path that validation took through the schemas.
  package let keywordLocation: String
  /// The keyword's own location: a URI with a fragment.
  package let absoluteKeywordLocation: String
  /// Why none of several schemas fits.
  package var causes: [Diagnostic]

  /// Makes an expectation.
  package init(
    expected: String, found: String, instanceLocation: String = "", keywordLocation: String = "",
    absoluteKeywordLocation: String = "", causes: [Diagnostic] = []
  ) {
    self.expected = expected
    self.found = found
    self.instanceLocation = instanceLocation
    self.keywordLocation = keywordLocation
    self.absoluteKeywordLocation = absoluteKeywordLocation
    self.causes = causes
  }
}

// MARK: - How much a problem matters

/// How much a problem of an input matters.
public enum Severity: String, CaseIterable, Comparable, Sendable {
  /// A fact that is worth knowing and nothing unusual.
  case note
  /// The input can be used, but something in it is unusual.
  case warning
  /// The input is not as it should be.
  case error

  /// Whether a severity is less than another.
  public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
