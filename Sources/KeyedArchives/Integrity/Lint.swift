// The checks of archives by name: as people request them, see them in findings and read about them in the manual.

import ArchiveBasics

/// A named check of archives.
///
/// The raw value is the name that people see.
package enum Lint: String, CaseIterable, Sendable {
  // MARK: Faults: the input cannot be read, or a part of it means nothing

  /// The bytes are of no encoding that is read, or reading them ends at a fault.
  case unreadable
  /// The trailer of a binary property list does not fit the bytes before it.
  case badTrailer = "bad-trailer"
  /// An entry of the offset table leads out of the file.
  case badOffset = "bad-offset"
  /// A marker byte that no type has.
  case badMarker = "bad-marker"
  /// A count that is not a number, or larger than the file.
  case badCount = "bad-count"
  /// An object that ends beyond the last byte.
  case beyondEnd = "beyond-end"
  /// A reference to an object that is not there.
  case badReference = "bad-reference"
  /// An invalid UTF-8 string.
  case invalidUTF8 = "invalid-utf8"
  /// A container that contains itself.
  case circularContainer = "circular-container"
  /// No `$archiver`, or one that is not a string.
  case missingArchiver = "missing-archiver"
  /// No `$top`, or one that is not a dictionary.
  case missingTop = "missing-top"
  /// No `$objects`, or one that is not an array.
  case missingObjects = "missing-objects"
  /// A UID without an object.
  case danglingUID = "dangling-uid"
  /// A `$class` that leads to no class record.
  case classNotARecord = "class-not-a-record"
  /// A class record whose name or chain is wrong.
  case badClassRecord = "bad-class-record"
  /// Keys and objects of different number.
  case keysObjectsCount = "keys-objects-count"
  /// A field of a known class with a wrong type.
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
  /// A repeated key.
  case duplicateKey = "duplicate-key"
  /// A stored key that is not a string.
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
  /// The number of findings that are not listed.
  case moreFindings = "more-findings"

  /// Whether a finding is advice: the input can be read and has a clear meaning.
  package var isAdvisory: Bool { Self.advice.contains(self) }

  private static let advice = Set(allCases.drop { $0 != .oddity })

  /// How much a finding matters unless a user says otherwise; nil if nobody looks for it then.
  ///
  /// What Foundation's own writers produce as a matter of course is a note, or nothing.
  package var severity: Severity? {
    switch self {
    case .ambiguousNull, .deprecatedClass: .note
    case .singleReal: nil
    default: isAdvisory ? .warning : .error
    }
  }

  /// The checks that determine whether an input is sound.
  package static let faults = Set(allCases.filter { !$0.isAdvisory })

  // MARK: What each check looks for, for help and manual: a line without a full stop

  /// The purpose of the check, in one line without a period.
  package var explanation: String {
    switch self {
    case .unreadable:
      "the bytes are of no known encoding, or end reading at the fault that is named"
    case .badTrailer:
      "the trailer of a binary property list does not fit the file, as after truncation; nothing else can be checked then"
    case .badOffset: "an entry of a binary property list's offset table is beyond its objects"
    case .badMarker: "an object of a binary property list begins with a marker that no type has"
    case .badCount:
      "the count of a string, data or container is not an integer, or larger than the file"
    case .beyondEnd: "an object of a binary property list needs more bytes than are left"
    case .badReference: "a container refers to an object by a number that the file does not have"
    case .invalidUTF8: "a string marked as UTF-8 is not valid UTF-8"
    case .circularContainer:
      "a container of a property list contains itself, which only objects of archives can"
    case .missingArchiver:
      "a dictionary with $objects and $top has no $archiver, or one that is not a string"
    case .missingTop: "a keyed archive has no $top, or one that is not a dictionary"
    case .missingObjects: "a keyed archive has no $objects, or one that is not an array"
    case .danglingUID: "a UID refers to no object of $objects"
    case .classNotARecord: "the $class of an object does not refer to a dictionary with $classname"
    case .badClassRecord:
      "a class record whose $classname is not a string, or whose $classes is not an array of strings that begins with $classname"
    case .keysObjectsCount: "NS.keys and NS.objects of a dictionary are of different number"
    case .wrongField: "a field of a Foundation class has a type that its class does not read"
    case .classNotAllowed:
      "the class of an object is not in the given list; NSSecureCoding would refuse it"
    case .overLimit:
      "the input exceeds a bound on depth, size or overlapping objects and is not checked further"
    case .oddity:
      "content that readers ignore: bytes after the end, a $version other than 100000, and the like"
    case .unreachableFault: "an object that nothing refers to is broken; readers never read it"
    case .ambiguousNull:
      "strings \"$null\" that are not the first object: conditional objects that were not archived, or texts; they decode as nil"
    case .unreachableObject:
      "an object of $objects that cannot be reached from $top, or a stored container that nothing refers to; Foundation's writers leave scalars and empty containers so"
    case .duplicateKey:
      "a key is repeated in a dictionary or object; decoders differ in the value they use"
    case .nonTextKey:
      "a stored key is not a string, which Foundation and plutil refuse to read"
    case .unusedClass: "a class record that no object is of"
    case .duplicateClass: "a second class record of the same class name"
    case .deprecatedClass:
      "an object is of a class that Apple deprecated; the message says what replaced it"
    case .reservedKeyPrefix:
      "a class outside of the frameworks uses a key that begins as theirs do (NS, UI), or with a $ that is not escaped"
    case .wideInteger:
      "an integer above Int64.max, for which decodeInteger(forKey:) raises NSRangeException"
    case .impreciseInteger:
      "an integer beyond 2^53 that changes when it is decoded as Double; not NSNotFound"
    case .nonfiniteReal:
      "a real or a date that is infinite or not a number, which JSON cannot represent"
    case .singleReal:
      "a real of 4 bytes, which gets more decimal digits when it is decoded as Double; encodeFloat writes such"
    case .mediumDate:
      "a member fetchedAt that is not in the English medium style of date and time; other languages' styles are reported as well"
    case .moreFindings: "the number of findings that are not listed"
    }
  }
}

