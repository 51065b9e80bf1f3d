// The keywords of classes and storage in schemas that lenses are applied to.

import ObjectGraph
import PropertyLists
import Schemas

extension ValueShape {
  /// The shape of objects of another class.
  func ofClass(_ name: String) -> ValueShape {
    var result = replacing(["x-class", "x-classes"], with: nil)
    if !values(of: "x-class").isEmpty { result.rules.append([("x-class", .string(name))]) }
    // The superclasses stay.
    for chain in values(of: "x-classes").compactMap(\.list) {
      result.rules.append([("x-classes", .list([.string(name)] + chain.dropFirst()))])
    }
    return result
  }

  /// The shape of values that objects hold in another way.
  func stored(_ storage: FieldStorage) -> ValueShape {
    replacing(["x-storage"], with: ("x-storage", .string(storage.rawValue)))
  }

  /// The shape of data that holds an archive of another version: `Influence@v2`.
  func holding(_ label: String) -> ValueShape {
    replacing(["x-archived"], with: ("x-archived", .members([("$ref", .string(label))])))
  }

  /// What the rules say of classes and storage.
  var structureRules: [[(String, JSONTree)]] {
    rules.map { group in group.filter { SchemaKeyword.structure.contains($0.0) } }
      .filter { !$0.isEmpty }
  }

  private func replacing(_ names: Set<String>, with rule: (String, JSONTree)?) -> ValueShape {
    var result = self
    result.rules = rules.map { group in group.filter { !names.contains($0.0) } }
      .filter { !$0.isEmpty }
    if let rule { result.rules.append([rule]) }
    return result
  }
}
