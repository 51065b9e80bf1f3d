// What each check looks for, for help and manual: a line without a full stop.

extension Lint {
  /// What the check looks for, in one line without a full stop.
  public var explanation: String { isAdvisory ? advice : fault }

  private var fault: String {
    switch self {
    case .unreadable:
      "the bytes are of no known encoding, or end reading at the fault that is named"
    case .badTrailer:
      "the trailer of a binary property list does not fit the file, as after truncation; nothing else can be told then"
    case .badOffset: "an entry of a binary property list's offset table leads beyond its objects"
    case .badMarker: "an object of a binary property list begins with a marker that no type has"
    case .badCount:
      "the count of a string, data or container is no integer, or more than the file has bytes"
    case .beyondEnd: "an object of a binary property list needs more bytes than are left"
    case .badReference: "a container refers to an object by a number that the file does not have"
    case .invalidUTF8: "a string marked as UTF-8 is not valid UTF-8"
    case .circularContainer:
      "a container of a property list holds itself, which only objects of archives can"
    case .missingArchiver:
      "a dictionary with $objects and $top has no $archiver, or one that is no string"
    case .missingTop: "a keyed archive has no $top, or one that is no dictionary"
    case .missingObjects: "a keyed archive has no $objects, or one that is no array"
    case .danglingUID: "a UID leads to no object of $objects"
    case .classNotARecord: "the $class of an object leads to no dictionary with $classname"
    case .badClassRecord:
      "a class record whose $classname is no string, or whose $classes is no array of strings that begins with $classname"
    case .keysObjectsCount: "NS.keys and NS.objects of a dictionary are of different number"
    case .wrongField: "a field of a Foundation class holds a type that its class does not write"
    case .classNotAllowed:
      "an object is of a class that the given list does not name, as NSSecureCoding would refuse it"
    case .overLimit:
      "the input exceeds a bound on depth, size or overlapping objects and is not checked further"
    default: ""
    }
  }

  private var advice: String {
    switch self {
    case .oddity:
      "what readers pass over: bytes behind the end, a $version other than 100000, and the like"
    case .unreachableFault: "an object that nothing refers to is broken; readers never look at it"
    case .ambiguousNull:
      "a string \"$null\" that is not the first object: a conditional object that was not archived, or a text; it decodes as nil"
    case .unreachableObject:
      "an object of $objects that $top does not lead to, or a stored value that nothing refers to"
    case .duplicateKey:
      "a key stands twice in one dictionary or object, so that decoders differ in the value they take"
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
      "an integer beyond 2^53 that becomes another number once it is decoded as Double"
    case .nonfiniteReal:
      "a real or a date that is infinite or not a number, which JSON cannot spell"
    case .singleReal:
      "a real of 4 bytes, which becomes a decimal fraction with more digits once it is decoded as Double"
    case .mediumDate:
      "a member fetchedAt that is not in the English medium style of date and time; other languages' styles are reported as well"
    case .moreFindings: "how many more findings there are than are told"
    default: ""
    }
  }
}
