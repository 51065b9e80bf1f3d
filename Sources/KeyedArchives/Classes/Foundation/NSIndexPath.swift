// NSIndexPath: `NSIndexPathLength`, one index as `NSIndexPathValue`, several as `NSIndexPathData`
// (swift-corelibs-foundation: NSIndexPath.swift).

import ObjectGraph

/// NSIndexPath.
enum NSIndexPathClass: FrameworkClass {
  static let classNames = ["NSIndexPath", "UIMutableIndexPath"]
  static let shown = "its indexes"
  static let isSimple = true

  static func value(of object: ArchivedObject) -> Value? {
    let spelled = ["NSIndexPathLength", "NSIndexPathData", "NSIndexPathValue"]
    return object.derivedObject(spelling: spelled) {
      guard let indexes = indexes(of: object) else { return nil }
      return [("indexes", .list(indexes.map { .integer($0) }))]
    }
  }

  static func summary(of object: ArchivedObject) -> String? {
    guard let indexes = indexes(of: object) else { return nil }
    let start = indexes.prefix(16).map { String($0) }.joined(separator: " – ")
    return indexes.isEmpty ? "empty" : start + (indexes.count > 16 ? " …" : "")
  }

  private static func indexes(of object: ArchivedObject) -> [Int64]? {
    guard let length = object.integer("NSIndexPathLength") else { return nil }
    let indexes: [Int64]
    if object.has("NSIndexPathData") {
      guard let bytes = object.bytes("NSIndexPathData"), let numbers = LEB128.all(of: bytes) else {
        return nil
      }
      indexes = numbers
    } else if object.has("NSIndexPathValue") {
      guard let value = object.integer("NSIndexPathValue") else { return nil }
      indexes = [value]
    } else {
      indexes = []
    }
    return Int64(indexes.count) == length ? indexes : nil
  }

  // MARK: Stored form

  static let storedForm = StoredForm.made(
    StoredFormMaker(shown: ["indexes"]) { value throws(FormRefusal) in
      var members = try value.members()
      let nodes = try members.required(members.elements("indexes"), "indexes")
      try members.end()
      let numbers = nodes.compactMap { value.integer($0) }
      guard numbers.count == nodes.count, numbers.allSatisfy({ $0 >= 0 }) else {
        throw FormRefusal(reason: "its indexes are not integers from 0 on")
      }
      let length = StoredField("NSIndexPathLength", .integer(Int64(numbers.count)))
      switch numbers.count {
      case 0: return [length]
      case 1: return [length, StoredField("NSIndexPathValue", .integer(numbers[0]))]
      default:
        let data = StoredValue.data(LEB128.bytes(of: numbers), isMutable: false)
        return [length, StoredField("NSIndexPathData", data)]
      }
    })

  // MARK: Codable

  static let codableForm: CodableForm? = CodableForm(fields: [
    "NSIndexPathLength", "NSIndexPathData", "NSIndexPathValue",
  ]) { spelled($0) }

  /// IndexPath: `{indexes}`.
  private static func spelled(_ fields: ObjectFields) -> CodableSpelling? {
    guard let length = fields.integer("NSIndexPathLength") else { return nil }
    var indexes: [CodableSpelling] = []
    if let data = fields.data("NSIndexPathData") {
      var numbers = LEB128(data)
      while let number = numbers.next() { indexes.append(.integer(number)) }
    } else if let value = fields.integer("NSIndexPathValue") {
      indexes.append(.integer(value))
    }
    guard indexes.count == length else { return nil }
    return .dictionary([("indexes", .array(indexes))])
  }
}