// MARK: - The parts of a check

/// A look at an input that answers one lint, or several.
struct IntegrityLint: Sendable {
  /// The lints that it may report.
  let lints: [Lint]
  /// Reports all that is found; its cost must not exceed the input's size by more than a factor.
  let check: @Sendable (CheckedInput) -> Void

  init(_ lints: Lint..., check: @escaping @Sendable (CheckedInput) -> Void) {
    (self.lints, self.check) = (lints, check)
  }

  /// All, faults first.
  static let all = [
    IntegrityLint(
      .badOffset, .badMarker, .badCount, .beyondEnd, .badReference, .invalidUTF8,
      .unreachableFault
    ) { $0.checkStoredValues() },
    IntegrityLint(.circularContainer) { $0.checkCircularContainers() },
    IntegrityLint(.missingArchiver, .missingTop, .missingObjects) { $0.checkArchiveParts() },
    IntegrityLint(.danglingUID) { $0.archive?.checkDanglingUIDs() },
    IntegrityLint(.classNotARecord, .badClassRecord) { $0.archive?.checkClassRecords() },
    IntegrityLint(.keysObjectsCount, .wrongField) { $0.archive?.checkFields() },
    IntegrityLint(.classNotAllowed) { $0.archive?.checkAllowedClasses() },
    IntegrityLint(.oddity) { $0.checkReaderWarnings() },
    IntegrityLint(.ambiguousNull) { $0.untranslated?.archive?.checkAmbiguousNull() },
    IntegrityLint(.unreachableObject) { $0.untranslated?.checkReachability() },
    IntegrityLint(.duplicateKey) { $0.checkRepeatedKeys() },
    IntegrityLint(.nonTextKey) { $0.checkNonTextKeys() },
    IntegrityLint(.unusedClass, .duplicateClass) { $0.untranslated?.archive?.checkClassUse() },
    IntegrityLint(.deprecatedClass) { $0.archive?.checkDeprecatedClasses() },
    IntegrityLint(.reservedKeyPrefix) { $0.untranslated?.archive?.checkKeyPrefixes() },
    IntegrityLint(.wideInteger, .impreciseInteger, .nonfiniteReal, .singleReal) {
      // Typedstreams record the type of each number, and nobody decodes the numbers of bookmarks.
      $0.untranslated?.checkNumbers()
    },
    IntegrityLint(.mediumDate) { $0.checkMediumDates() },
  ]
}

// MARK: - A finding of an archive's check is a diagnostic whose rule is the lint

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
