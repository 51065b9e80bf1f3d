// The keywords of classes and storage in schemas that lenses are applied to.

import KeyedArchives
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

  /// The class that values have; nil where it may be one of several.
  var onlyClass: String? {
    let names = values(of: "x-class").compactMap { $0.string ?? $0.listOfStrings?.first }
    let isOne = values(of: "x-class").allSatisfy { ($0.list?.count ?? 1) == 1 }
    return isOne && names.count == 1 ? names.first : nil
  }

  /// The shape of values that objects hold in another way.
  func stored(_ storage: FieldStorage) -> ValueShape {
    replacing(["x-storage"], with: ("x-storage", .string(storage.rawValue)))
  }

  /// What the rules say of classes and storage.
  var structureRules: [[(String, JSONTree)]] {
    rules.map { group in group.filter { SchemaKeywords.structure.contains($0.0) } }
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
