// The description of a class of archived objects. To add one: a file named for it that conforms, and a row in
// `Framework`.

import ArchiveGraph

/// A family of classes that more is known of than their keys.
///
/// An application registers its own with `ArchiveReader(classes:)`; graphs and archives of any thread may share them.
package protocol ClassFamily: Sendable {
  /// The classes of the family, as archives name them.
  static var classNames: [String] { get }

  /// What is shown of an object, for the manual: a phrase without a period.
  static var shown: String { get }

  /// Whether the value follows no reference, so that it may be read while another value is read.
  static var isLeaf: Bool { get }

  /// Whether value and summary are a line and follow fields to a bounded depth only, never by `brief`.
  static var isSimple: Bool { get }

  /// Whether the value is a list of the objects that the fields lead to.
  static var isCollection: Bool { get }

  /// The value of an object beyond its fields; nil to show its fields, as for one that lacks fields of its class.
  static func value(of object: ArchivedObject) -> Value?

  /// A summary of an object in one line, if its value alone is not enough.
  static func summary(of object: ArchivedObject) -> String?

  /// What keeps an object from being read although its keys are there; nil if nothing does.
  static func fault(in object: ArchivedObject) -> String?
}

extension ClassFamily {
  /// No.
  package static var isLeaf: Bool { false }
  /// No.
  package static var isSimple: Bool { false }
  /// No.
  package static var isCollection: Bool { false }
  /// No value: the fields are shown.
  package static func value(of object: ArchivedObject) -> Value? { nil }
  /// No summary.
  package static func summary(of object: ArchivedObject) -> String? { nil }
  /// No Codable form.
  package static func fault(in object: ArchivedObject) -> String? { nil }
}

/// A class of a framework, about which more is known than an application need declare.
package protocol FrameworkClass: ClassFamily {
  /// How Codable encodes what Foundation bridges objects to; nil if it does not.
  static var codableForm: CodableForm? { get }

  /// How an object is written.
  static var storedForm: StoredForm { get }

  /// The tag that the text of an object has in JSON of resolved values; nil if it is an ordinary string.
  static var jsonTag: StaticString? { get }
}

extension FrameworkClass {
  package static var codableForm: CodableForm? { nil }
  static var storedForm: StoredForm { .fields }
  package static var jsonTag: StaticString? { nil }
}

/// A class whose value and summary are simple.
package protocol SimpleClass: FrameworkClass {}

extension SimpleClass {
  package static var isSimple: Bool { true }
}

/// The required type of a field, as swift-corelibs-foundation writes it.
package struct FieldRule: Sendable {
  static let texts = [Marker.ascii, Marker.utf16, Marker.utf8]

  let key: KnownKey
  let markers: [UInt8]
  /// The required type in words.
  let phrase: String
  /// How many bytes of data it must hold; nil if any number will do.
  let byteCount: Int?

  /// The classes whose objects a decoder takes for such a value.
  var classes: [String] {
    switch markers.first {
    case Marker.ascii: ["NSString"]
    case Marker.data: ["NSData"]
    case Marker.real, Marker.integer: ["NSNumber"]
    default: []
    }
  }

  /// Whether it must hold a number, which some encodings store as a string.
  var isNumber: Bool { markers.contains(Marker.real) }

  init(_ key: KnownKey, _ markers: [UInt8], _ phrase: String, byteCount: Int? = nil) {
    self.key = key
    self.markers = markers
    self.phrase = phrase
    self.byteCount = byteCount
  }
}
