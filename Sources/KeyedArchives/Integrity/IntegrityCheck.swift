// Integrity without a schema: every fault of an input with its place, where reading ends at the first.

import Basics

/// Checks inputs of every encoding, and the archives in their data values.
///
/// A check never fails: what cannot be read is a finding.
public struct IntegrityCheck: Sendable {
  /// What is looked for.
  public let lints: Set<Lint>
  /// The classes that objects may be of; nil for all.
  public let allowedClasses: Set<String>?
  /// The bounds that hold for what is read.
  public let limits: Limits
  /// Whether JSON may be JSON5.
  public let allowsJSON5: Bool

  /// Makes a check.
  ///
  /// - Parameters:
  ///   - lints: what is looked for; all faults, and no advice, unless said otherwise.
  ///   - allowedClasses: the classes that objects may be of, as patterns in which `*` stands for any run of
  ///     characters (`ClassName.matches(pattern:)`); nil for all. A class that is allowed allows its mutable
  ///     subclass of Foundation. What a record says of its own ancestors allows nothing.
  ///   - limits: the bounds that hold for what is read.
  ///   - allowsJSON5: whether JSON may be JSON5.
  public init(
    lints: Set<Lint> = Lint.faults, allowedClasses: Set<String>? = nil, limits: Limits = Limits(),
    allowsJSON5: Bool = false
  ) {
    self.lints = lints
    self.allowedClasses = allowedClasses
    self.limits = limits
    self.allowsJSON5 = allowsJSON5
  }

  /// Checks an input.
  ///
  /// No more than 10 000 faults and as many other findings are told; a last finding counts the rest.
  ///
  /// - Returns: what was found, by its offset.
  public func run(_ storage: ByteStorage) -> [IntegrityFinding] {
    var run = IntegrityRun(self, storage)
    run.finish()
    return run.report.sorted()
  }
}
