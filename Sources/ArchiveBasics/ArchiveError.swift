// The one error type of every floor: what is wrong, its byte offset, and its path in the graph.

/// A problem with an archive, with the location where it was found.
///
/// Two errors are equal if their codes and locations are: messages are for people.
public struct ArchiveError: Error, Equatable, Sendable {
  /// What kind of problem it is; tests and callers compare this.
  public enum Code: String, CaseIterable, Sendable {
    /// The bytes are of no encoding that archtool knows.
    case unrecognized
    /// The encoding or a part of it is known but not read by this version.
    case unsupported
    /// The bytes end before the value does.
    case truncated
    /// A marker, number, offset or structure that the format does not allow.
    case malformed
    /// An object refers to one that is not there.
    case dangling
    /// The input is decoded, and a path of the request leads to no value in it.
    case missingValue
    /// A value contains itself where the format or the target cannot express that.
    case cycle
    /// The target format cannot represent a value.
    case unrepresentable
    /// A value has another type than requested.
    case mismatch
    /// A number does not fit the requested type.
    case outOfRange
    /// One of the `Limits` was exceeded.
    case limit
    /// The input cannot be opened.
    case cannotOpen
    /// The output cannot be created.
    case cannotCreate
    /// Reading or writing failed partway.
    case inputOutput

    /// The code as reports name it: `cannot-open`.
    package var rule: String {
      var text = ""
      for letter in rawValue {
        if letter.isUppercase { text += "-" }
        text += letter.lowercased()
      }
      return text
    }
  }

  /// What the program itself acts upon, beside the code: messages are for people.
  public enum Subject: Sendable {
    /// A key that occurs twice in a dictionary.
    case repeatedKey
    /// Characters that XML 1.0 forbids, and that Foundation reads and writes.
    case forbiddenCharacters
    /// A key of a path that its dictionary does not have.
    case missingKey
    /// A value of the right type that a conversion refuses, such as a text that is not a date.
    case refusedContent
  }

  /// The kind of problem.
  public let code: Code
  /// What was expected, what was found, and what to do, in one line without a period.
  public private(set) var message: String
  /// The byte offset in the input file, where one is known.
  public private(set) var offset: Int?
  /// The path in the graph, if it is known.
  public private(set) var path: GraphPath?
  /// What it is about, if the program acts upon that.
  package let subject: Subject?

  /// The line and column of the offset, where the input is a text and they were looked for.
  public private(set) var position: TextPosition?

  /// The file that it is about, where that is another than the input at hand, such as a schema's.
  public private(set) var file: String?

  /// Makes an error.
  package init(
    _ code: Code, _ message: String, offset: Int? = nil, path: GraphPath? = nil,
    file: String? = nil, about subject: Subject? = nil
  ) {
    self.subject = subject
    self.code = code
    self.message = message
    self.offset = offset
    self.path = path
    self.file = file
  }

  /// Any error as one of an input.
  package init(_ error: any Error) {
    self = error as? ArchiveError ?? ArchiveError(.malformed, "\(error)")
  }

  /// Runs what may fail in any way, and makes errors those of an input.
  package static func wrapping<Result>(_ body: () throws -> Result) throws(ArchiveError) -> Result {
    do { return try body() } catch { throw ArchiveError(error) }
  }

  /// The same error in a file, unless it names one already.
  package func inFile(_ file: String) -> ArchiveError {
    var error = self
    error.file = self.file ?? file
    return error
  }

  /// The result of a closure, whose errors get a file unless they name one already.
  package static func inFile<Result>(
    _ file: String, _ body: () throws(ArchiveError) -> Result
  ) throws(ArchiveError) -> Result {
    do throws(ArchiveError) {
      return try body()
    } catch {
      throw error.inFile(file)
    }
  }

  /// The same error at another place: without an offset or a path it has none.
  package func moved(to path: GraphPath?, offset: Int? = nil) -> ArchiveError {
    var error = self
    (error.path, error.offset, error.position) = (path, offset, nil)
    return error
  }

  /// The same error at a position in a text, which is shown instead of the offset.
  package func at(position: TextPosition?) -> ArchiveError {
    var error = self
    error.position = position
    return error
  }

  /// The same error with its byte offset moved by the offset of the part it was found in.
  package func shifted(by base: Int?) -> ArchiveError {
    guard let offset, let base else { return moved(to: path) }
    return moved(to: path, offset: offset + base)
  }

  /// The same error with an addition to its message.
  package func noting(_ addition: String) -> ArchiveError {
    var error = self
    error.message += addition
    return error
  }

  /// The same error with a path, unless it has one already.
  package func at(path: GraphPath) -> ArchiveError {
    var error = self
    error.path = self.path ?? path
    return error
  }

  /// The same error about the content of a data value, from the perspective of the file with that value.
  ///
  /// - Parameter kind: the kind of the content: its path crosses that boundary as paths of a dump do.
  package func inside(_ kind: String) -> ArchiveError {
    moved(to: GraphPath([.content(kind)] + (path?.steps ?? [])), offset: offset)
  }

  /// The same error below the data value at a path, which precedes its own path.
  package func below(path outer: GraphPath) -> ArchiveError {
    guard let path, case .content? = path.steps.first else { return at(path: outer) }
    return moved(to: outer.appending(path), offset: offset)
  }

  /// Whether two errors are of the same kind at the same location.
  public static func == (left: ArchiveError, right: ArchiveError) -> Bool {
    left.code == right.code && left.offset == right.offset && left.path == right.path
  }

  /// The problem as it is written on standard error: `FILE@OFFSET: error: MESSAGE (at PATH)`, or `FILE:LINE:COLUMN: …`.
  package func line(file: String, severity: Severity = .error) -> String {
    Diagnostic(self, severity: severity).line(file: file)
  }
}

// MARK: - Refusals: the input is decoded, but cannot become what was requested

extension ArchiveError {
  /// Whether the input can be decoded, but its values are wrong or cannot be converted.
  ///
  /// An error that names another file is about that file, such as a schema.
  package var isRefusal: Bool {
    file == nil && (code == .mismatch || code == .unrepresentable || code == .missingValue)
  }
}

// MARK: - A position in a text as people and editors count it

/// A line and a column, both from 1; the column counts characters.
public struct TextPosition: Hashable, Sendable, CustomStringConvertible {
  /// The line.
  public let line: Int
  /// The character in the line.
  public let column: Int

  /// Makes a position.
  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// As in `FILE:3:7`.
  public var description: String { "\(line):\(column)" }
}
