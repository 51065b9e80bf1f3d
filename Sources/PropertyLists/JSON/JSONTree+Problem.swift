// A problem as a member of JSON, of whatever kind it is: in reports of files, and in answers to records.

extension JSONTree {
  /// What is wrong and where.
  ///
  /// - Parameter kind: the name and value of the first member: the code of an error, the rule of a violation.
  package static func problem(
    _ kind: (name: String, value: String), _ message: String, offset: Int?, path: String?
  ) -> JSONTree {
    .members([
      (kind.name, .string(kind.value)), ("message", .string(message)),
      ("offset", offset.map { .integer($0) } ?? .null),
      ("path", path.map { .string($0) } ?? .null),
    ])
  }
}
