// The words of schema registries for what a new version of a schema does to readers and values of the old one.
//
// Source: Apache Avro 1.11 specification, "Schema Resolution"; Confluent Schema Registry documentation, "Schema
// Evolution and Compatibility".

/// How two versions of a schema go together.
public enum Compatibility: String, Sendable, CaseIterable {
  /// Backward and forward.
  case full
  /// Whoever reads with the new schema can read every value written under the old one.
  case backward
  /// Whoever reads with the old schema can read every value written under the new one.
  case forward
  /// Neither.
  case none

  /// Names a compatibility by the directions that hold.
  public init(isBackward: Bool, isForward: Bool) {
    switch (isBackward, isForward) {
    case (true, true): self = .full
    case (true, false): self = .backward
    case (false, true): self = .forward
    case (false, false): self = .none
    }
  }
}
