// The checks of archives by name: what people ask for, see in findings and read of in the manual.

/// A named check of archives.
///
/// The raw value is the name that people see.
public enum Lint: String, CaseIterable, Sendable {
  // MARK: Faults: the input cannot be read, or a part of it means nothing

  /// The bytes are of no encoding that is read, or reading them ends at a fault.
  case unreadable
  /// The trailer of a binary property list does not fit the bytes before it.
  case badTrailer = "bad-trailer"
  /// An entry of the offset table leads out of the file.
  case badOffset = "bad-offset"
  /// A marker byte that no type has.
  case badMarker = "bad-marker"
  /// A count that is no number, or larger than the file.
  case badCount = "bad-count"
  /// An object that ends behind the last byte.
  case beyondEnd = "beyond-end"
  /// A reference to an object that is not there.
  case badReference = "bad-reference"
  /// A UTF-8 string that is none.
  case invalidUTF8 = "invalid-utf8"
  /// A container that holds itself.
  case circularContainer = "circular-container"
  /// No `$archiver`, or one that is no string.
  case missingArchiver = "missing-archiver"
  /// No `$top`, or one that is no dictionary.
  case missingTop = "missing-top"
  /// No `$objects`, or one that is no array.
  case missingObjects = "missing-objects"
  /// A UID without an object.
  case danglingUID = "dangling-uid"
  /// A `$class` that leads to no class record.
  case classNotARecord = "class-not-a-record"
  /// A class record whose name or chain is wrong.
  case badClassRecord = "bad-class-record"
  /// Keys and objects of different number.
  case keysObjectsCount = "keys-objects-count"
  /// A field of a known class that holds another type.
  case wrongField = "wrong-field"
  /// A class that an allowlist does not name.
  case classNotAllowed = "class-not-allowed"
  /// An input that would cost more than its bound.
  case overLimit = "over-limit"

  // MARK: Advice: the input can be read, but a person may want to know

  /// What readers warn of and read all the same.
  case oddity
  /// An object that is broken and that nothing refers to.
  case unreachableFault = "unreachable-fault"
  /// A string `$null` that is not the first object.
  case ambiguousNull = "ambiguous-null"
  /// An object that nothing leads to.
  case unreachableObject = "unreachable-object"
  /// A key that stands twice.
  case duplicateKey = "duplicate-key"
  /// A stored key that is no string.
  case nonTextKey = "non-text-key"
  /// A class record without an object.
  case unusedClass = "unused-class"
  /// Two records of one class.
  case duplicateClass = "duplicate-class"
  /// A class that Apple replaced.
  case deprecatedClass = "deprecated-class"
  /// An application's key with a prefix of the frameworks.
  case reservedKeyPrefix = "reserved-key-prefix"
  /// An integer above `Int64.max`.
  case wideInteger = "wide-integer"
  /// An integer that a `Double` rounds.
  case impreciseInteger = "imprecise-integer"
  /// A real or date that is not finite.
  case nonfiniteReal = "nonfinite-real"
  /// A real of 4 bytes.
  case singleReal = "single-real"
  /// A moment that is not in the medium style.
  case mediumDate = "medium-date"
  /// How many findings are not told.
  case moreFindings = "more-findings"

  /// Whether a finding is advice: the input can be read and means what it says.
  public var isAdvisory: Bool {
    switch self {
    case .oddity, .unreachableFault, .ambiguousNull, .unreachableObject, .duplicateKey,
      .nonTextKey,
      .unusedClass, .duplicateClass, .deprecatedClass, .reservedKeyPrefix, .wideInteger,
      .impreciseInteger, .nonfiniteReal, .singleReal, .mediumDate, .moreFindings:
      true
    default: false
    }
  }

  /// The checks that say whether an input is sound.
  public static let faults = Set(allCases.filter { !$0.isAdvisory })
}
