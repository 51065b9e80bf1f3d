// One difference between two versions of a schema, and its effect on readers.

import ArchiveBasics
import ArchivePropertyLists

/// A change from one version of a schema to another.
package struct SchemaChange: Sendable {
  /// What kind of change it is.
  package enum Kind: String, Sendable, CaseIterable {
    /// A member was added to the named ones.
    case memberAdded = "member-added"
    /// A named member was removed.
    case memberRemoved = "member-removed"
    /// An optional member became required.
    case becameRequired = "became-required"
    /// A required member became optional.
    case becameOptional = "became-optional"
    /// More types are allowed.
    case typeWidened = "type-widened"
    /// Fewer types are allowed.
    case typeNarrowed = "type-narrowed"
    /// Other types are allowed.
    case typeChanged = "type-changed"
    /// A value was added to the listed ones.
    case enumValueAdded = "enum-value-added"
    /// A listed value was removed.
    case enumValueRemoved = "enum-value-removed"
    /// The values are now listed; before, any value was allowed.
    case enumAdded = "enum-added"
    /// The values are no longer listed.
    case enumRemoved = "enum-removed"
    /// The range of numbers, or their divisor, allows more.
    case rangeWidened = "range-widened"
    /// The range of numbers allows less.
    case rangeNarrowed = "range-narrowed"
    /// The range of numbers has moved.
    case rangeChanged = "range-changed"
    /// More lengths of strings, or counts of elements or members, are allowed.
    case lengthWidened = "length-widened"
    /// Fewer lengths or counts are allowed.
    case lengthNarrowed = "length-narrowed"
    /// Other lengths or counts are allowed.
    case lengthChanged = "length-changed"
    /// Strings must match another pattern.
    case patternChanged = "pattern-changed"
    /// Strings have another format.
    case formatChanged = "format-changed"
    /// Members that are not named are no longer allowed.
    case additionalClosed = "additional-closed"
    /// Members that are not named are allowed.
    case additionalOpened = "additional-opened"
    /// Other rules hold for members that are not named.
    case additionalChanged = "additional-changed"
    /// Other rules hold for elements.
    case itemsChanged = "items-changed"
    /// A branch of `anyOf` or `oneOf` was added.
    case alternativeAdded = "alternative-added"
    /// A branch of `anyOf` or `oneOf` was removed.
    case alternativeRemoved = "alternative-removed"
    /// `not`, `if` or another rule that is compared only as a whole.
    case constraintChanged = "constraint-changed"
    /// Another envelope, another class, or a list of models.
    case envelopeChanged = "envelope-changed"
    /// Text for people.
    case annotationChanged = "annotation-changed"
  }

  /// A direction of compatibility.
  package enum Direction: String, Sendable, CaseIterable {
    /// New readers of old values.
    case backward
    /// Old readers of new values.
    case forward
  }

  /// What a change does to one direction.
  package struct Effect: Sendable {
    /// The direction that fails.
    package let direction: Direction
    /// The reason, as a sentence.
    package let reason: String
    /// A small value that one version allows and the other does not; nil if the archive itself is the difference.
    package let counterexample: JSONTree?
  }

  /// What kind of change it is.
  package let kind: Kind
  /// The location in the old schema, a JSON Pointer; nil if it has none.
  package let oldPointer: String?
  /// The location in the new schema, a JSON Pointer; nil if it has none.
  package let newPointer: String?
  /// The path in the model: `$.topCityWeathers[*].Temperature`.
  package let path: GraphPath
  /// What changed, on one line.
  package let description: String
  /// The compatibility that the change breaks; empty if it is compatible.
  package internal(set) var effects: [Effect] = []
}

// MARK: - The terms of schema registries for the effect of a new version on readers and values of the old one
//
// Source: Apache Avro 1.11 specification, "Schema Resolution"; Confluent Schema Registry documentation, "Schema
// Evolution and Compatibility".

/// How compatible two versions of a schema are.
package enum Compatibility: String, Sendable, CaseIterable {
  /// Backward and forward.
  case full
  /// Readers with the new schema can read every value written under the old one.
  case backward
  /// Readers with the old schema can read every value written under the new one.
  case forward
  /// Neither.
  case none

  /// Names a compatibility by the directions that hold.
  package init(isBackward: Bool, isForward: Bool) {
    switch (isBackward, isForward) {
    case (true, true): self = .full
    case (true, false): self = .backward
    case (false, true): self = .forward
    case (false, false): self = .none
    }
  }
}
