// What a check is made of. To add a lint: a case of `Lint` with its explanation, one file, one line here.

/// A lint, or several that one look at an input answers.
protocol IntegrityLint: Sendable {
  /// What it may report.
  static var lints: [Lint] { get }

  /// Reports all that is found in one input; its cost must not exceed the input's size by more than a factor.
  static func check(_ input: CheckedInput, _ report: inout IntegrityReport)
}

/// Every lint of a table of values, faults first.
enum IntegrityLints {
  static let all: [any IntegrityLint.Type] = [
    StoredValueLint.self, CircularContainerLint.self, ArchivePartsLint.self,
    DanglingUIDLint.self, ClassRecordLint.self, FieldLint.self, AllowedClassLint.self,
    ReaderWarningLint.self, AmbiguousNullLint.self, ReachabilityLint.self, DuplicateKeyLint.self,
    NonTextKeyLint.self,
    ClassUseLint.self, DeprecatedClassLint.self, KeyPrefixLint.self, NumberLint.self,
    MediumDateLint.self,
  ]
}
