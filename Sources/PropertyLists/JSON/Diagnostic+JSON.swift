// Problems as members of JSON, for reports of files and answers to records.

import Basics

extension JSONTree {
  /// What is wrong and where.
  ///
  /// - Parameter kind: the name and value of the first member: the code of an error, the rule of a violation.
  package static func problem(
    _ kind: (name: String, value: String), _ message: String, offset: Int?, path: GraphPath?
  ) -> JSONTree {
    .members([
      (kind.name, .string(kind.value)), ("message", .string(message)),
      ("offset", offset.map { .integer($0) } ?? .null),
      ("path", path.map { .string($0.description) } ?? .null),
    ])
  }
}

extension Diagnostic {
  /// The problem as an object.
  package var tree: JSONTree {
    .problem(("rule", rule), message, offset: offset, path: path)
  }
}

extension ArchiveError {
  /// The error as an object, with its code.
  package var tree: JSONTree {
    .problem(("code", code.rawValue), message, offset: offset, path: path)
  }
}
