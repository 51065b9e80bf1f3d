// The terms of schema registries for the effect of a new version on readers and values of the old one.
//
// Source: Apache Avro 1.11 specification, "Schema Resolution"; Confluent Schema Registry documentation, "Schema
// Evolution and Compatibility".

/// How compatible two versions of a schema are.
public enum Compatibility: String, Sendable, CaseIterable {
  /// Backward and forward.
  case full
  /// Readers with the new schema can read every value written under the old one.
  case backward
  /// Readers with the old schema can read every value written under the new one.
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
