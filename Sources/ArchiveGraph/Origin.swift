// Where a changed value comes from: what an archive has to keep of it beside its value.

/// How a field of an archived object stores its value, which determines the coder call that reads it.
public enum FieldStorage: String, Sendable, CaseIterable {
  /// In the object itself, as `encode(_: Int, forKey:)` writes a number: read by `decodeInteger(forKey:)` and its like.
  case inline
  /// As a separate object, behind a UID: read by `decodeObject(forKey:)`.
  case boxed

  /// The other one.
  package var other: FieldStorage { self == .inline ? .boxed : .inline }
}

/// The content of a container at one of its positions: a UID, or a value that is stored in it.
public struct Slot: Hashable, Sendable {
  /// The number of the document.
  public let document: UInt32
  /// The stored index of the UID or the value.
  package let reference: UInt32

  /// Makes a slot.
  package init(document: UInt32, reference: UInt32) {
    self.document = document
    self.reference = reference
  }
}

/// The original of a changed value.
public struct Origin {
  /// A member or an element, as it was held before.
  public struct Part {
    /// Where it was held; nil for one that was added.
    package let slot: Slot?
    /// Where the key is held that it had and has; nil for elements, and for members of another name.
    package let key: Slot?
    /// The new storage; nil to keep the current one.
    package let storage: FieldStorage?

    /// Makes a part.
    package init(slot: Slot?, key: Slot? = nil, storage: FieldStorage? = nil) {
      self.slot = slot
      self.key = key
      self.storage = storage
    }
  }

  /// The container that was changed; nil for one that was added.
  package let node: Node?
  /// The members or elements, in the order of the value.
  package let parts: [Part]
  /// The class that the object shall have from now on; nil to keep its own.
  package let newClass: String?

  /// Makes an origin.
  package init(node: Node?, parts: [Part], newClass: String? = nil) {
    self.node = node
    self.parts = parts
    self.newClass = newClass
  }
}

extension ObjectGraph {
  /// The content at a position of a container; nil for elements that are not stored.
  package func slot(_ elements: Elements, _ position: Int) -> Slot? {
    guard elements.width > 0 else { return nil }
    let reference = bigEndian(elements.start + position &* elements.width, elements.width)
    return Slot(document: elements.document, reference: UInt32(truncatingIfNeeded: reference))
  }

  /// The values that were changed, by what they were before.
  ///
  /// - Parameter root: where the changed values are looked for: down to the first that was not changed.
  package func changes(below root: Node) -> [Node: Node] {
    var changes: [Node: Node] = [:]
    var waiting = [root]
    while let node = waiting.popLast() {
      guard let origin = origin(of: node) else { continue }
      if let before = origin.node { changes[before] = node }
      switch value(of: node) {
      case .array(let elements):
        for position in 0..<elements.count { waiting.append(self.node(elements, position)) }
      case .dictionary(let pairs):
        for position in 0..<pairs.count { waiting.append(value(pairs, position)) }
      default: break
      }
    }
    return changes
  }

  /// The value that a slot leads to.
  package func node(in slot: Slot) -> Node { follow(slot.reference, in: slot.document) }

  /// The object number in a slot; nil for a value that is stored in its container, and outside keyed archives.
  package func objectNumber(in slot: Slot) -> UInt32? {
    let table = documents[Int(slot.document)].table
    guard documents[Int(slot.document)].archive != nil,
      table.marker(of: slot.reference) >> 4 == Marker.uid
    else { return nil }
    return UInt32(exactly: table.uid(at: slot.reference))
  }
}
