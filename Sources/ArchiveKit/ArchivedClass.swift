// Classes of an application, which archives that are read with them show as what they mean.

import ArchiveGraph
import KeyedArchives

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A class of an application's objects, and what an object of it means.
///
/// Its functions are called on every thread that reads an archive.
public protocol ArchivedClass: Sendable {
  /// The names of the class in archives.
  static var classNames: [String] { get }

  /// The value of an object, in place of its fields; nil to show the fields, as for an object that lacks some of them.
  static func value(of object: ArchivedFields) -> ArchivedValue?

  /// A few words about an object, whose fields are shown as well.
  static func summary(of object: ArchivedFields) -> String?
}

extension ArchivedClass {
  /// No value: the fields are shown.
  public static func value(of object: ArchivedFields) -> ArchivedValue? { nil }
  /// No summary.
  public static func summary(of object: ArchivedFields) -> String? { nil }
}

/// What an object of an application's class means.
public enum ArchivedValue: Hashable, Sendable {
  /// A boolean.
  case boolean(Bool)
  /// An integer.
  case integer(Int64)
  /// A real number.
  case real(Double)
  /// A date.
  case date(Date)
  /// A text.
  case text(String)
}

/// The fields of an archived object by their names.
///
/// A field that is missing, or that holds another kind of value, is nil. Values are those stored in the object itself or
/// in an object that the field refers to, such as an NSString or NSNumber.
public struct ArchivedFields {
  let object: ArchivedObject

  /// The name of the object's class.
  public var className: String { object.className }

  /// Whether a field is there and is not nil.
  public func has(_ name: String) -> Bool { object.has(name) }

  /// The text of a field.
  public func string(_ name: String) -> String? { object.string(name) }

  /// The integer of a field.
  public func integer(_ name: String) -> Int64? { object.integer(name) }

  /// The number of a field.
  public func number(_ name: String) -> Double? { object.number(name) }

  /// The boolean of a field; 0 and 1 are accepted.
  public func boolean(_ name: String) -> Bool? { object.flag(name) }

  /// The date of a field.
  public func date(_ name: String) -> Date? {
    object.date(name).map { Date(timeIntervalSinceReferenceDate: $0) }
  }

  /// A copy of the bytes of a field.
  public func data(_ name: String) -> Data? { object.bytes(name).map { Data($0) } }

  /// The object that a field refers to.
  public func object(_ name: String) -> ArchivedFields? {
    object.object(name).map { ArchivedFields(object: $0) }
  }
}

/// An application's class as the reader of archives asks it.
private enum ApplicationFamily<Described: ArchivedClass>: ClassFamily {
  static var classNames: [String] { Described.classNames }
  static var shown: String { "a value of the application" }

  static func value(of object: ArchivedObject) -> Value? {
    switch Described.value(of: ArchivedFields(object: object)) {
    case .boolean(let flag): .boolean(flag)
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    case .date(let date): .date(date.timeIntervalSinceReferenceDate)
    case .text(let text): object.derivedText { text }
    case nil: nil
    }
  }

  static func summary(of object: ArchivedObject) -> String? {
    Described.summary(of: ArchivedFields(object: object))
  }
}

extension ArchiveReader {
  /// A reader that knows classes of an application.
  convenience init(recovering: Bool, classes: [any ArchivedClass.Type]) {
    func family<Described: ArchivedClass>(of type: Described.Type) -> any ClassFamily.Type {
      ApplicationFamily<Described>.self
    }
    self.init(recovering: recovering, classes: classes.map { family(of: $0) })
  }
}
