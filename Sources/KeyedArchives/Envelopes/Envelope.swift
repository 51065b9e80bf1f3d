// Envelopes: how a model value is wrapped in an archive, and how it is found in one.

import ObjectGraph

/// How a model value is wrapped; the layer between encoding and model.
public enum Envelope: String, Sendable, CaseIterable {
  /// A keyed archive whose root is an NSDictionary of the fields, or an NSArray of such.
  case dictionariable
  /// A keyed archive whose root NSData holds a property list that PropertyListEncoder wrote.
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
public struct UnwrappedModel {
  /// What the envelope was.
  public let envelope: Envelope
  /// The model value.
  public let root: Node
  /// The class of the root object, or of the first object of a root array; nil outside `nscoding`.
  public let className: ClassName?

  /// Takes the envelope off an input.
  ///
  /// - Returns: nil for keyed archives that are no envelope: several top-level keys, a scalar root, or
  ///   data that holds no property list.
  public init?(_ graph: ObjectGraph) {
    let root = graph.root
    guard graph.documents[0].archive != nil else {
      envelope = graph.documents[0].encoding == .json ? .json : .plist
      self.root = root
      className = nil
      return
    }
    if graph.documents[0].encoding == .typedStream {
      (envelope, self.root, className) = (.sequential, root, nil)
      return
    }
    guard root.index != graph.documents[0].archive?.topDictionary else { return nil }
    switch graph.value(of: root) {
    case .data:
      guard let content = graph.content(of: root),
        graph.document(of: content).archive == nil
      else { return nil }
      (envelope, self.root, className) = (.codable, content, nil)
    case .object(let index, _):
      envelope = .nscoding
      self.root = root
      className = ClassName(stored: graph.classes[index].name)
    case .array(let elements):
      self.root = root
      if elements.count > 0,
        case .object(let index, _) = graph.value(of: graph.node(elements, 0))
      {
        (envelope, className) = (.nscoding, ClassName(stored: graph.classes[index].name))
      } else {
        (envelope, className) = (.dictionariable, nil)
      }
    case .dictionary: (envelope, self.root, className) = (.dictionariable, root, nil)
    default: return nil
    }
  }
}
