// The classes that a NIBArchive names.

import Basics

/// A class of a NIBArchive's objects.
struct NibClass {
  /// What an object of the class represents in Foundation.
  enum Role {
    case string, number, list, pairs, other
  }

  let name: String
  let role: Role
  /// The numbers of the classes to take where the class itself is not there, the best first.
  let fallbacks: [Int]
  let offset: Int

  /// The superclass of a string that has more than its characters; a NIBArchive does not store it.
  var superclassName: String? { name == "NSLocalizableString" ? "NSString" : nil }

  private static let roles: [String: Role] = [
    "NSString": .string, "NSNumber": .number, "NSArray": .list, "NSMutableArray": .list,
    "NSSet": .list, "NSMutableSet": .list, "NSOrderedSet": .list, "NSMutableOrderedSet": .list,
    "NSDictionary": .pairs, "NSMutableDictionary": .pairs,
  ]

  /// Reads the list of classes.
  ///
  /// - Throws: `ArchiveError` for a name that is not UTF-8, or a fallback that is not in the list.
  static func list(
    _ bytes: UnsafeRawBufferPointer, _ list: NibHeader.List
  ) throws(ArchiveError) -> [NibClass] {
    var cursor = NibCursor(bytes, at: list.offset)
    var classes: [NibClass] = []
    classes.reserveCapacity(list.count)
    for _ in 0..<list.count { classes.append(try NibClass(&cursor, among: list.count)) }
    return classes
  }

  private init(_ cursor: inout NibCursor, among count: Int) throws(ArchiveError) {
    offset = cursor.position
    let length = try cursor.variable("the length of a class name")
    let fallbackCount = try cursor.variable("the number of fallback classes")
    var fallbacks: [Int] = []
    for _ in 0..<fallbackCount {
      let place = cursor.position
      let number = Int(try cursor.little(4, "the number of a fallback class"))
      guard number < count else {
        throw ArchiveError(
          .malformed, "a class has the fallback class \(number), but there are \(count)",
          offset: place)
      }
      fallbacks.append(number)
    }
    let content = try cursor.take(length, "a class name")
    // The length counts the zero at the end.
    let isEnded = content.last == 0
    let text = UnsafeRawBufferPointer(rebasing: isEnded ? content.dropLast() : content[...])
    guard let name = String(validating: text, as: UTF8.self), !name.isEmpty else {
      throw ArchiveError(
        .malformed, "a class name of a NIBArchive must be UTF-8 and not empty", offset: offset)
    }
    self.name = name
    role = Self.roles[name] ?? .other
    self.fallbacks = fallbacks
  }
}
