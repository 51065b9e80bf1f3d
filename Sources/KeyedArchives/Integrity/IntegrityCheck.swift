// Integrity without a schema: every fault of an input with its location, where reading stops at the first.

import Basics

/// Checks inputs of every encoding, and the archives in their data values.
///
/// A check never fails: what cannot be read is a finding.
public struct IntegrityCheck: Sendable {
  /// The lints to run.
  public let lints: Set<Lint>
  /// The classes that objects may be of; nil for all.
  public let allowedClasses: Set<String>?
  /// The limits for reading.
  public let limits: Limits
  /// Whether JSON may be JSON5.
  public let allowsJSON5: Bool

  /// Makes a check.
  ///
  /// - Parameters:
  ///   - lints: the lints to run; by default all faults, and no advice.
  ///   - allowedClasses: the allowed classes of objects, as patterns in which `*` matches any run of
  ///     characters (`ClassName.matches(pattern:)`); nil for all. A class that is allowed allows its mutable
  ///     subclass of Foundation. The ancestors in a class record are not trusted for this.
  ///   - limits: the limits for reading.
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
  /// At most 10 000 faults and as many other findings are listed; a last finding counts the rest.
  ///
  /// - Returns: the findings, by offset.
  public func run(_ storage: ByteStorage) -> [Diagnostic] {
    var run = IntegrityRun(self, storage)
    run.finish()
    return run.report.sorted()
  }
}
