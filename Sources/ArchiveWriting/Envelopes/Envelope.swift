// Envelopes: how a model value is wrapped in an archive, and how it is found in one.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveTypedStreams
import KeyedArchives

/// How a model value is wrapped; the layer between encoding and model.
package enum Envelope: String, Sendable, CaseIterable {
  /// A keyed archive whose root is an NSDictionary of the fields, or an NSArray of such.
  case dictionariable
  /// A keyed archive whose root is an NSData with a property list from PropertyListEncoder.
  case codable
  /// A keyed archive whose root object, of an application's class, has a key for each field.
  case nscoding
  /// A typedstream, whose values have no names.
  case sequential
  /// A property list without an archive around it.
  case plist
  /// JSON.
  case json
}

/// A model value, its envelope taken off.
package struct UnwrappedModel {
  /// The kind of the envelope.
  package let envelope: Envelope
  /// The model value.
  package private(set) var root: Node
  /// The same as it is stored, with its member for lost values.
  package let stored: Node
  /// The values that a migration could not carry, in the model's member `x-lost`, which is not part of the model: a string of
  /// typed JSON, because no envelope can represent every value.
  package let lost: Text?
  /// The class of the root object, or of the first object of a root array; nil outside `nscoding`.
  package let className: ClassName?
  /// The top-level key of the model in a keyed archive; nil where several keys are the members of one model.
  package let topKey: String?

  /// The top-level key that `archiveRootObject(_:)` writes.
  package static let rootKey = "root"

  /// The same with another value as the model: as a version reads it.
  package func replacingRoot(_ root: Node) -> UnwrappedModel {
    var model = self
    model.root = root
    return model
  }

  /// The value of the one top-level key, or the dictionary of several.
  fileprivate static func top(
    of graph: ObjectGraph, _ number: UInt32
  ) -> (root: Node, key: String?)? {
    let (document, root) = (graph.documents[Int(number)], graph.root(of: number))
    guard document.isKeyedArchive, let facts = document.archive else {
      return (root, rootKey)
    }
    guard let first = facts.topNodes.first else { return nil }
    return facts.topNodes.count == 1 ? (first, facts.topKeys.first) : (root, nil)
  }

  fileprivate static func parts(
    of graph: ObjectGraph, _ root: Node
  ) -> (Envelope, ClassName?, Node)? {
    let document = graph.document(of: root)
    guard let facts = document.archive else {
      if document.encoding == .json { return (.json, nil, root) }
      graph.readNullMarks(in: root.document)
      return (.plist, nil, root)
    }
    if document.encoding == .typedStream { return (.sequential, nil, root) }
    // No version of a schema is one of these.
    if document.encoding.isLaidOutAsArchive { return nil }
    // Several top-level values are the fields of one object without a class.
    if root.index == facts.topDictionary { return (.nscoding, nil, root) }
    switch graph.value(of: root) {
    case .data:
      guard let content = graph.content(of: root),
        graph.document(of: content).archive == nil
      else { return nil }
      graph.readNullMarks(in: content.document)
      return (.codable, nil, content)
    case .object(let index, _):
      return (.nscoding, ClassName(stored: graph.classes[index].name), root)
    case .array(let elements):
      if elements.count > 0,
        case .object(let index, _) = graph.value(of: graph.node(elements, 0))
      {
        return (.nscoding, ClassName(stored: graph.classes[index].name), root)
      }
      return (.dictionariable, nil, root)
    case .dictionary: return (.dictionariable, nil, root)
    default: return nil
    }
  }

  // MARK: Lost values

  /// The member for values that a migration could not carry.
  package static let lostMember = "x-lost"

  /// Whether a string begins as a record of lost values does; an application may have a member of that name, too.
  private static func isRecord(_ text: Text) -> Bool {
    let begin = text.string.prefix(64).filter { !$0.isWhitespace }
    return begin.hasPrefix(#"{"archtool":"#)
  }

  /// The model without its member for lost values, and the content of that member.
  fileprivate static func withoutLost(_ root: Node, of graph: ObjectGraph) -> (Node, Text?) {
    // It is put at the end.
    guard case .members(let pairs)? = GraphContainer(graph.value(of: root)), pairs.count > 0,
      let position = (0..<pairs.count).last(where: {
        graph.memberName(pairs, $0)?.equals("x-lost") == true
      }), case .string(let lost) = graph.value(of: graph.value(pairs, position)),
      isRecord(lost)
    else { return (root, nil) }
    let others = (0..<pairs.count).filter { $0 != position }
    let form = SyntheticValue.pairs(
      others.map { index in
        let key = graph.memberName(pairs, index).map { SyntheticValue.string($0.string) }
        return (key ?? .node(graph.key(pairs, index)), .node(graph.value(pairs, index)))
      })
    let parts = others.map { index in
      let position = pairs.position(index)
      return Origin.Part(
        slot: graph.slot(pairs.values, position), key: graph.slot(pairs.keys, position))
    }
    return (graph.add(.changed(form, Origin(node: root, parts: parts)), near: root), lost)
  }
}

extension ObjectGraph {
  /// Takes the envelope off an input, or off the archive in a data value.
  ///
  /// This changes the graph: from then on the strings "$null" of a property list, in an archive or without, are nil, as they
  /// are to PropertyListDecoder, and a model without its member for lost values is a value beside the others.
  ///
  /// - Parameter content: the root of the data value's content; nil for the input.
  /// - Returns: nil for keyed archives without an envelope: without top-level keys, with a scalar root, or
  ///   with data other than a property list.
  package func unwrapModel(content: Node? = nil) -> UnwrappedModel? {
    guard let (top, topKey) = UnwrappedModel.top(of: self, content?.document ?? 0),
      let (envelope, className, stored) = UnwrappedModel.parts(of: self, top)
    else { return nil }
    let (root, lost) = UnwrappedModel.withoutLost(stored, of: self)
    return UnwrappedModel(
      envelope: envelope, root: root, stored: stored, lost: lost, className: className,
      topKey: topKey)
  }
}

// MARK: - A model value put into an envelope

/// Wraps model values.
package enum EnvelopeWriter {
  /// Puts a model value into an envelope.
  ///
  /// - Parameters:
  ///   - root: the model value.
  ///   - shape: the types of its numbers in the application.
  ///   - className: the class of the root object; only `nscoding` needs one.
  ///   - topKey: the top-level key of keyed archives.
  /// - Returns: the bytes of the file.
  /// - Throws: `ArchiveError` if the envelope cannot express the value.
  package static func wrap(
    _ root: Node, of graph: ObjectGraph, in envelope: Envelope, shape: any TypeHints,
    className: String? = nil, topKey: String = UnwrappedModel.rootKey
  ) throws(ArchiveError) -> ByteBuffer {
    switch envelope {
    case .codable:
      let inner = try CodableCopy.copy(root, of: graph, shape: shape)
      let archive = KeyedWriter.dataArchive(topKey: topKey)
      return BinaryWriter.write(archive.document, with: archive.data, as: inner)
    case .plist:
      return BinaryWriter.write(try CodableCopy.copy(root, of: graph, shape: shape))
    case .json:
      let value = ObjectGraph(limits: graph.limits)
      _ = value.add(
        try CodableCopy.copy(
          root, of: graph, shape: shape, nulls: .kept, json: shape.jsonCoding))
      var output = OutputBuffer(descriptor: nil)
      try JSONWriter.write(value.root, of: value, to: &output)
      return output.intoBytes()
    case .sequential: return try TypedStreamEncoder.encode(root, of: graph)
    case .dictionariable:
      return BinaryWriter.write(try KeyedWriter.document(root, of: graph, topKey: topKey))
    case .nscoding:
      guard let className else {
        throw ArchiveError(
          .unrepresentable, "an NSCoding archive needs the name of its root object's class")
      }
      return BinaryWriter.write(
        try KeyedWriter.document(
          root, of: graph, root: .object(className: className), topKey: topKey))
    }
  }
}
