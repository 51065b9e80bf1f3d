// Refusals as members of JSON, for reports on files and answers to records.

import Basics
import PropertyLists
import Schemas

extension Diagnostic {
  /// Why an archive was refused, for reports of files: the reason as an error, and the first violations.
  package static func members(
    ofRefusal reason: String, _ violations: [Diagnostic]
  ) -> [(String, JSONTree)] {
    let error = ("error", refusal(reason, violations))
    if violations.isEmpty { return [error] }
    return [
      error, ("violations", .list(violations.prefix(10).map(\.tree))),
      ("violationCount", .integer(violations.count)),
    ]
  }

  /// Why an archive was refused, as an object like that of an error, with the location of the first violation.
  static func refusal(_ reason: String, _ violations: [Diagnostic]) -> JSONTree {
    .problem(
      ("code", "refused"), reason, offset: violations.first?.offset, path: violations.first?.path)
  }
}
