// The keywords of what an archive keeps beside values: `x-class`, `x-classes`, `x-storage`, `x-mutable`.

import Basics
import KeyedArchives
import ObjectGraph
import PropertyLists

extension SchemaCompiler {
  /// Takes a keyword about classes or storage.
  func applyStructure(
    _ name: String, _ place: SchemaLocation, to node: inout SchemaNode
  ) throws(ArchiveError) {
    var rule = node.structure ?? StructureRule()
    switch name {
    case "x-class": rule.classes = try oneOrSeveral(place)
    case "x-classes": rule.chain = try names(place)
    case "x-storage":
      rule.storages = []
      for name in try oneOrSeveral(place) {
        guard let storage = FieldStorage(rawValue: name) else {
          throw problem("'x-storage' is inline or boxed", place)
        }
        rule.storages.append(storage)
      }
    default: rule.isMutable = try boolean(place)
    }
    node.structure = rule
  }

  private func oneOrSeveral(_ place: SchemaLocation) throws(ArchiveError) -> [String] {
    if let name = place.tree.string, !name.isEmpty { return [name] }
    return try names(place)
  }

  private func names(_ place: SchemaLocation) throws(ArchiveError) -> [String] {
    let names = (place.tree.list ?? []).compactMap(\.string).filter { !$0.isEmpty }
    guard !names.isEmpty, names.count == place.tree.list?.count,
      Set(names.map { Array($0.utf8) }).count == names.count
    else { throw problem("different names are expected", place) }
    return names
  }
}
