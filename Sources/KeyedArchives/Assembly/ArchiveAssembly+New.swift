// Values without a stored form: those that a lens adds, and those of a property list.

import Basics
import ObjectGraph

extension ArchiveAssembly {
  /// A new value, with the class and the storage of its schema.
  mutating func newPart(_ value: Value, _ trail: Int) throws(ArchiveError) -> Part {
    let rule = rule(value, trail)
    switch graph.value(of: value.node) {
    case .null: return value.holder == .field ? .object(0) : .object(nullObject())
    case .boolean, .integer, .unsigned, .wide, .real, .single:
      return try number(value, rule, trail)
    case .data:
      let index = scalar(of: value.node)
      if value.holder == .field, (value.storage ?? heldStorage(value) ?? rule?.storage) == .inline {
        return .built(index)
      }
      let name = className(rule, "NSData")
      guard FoundationClass.isMutable(name) else { return .object(object(ofScalar: index, value)) }
      return .object(replacement(value, name, index) { $0.object(name, [("NS.data", index)]) })
    case .string(let text): return try string(text, value, rule, trail)
    case .date(let seconds):
      let index = builder.add(seconds)
      return .object(
        replacement(value, "NSDate", index) { $0.object("NSDate", [("NS.time", index)]) })
    case .uid:
      throw unknown("a UID from outside a keyed archive cannot be stored in one", trail)
    case .array, .set, .orderedSet, .dictionary, .object:
      return try newContainer(value, trail)
    }
  }

  /// The class of a new value: the schema's, or a plain one in the schema's form.
  private func className(_ rule: StructureRule?, _ plain: String) -> String {
    let name = rule?.className ?? plain
    return rule?.isMutable == true ? FoundationClass.mutable(name) : name
  }

  // MARK: Numbers

  private mutating func number(
    _ value: Value, _ rule: StructureRule?, _ trail: Int
  ) throws(ArchiveError) -> Part {
    if let name = rule?.className, let made = try frameworkObject(value.node, name, value, trail) {
      return .object(made)
    }
    let index = shaped(value.node, request.shape.number(value.place))
    guard value.holder == .field else { return .object(object(ofScalar: index, value)) }
    var storage = value.storage ?? heldStorage(value)
    if storage == nil { storage = try self.storage(rule, trail) }
    return storage == .inline ? .built(index) : .object(object(ofScalar: index, value))
  }

  /// The storage of the value that this one replaces.
  private func heldStorage(_ value: Value) -> FieldStorage? {
    guard let slot = value.slot, isStored(graph.node(in: slot)) else { return nil }
    switch graph.value(of: graph.node(in: slot)) {
    case .boolean, .integer, .unsigned, .wide, .real, .single, .data:
      return graph.objectNumber(in: slot) == nil ? .inline : .boxed
    default: return nil
    }
  }

  /// A number in the type that the schema gives it, as a coder would write it.
  private mutating func shaped(_ node: Node, _ shape: NumberShape) -> UInt32 {
    switch (graph.value(of: node), shape) {
    case (.integer(let number), .boolean) where number == 0 || number == 1:
      return builder.add(number == 1)
    case (.integer(let number), .real) where Int64(exactly: Double(number)) == number:
      return builder.add(Double(number))
    case (.real(let number), .integer):
      guard let whole = Int64(exactly: number) else { return scalar(of: node) }
      return builder.add(whole)
    default: return scalar(of: node)
    }
  }

  // MARK: Strings

  mutating func string(
    _ text: Text, _ value: Value, _ rule: StructureRule?, _ trail: Int
  ) throws(ArchiveError) -> Part {
    let name = className(rule, "NSString")
    if FoundationClass.immutable(name) == "NSString" {
      let index = builder.add(text)
      // A bare "$null" is nil to every decoder.
      guard name == "NSMutableString" || text.equals("$null") else {
        return .object(object(ofScalar: index, value))
      }
      return .object(replacement(value, name, index) { $0.stringObject(index, name) })
    }
    guard name != "NSURL" || URLReference.isWellFormed(text.string) else {
      throw unknown(
        "the string is not a URL, which its class requires", trail, about: .refusedContent)
    }
    guard let made = try frameworkObject(value.node, name, value, trail) else {
      throw unknown("a string cannot become an object of the class \(name)", trail)
    }
    return .object(made)
  }

  /// A string that is an object with a class.
  mutating func stringObject(_ index: UInt32, _ name: String) -> Int {
    object(name, [("NS.string", index)])
  }

  // MARK: Objects of Foundation

  /// An object of a Foundation class whose fields are stored in it.
  mutating func object(_ name: String, _ values: [(String, UInt32)]) -> Int {
    var fields = values.map { Field(key: .built(builder.add($0.0)), value: .built($0.1)) }
    appendClass(name, to: &fields)
    return add(.pairs(fields))
  }

  mutating func appendClass(_ name: String, to fields: inout [Field]) {
    guard let record = record(.named(name, FoundationClass.chain(of: name))) else { return }
    fields.append(Field(key: .built(builder.add("$class")), value: record))
  }

  mutating func nullObject() -> Int {
    if let known = nullObjectNumber { return known }
    let object = object("NSNull", [])
    nullObjectNumber = object
    return object
  }
}
