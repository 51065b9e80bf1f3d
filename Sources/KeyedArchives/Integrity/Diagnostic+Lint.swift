// A finding of an archive's check is a diagnostic whose rule is the lint.

import Basics

extension Diagnostic {
  /// A finding of a lint.
  package init(
    _ lint: Lint, _ message: String, offset: Int? = nil, byteCount: Int? = nil,
    path: GraphPath? = nil
  ) {
    self.init(
      rule: lint.rawValue, isLint: true, severity: lint.severity ?? .note,
      message: message, path: path, offset: offset, byteCount: byteCount)
  }
}
