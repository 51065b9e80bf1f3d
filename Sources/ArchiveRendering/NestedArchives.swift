// The archives and property lists in data values, as info lists them.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveSchemas
import ArchiveWriting

struct NestedArchives {
  struct Item {
    let path: String
    /// The kind of the content, as paths name it.
    let kind: String
    /// The encoding of its bytes.
    let encoding: String
    let rootClass: String?
    let envelope: Envelope?
    /// The version of a schema that it is, if one is known.
    let version: SchemaVersion?
    /// How many objects it stores; nil for a property list.
    let objectCount: Int?
  }

  private static let shownCount = 20

  /// The contents in the order of the paths; not the property list in a codable archive, which is its model.
  let items: [Item]

  /// Opens the data values that the root leads to.
  init(_ graph: ObjectGraph, model: UnwrappedModel?, catalog: SchemaCatalog) {
    var items: [Item] = []
    var models = Self.inner(model)
    for (path, root) in graph.contents(from: graph.root).contents {
      let document = graph.document(of: root)
      let model = graph.unwrapModel(content: root)
      models.formUnion(Self.inner(model))
      guard !models.contains(root) else { continue }
      items.append(
        Item(
          path: path.description, kind: graph.contentKind(of: root),
          encoding: document.encoding.name,
          rootClass: graph.className(ofRoot: graph.root(of: root.document)),
          envelope: document.archive == nil ? nil : model?.envelope,
          version: model.flatMap { catalog.detect($0, in: graph)?.version },
          objectCount: document.archive?.objectCount))
    }
    self.items = items
  }

  /// The root of the property list that a codable archive holds.
  private static func inner(_ model: UnwrappedModel?) -> Set<Node> {
    guard let model, model.envelope == .codable else { return [] }
    return [model.stored]
  }

  var objectCount: Int { items.reduce(0) { $0 + ($1.objectCount ?? 0) } }

  var lines: [String] {
    let lines = items.prefix(Self.shownCount).map { item in
      let version = item.version.map { " (\($0.label))" } ?? ""
      let name = item.rootClass.map { ", root class \($0)" } ?? ""
      return "nested: \(item.kind) at \(item.path)\(version)\(name)"
    }
    let rest = items.count - lines.count
    return lines + (rest > 0 ? ["nested: \(Counted.number(rest)) more"] : [])
  }

  var report: JSONTree {
    .list(
      items.map { item in
        [
          "path": .string(item.path), "kind": .string(item.kind),
          "encoding": .string(item.encoding), "rootClass": JSONTree(item.rootClass),
          "envelope": JSONTree(item.envelope?.rawValue),
          "schema": item.version.map {
            ["family": .string($0.family), "version": .string($0.name)]
          } ?? .null,
          "objects": JSONTree(item.objectCount),
        ]
      })
  }
}

extension ObjectGraph {
  /// The class of a root object; nil for values without one.
  func className(ofRoot root: Node) -> String? {
    let description = classIndex(of: root).map { classes[$0] }
    return (description ?? StoredGraph(self).classDescription(of: root))?.displayName
  }
}
