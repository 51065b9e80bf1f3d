// The scalars of a copied model, and the Codable forms of objects.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import KeyedArchives

extension CodableCopy {
  mutating func addDate(
    _ seconds: Double, _ node: Node, _ schemaIndex: Int?
  ) throws(ArchiveError) -> UInt32 {
    guard let json else { return builder.add(date: seconds) }
    if let schemaIndex, shape.exactType(schemaIndex) != .date {
      throw problem(
        .unrepresentable,
        "JSON has no dates; the schema must name this one with x-plist-type date, or a lens convert it",
        node)
    }
    switch json.encode(seconds) {
    case .number(let number)?: return builder.add(number)
    case .text(let text)?: return builder.add(text)
    case nil:
      throw problem(
        .unrepresentable,
        "the date cannot be written exactly as '\(json.datesName)' of x-archive; 'reference' can represent every date",
        node)
    }
  }

  mutating func addData(
    _ bytes: UnsafeRawBufferPointer, _ node: Node, _ schemaIndex: Int
  ) throws(ArchiveError) -> UInt32 {
    guard json != nil else { return builder.add(data: bytes) }
    guard shape.exactType(schemaIndex) == .data else {
      throw problem(
        .unrepresentable,
        "JSON has no data; the schema must name this with x-plist-type data, or a lens convert it",
        node)
    }
    var text = ByteBuffer(capacity: bytes.count / 3 * 4 + 4)
    Base64.encode(bytes, to: &text)
    return builder.add(String(decoding: text.bytes, as: UTF8.self))
  }

  mutating func addBoolean(_ flag: Bool, _ schemaIndex: Int) -> UInt32 {
    switch shape.number(schemaIndex) {
    case .integer: return builder.add(Int64(flag ? 1 : 0))
    case .real: return builder.add(flag ? 1.0 : 0.0)
    case .any, .boolean: return builder.add(flag)
    }
  }

  mutating func addInteger(_ number: Int64, _ schemaIndex: Int) -> UInt32 {
    switch shape.number(schemaIndex) {
    case .real where Int64(exactly: Double(number)) == number: return builder.add(Double(number))
    case .boolean where number == 0 || number == 1: return builder.add(number == 1)
    default: return builder.add(number)
    }
  }

  mutating func addReal(_ number: Double, _ schemaIndex: Int) -> UInt32 {
    switch shape.number(schemaIndex) {
    // No integer and no boolean is -0.0.
    case _ where number == 0 && number.sign == .minus: break
    case .integer:
      if let integer = Int64(exactly: number) { return builder.add(integer) }
    case .boolean where number == 0 || number == 1: return builder.add(number == 1)
    default: break
    }
    return builder.add(number)
  }

  // MARK: Codable forms

  /// Codable's form; in JSON that of JSONEncoder, unless the schema names a member of the property list's.
  func form(of node: Node, _ schemaIndex: Int) -> SyntheticValue? {
    let form = CodableForms.form(of: node, in: graph)
    if json == nil { return form }
    if case .members(let members)? = form,
      members.contains(where: { shape.names($0.name, in: schemaIndex) })
    {
      return form
    }
    return CodableForms.jsonForm(of: node, in: graph)
  }

  /// The Codable form of an object whose value is a string, nil if that is the string itself.
  func ownForm(of node: Node, _ schemaIndex: Int) throws(ArchiveError) -> SyntheticValue? {
    if let form = self.form(of: node, schemaIndex) { return form }
    guard let index = graph.classIndex(of: node) else { return nil }
    // A predicate's text, for example, is for people; Codable encodes it differently.
    let description = graph.classes[index]
    guard ClassRegistry.isText(description) else {
      throw problem(
        .unrepresentable, "\(description.displayName) has no Codable form that is known", node)
    }
    return nil
  }

  mutating func add(_ form: SyntheticValue) throws(ArchiveError) -> UInt32 {
    switch form {
    case .node(let node): return try addScalar(node)
    case .list(let elements):
      var indexes: [UInt32] = []
      for element in elements { indexes.append(try add(element)) }
      return builder.add(list: indexes)
    case .members(let members):
      var pairs: [(UInt32, UInt32)] = []
      for (key, value) in members { pairs.append((builder.add(key), try add(value))) }
      return builder.add(pairs: pairs)
    case .string(let text): return builder.add(text)
    case .boolean(let flag): return builder.add(flag)
    case .integer(let number): return builder.add(number)
    case .real(let number): return builder.add(number)
    default: return builder.addNull()
    }
  }

  private mutating func addScalar(_ node: Node) throws(ArchiveError) -> UInt32 {
    switch graph.value(of: node) {
    case .boolean(let flag): return builder.add(flag)
    case .integer(let number): return builder.add(number)
    case .unsigned(let number): return builder.add(unsigned: number)
    case .wide(let number): return builder.add(wide: number.number)
    case .real(let number): return builder.add(number)
    case .single(let number): return builder.add(number)
    case .date(let seconds): return try addDate(seconds, node, nil)
    case .string(let text): return builder.add(text)
    default: return nulls == .marked ? builder.add("$null") : builder.addNull()
    }
  }
}
