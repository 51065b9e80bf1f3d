// A value that an edit puts into a file, as typed JSON: the type of everything is in its tags.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveWriting

/// A value in typed JSON, outside any file.
///
/// It is held as the values of the JSON text, whose tags are interpreted where the value is used: a keyed archive and a
/// property list store the same value differently.
package struct TypedValue: Sendable {
  /// The JSON text in UTF-8, on one line and without its end.
  package let json: ByteStorage

  /// Reads typed JSON.
  ///
  /// - Throws: `ArchiveError` if the text is not JSON, or an integer has more than 64 bits.
  package init(json storage: ByteStorage, limits: Limits = Limits()) throws(ArchiveError) {
    let document = try JSONReader.read(storage.bytes, limits: limits, marksWide: true)
    try self.init(document, limits: limits)
  }

  /// Reads typed JSON.
  ///
  /// - Throws: as for bytes.
  package init(json text: String, limits: Limits = Limits()) throws(ArchiveError) {
    try self.init(json: ByteStorage(copying: Array(text.utf8)), limits: limits)
  }

  /// Takes the value of a node with everything that it refers to.
  ///
  /// - Throws: `ArchiveError` with code `limit` if shared values multiply too much.
  package init(_ node: Node, of graph: ObjectGraph) throws(ArchiveError) {
    var output = OutputBuffer(descriptor: nil)
    try JSONWriter.write(
      node, of: graph, options: JSONWriter.Options(isTyped: true, isCompact: true), to: &output)
    json = ByteStorage(copying: ByteView(rebasing: output.bytes.bytes.dropLast()))
  }

  /// Takes a part of a JSON document, whose tags were not interpreted.
  ///
  /// - Parameter index: the part; nil for the whole.
  /// - Throws: `ArchiveError` if an integer has more than 64 bits.
  package init(
    _ document: Document, at index: UInt32? = nil, limits: Limits = Limits()
  ) throws(ArchiveError) {
    let part = document.withTop(index ?? document.top)
    let graph = ObjectGraph(limits: limits)
    let number = graph.add(part)
    try WideIntegers.refuse(in: graph.root(of: number), of: graph)
    var output = OutputBuffer(descriptor: nil)
    _ = try JSONFormat.write(part, WritingOptions(limits: limits, isCompact: true), to: &output)
    json = ByteStorage(copying: ByteView(rebasing: output.bytes.bytes.dropLast()))
  }

  /// The text.
  package var text: String { String(decoding: json.bytes, as: UTF8.self) }

  /// The values of the text, whose tags are not interpreted.
  func document(_ limits: Limits) throws(ArchiveError) -> Document {
    try JSONReader.read(json.bytes, fileOffset: nil, limits: limits)
  }

  // MARK: What the text says of its value

  /// NSNull, which represents null in collections of keyed archives.
  static let nullObject = TypedValue(
    unchecked: #"{"$object":{"class":"NSNull","classes":["NSNull","NSObject"],"fields":{}}}"#)

  init(unchecked text: String) { json = ByteStorage(copying: Array(text.utf8)) }

  /// The outermost tag that says more than an identity; nil without one.
  func tag(_ limits: Limits) throws(ArchiveError) -> JSONTag? {
    let document = try document(limits)
    var index = document.top
    while document.table.marker(of: index) >> 4 == Marker.dictionary {
      let tag = JSONTag(index, in: document.table)
      guard case .identified(_, let value)? = tag else { return tag }
      index = value
    }
    return nil
  }

  func isNull(_ limits: Limits) throws(ArchiveError) -> Bool {
    let document = try document(limits)
    return document.table.marker(of: document.top) == 0
  }

  /// The name of its type.
  func kind(_ limits: Limits) throws(ArchiveError) -> String {
    let graph = ObjectGraph(limits: limits)
    return graph.value(of: try graph.add(typedJSON: json)).typeName
  }

  /// The same number in the type of another, if it has no type of its own and that type represents it: JSON has one
  /// type of numbers.
  func like(_ old: Value?) throws(ArchiveError) -> TypedValue {
    let document = try document(Limits())
    guard let old, document.table.marker(of: document.top) >> 4 < Marker.array else { return self }
    switch (document.table.scalar(at: document.top), old) {
    case (.integer(let number), .real) where Int64(exactly: Double(number)) == number:
      return TypedValue(unchecked: "{\"$real\":\(number)}")
    case (.integer(let number), .single)
    where Float(number).isFinite && Int64(exactly: Float(number)) == number:
      return TypedValue(unchecked: "{\"$float\":\(number)}")
    case (.real(let number), .single)
    where Double(Float(number).description) == number || Double(Float(number)) == number:
      return TypedValue(unchecked: "{\"$float\":\(number)}")
    case (.real(let number), .integer), (.real(let number), .unsigned):
      guard let whole = Int64(exactly: number) else { return self }
      return TypedValue(unchecked: "\(whole)")
    default: return self
    }
  }
}
