// IOKit's way to write a value once: `ID` names an element, `IDREF` stands for it (xnu, OSUnserializeXML.y).

import Basics
internal import CLibXML2
import ObjectGraph

/// The elements of a text with the attributes `ID` or `IDREF`.
struct XMLIdentifiers {
  /// An element that is open.
  private struct Element {
    /// How many elements are around it.
    let depth: Int
    let identifier: String?
    let target: UInt32?
  }

  private var open: [Element] = []
  /// The values of the elements that have ended.
  private var values: [String: UInt32] = [:]
  /// Whether an element refers to another.
  private(set) var hasReferences = false

  /// Adds an element.
  ///
  /// - Returns: whether the element that it refers to is known.
  mutating func add(identifier: String?, reference: String?, depth: Int) -> Bool {
    let target = reference.flatMap { values[$0] }
    open.append(Element(depth: depth, identifier: identifier, target: target))
    hasReferences = hasReferences || target != nil
    return reference == nil || target != nil
  }

  /// The value that an element refers to; nil if it has its own.
  func target(of depth: Int) -> UInt32? { open.last?.depth == depth ? open.last?.target : nil }

  /// Keeps the value of an element that ends.
  mutating func keep(_ index: UInt32, of depth: Int) {
    guard let last = open.last, last.depth == depth else { return }
    open.removeLast()
    if let identifier = last.identifier { values[identifier] = index }
  }
}

extension XMLAssembly {
  /// Looks at the attributes of the element that begins.
  @inline(never)
  mutating func identify(
    _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, _ count: Int
  ) {
    var found: [String: String] = [:]
    for number in 0..<count {
      // The name, its prefix and namespace, and where the value begins and ends.
      guard let attribute = attributes.map({ $0 + number * 5 }), let name = attribute[0],
        let start = attribute[3], let end = attribute[4]
      else { continue }
      let bytes = UnsafeRawBufferPointer(start: start, count: end - start)
      found[String(cString: name)] = String(decoding: bytes, as: UTF8.self)
    }
    let (identifier, reference) = (found["ID"], found["IDREF"])
    guard identifier != nil || reference != nil, stack.last?.pointee.element != .plist else {
      return
    }
    // Values that are referred to need an index of their own.
    builder.settle()
    builder.isDeferring = false
    var identifiers = self.identifiers ?? XMLIdentifiers()
    let isFirst = !identifiers.hasReferences
    let isKnown = identifiers.add(
      identifier: identifier, reference: reference, depth: stack.count - 1)
    self.identifiers = identifiers
    guard let reference else { return }
    let offset = position.map { $0 - bytesOfTag(length: 0) }
    if !isKnown {
      note("no element before this one has the ID '\(reference.prefix(40))'", at: offset)
    } else if isFirst {
      note(
        "IDREF stands for the element with that ID; Foundation reads the element itself",
        at: offset)
    }
  }

  /// Ends an element that stands for another.
  ///
  /// - Returns: false if it does not.
  mutating func endIdentified(_ element: XMLElement) -> Bool {
    guard let target = identifiers?.target(of: stack.count),
      element != .key || builder.string(at: target) != nil
    else { return false }
    if element == .dict || element == .array {
      builder.discardOpen()
      containers.removeLast()
    }
    add(target)
    return true
  }
}
