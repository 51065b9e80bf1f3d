// What the objects of a NIBArchive are in Foundation: strings, numbers and collections are stored value by value.

import ObjectGraph

/// An object of a NIBArchive.
struct NibObject {
  /// A scalar that the object represents.
  enum Scalar {
    case text(String)
    case value(NibValue)
  }

  let role: NibClass.Role
  let values: [(key: NibKey, value: NibValue)]

  /// The string or number, if the object has nothing else.
  ///
  /// A string that keyed archives use for nil remains an object.
  var scalar: Scalar? {
    guard values.count == 1, let (key, value) = values.first else { return nil }
    switch (role, key.role, value.content) {
    case (.string, .bytes, .data(let content)):
      guard let text = String(validating: content, as: UTF8.self), text != "$null" else {
        return nil
      }
      return .text(text)
    case (.number, .integer, .integer), (.number, .real, .single), (.number, .real, .real),
      (.number, .boolean, .boolean):
      return .value(value)
    default: return nil
    }
  }

  /// The elements of a list, if the object is one and has nothing else.
  var elements: [NibValue]? { role == .list ? inlined : nil }

  /// The keys and values of a dictionary, if the object is one and has nothing else.
  var pairs: (keys: [NibValue], values: [NibValue])? {
    guard role == .pairs, let inlined, inlined.count % 2 == 0 else { return nil }
    let keys = stride(from: 0, to: inlined.count, by: 2).map { inlined[$0] }
    return (keys, stride(from: 1, to: inlined.count, by: 2).map { inlined[$0] })
  }

  /// The objects after the flag of inlined elements.
  private var inlined: [NibValue]? {
    guard let (key, flag) = values.first, key.role == .inlined, case .boolean(true) = flag.content
    else { return nil }
    var elements: [NibValue] = []
    for (key, value) in values.dropFirst() {
      guard key.role == .unnamed, value.isReference else { return nil }
      elements.append(value)
    }
    return elements
  }

  /// The values in their order; those without a key, if there are several, as one list where the first is.
  var members: [(key: NibKey, values: [NibValue], isList: Bool)] {
    let unnamed = values.filter { $0.key.role == .unnamed }.map(\.value)
    guard unnamed.count > 1 else { return values.map { ($0.key, [$0.value], false) } }
    var members: [(key: NibKey, values: [NibValue], isList: Bool)] = []
    var isListed = false
    for (key, value) in values {
      if key.role != .unnamed {
        members.append((key, [value], false))
      } else if !isListed {
        isListed = true
        members.append((key, unnamed, true))
      }
    }
    return members
  }
}

extension NibValue {
  /// Whether the value is another object, or nil.
  fileprivate var isReference: Bool {
    switch content {
    case .object, .null: true
    default: false
    }
  }
}
