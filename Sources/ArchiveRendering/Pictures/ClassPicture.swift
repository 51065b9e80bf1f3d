// The classes of a graph as a picture: which class refers to which, by what key, and from what it derives.

import ArchiveBasics
import ArchiveGraph
import KeyedArchives

/// Draws the classes of the objects that a node leads to.
package struct ClassPicture: ~Copyable {
  /// A collection that a class reaches by a key: it is looked through once.
  private struct Member: Hashable {
    let box: Int
    let label: String
    let node: Node
  }

  private let graph: ObjectGraph
  private var picture = Picture()
  private var boxes: [String: Int] = [:]
  private var arrows: Set<Picture.Arrow> = []
  private var known: NodeSet
  private var looked: Set<Member> = []
  private var objects: [Node] = []
  private let limit: Int

  private init(_ graph: ObjectGraph) {
    self.graph = graph
    known = NodeSet(in: graph)
    limit = graph.expansionLimit
  }

  /// Draws the classes of a value's content.
  ///
  /// - Throws: `ArchiveError` with code `limit` if the references are too many.
  package static func draw(
    _ root: Node, of graph: ObjectGraph, limit: Int?
  ) throws(ArchiveError) -> Picture {
    var drawing = ClassPicture(graph)
    try drawing.run(root)
    if let limit, drawing.picture.boxes.count > limit {
      throw ObjectPicture.tooLarge(
        drawing.picture.boxes.count, limit, remedies: ["--root shows a part"])
    }
    return drawing.picture
  }

  private mutating func run(_ root: Node) throws(ArchiveError) {
    var first = Picture.Box(kind: .root, title: "root")
    first.count = 0
    picture.boxes.append(first)
    let start = 0
    try look(from: start, "", at: root)
    var next = 0
    while next < objects.count {
      let object = objects[next]
      next += 1
      guard let index = graph.classIndex(of: object) else { continue }
      let number = box(of: index)
      guard let container = GraphContainer(graph.value(of: object)) else { continue }
      for position in 0..<container.childCount {
        let label = ObjectPicture.label(container.step(position, in: graph))
        try look(from: number, label, at: container.child(position, in: graph))
      }
    }
  }

  /// Follows a reference of a class through collections and data to objects.
  private mutating func look(
    from box: Int, _ label: String, at node: Node
  ) throws(ArchiveError) {
    var waiting = [(node: node, label: label)]
    while let (node, label) = waiting.popLast() {
      guard graph.isContainerOrData(node) else { continue }
      if case .object(let index, _) = graph.value(of: node) {
        join(box, self.box(of: index), label, .reference)
        if known.insert(node) {
          picture.boxes[self.box(of: index)].count += 1
          objects.append(node)
        }
        continue
      }
      guard looked.insert(Member(box: box, label: label, node: node)).inserted else { continue }
      guard looked.count <= limit else {
        throw ArchiveError(.limit, "the classes refer to over \(limit) values")
      }
      if let content = graph.content(of: node) {
        waiting.append((content, label))
      } else if let container = GraphContainer(graph.value(of: node)) {
        let inner = label.hasSuffix("[*]") ? label : label + "[*]"
        for position in 0..<container.childCount {
          waiting.append((container.child(position, in: graph), inner))
        }
      }
    }
  }

  // MARK: Boxes

  private mutating func box(of index: ClassIndex) -> Int {
    let description = graph.classes[index]
    return box(description.displayName, chain: description.chain)
  }

  private mutating func box(_ name: String, chain: [String]) -> Int {
    if let number = boxes[name] { return number }
    let number = picture.boxes.count
    var box = Picture.Box(kind: .class, title: name.escapedForTerminal)
    box.count = 0
    picture.boxes.append(box)
    boxes[name] = number
    // The first name of a chain is the class itself; NSObject is everyone's.
    if chain.count > 2, chain[1] != "NSObject" {
      let name = ClassName(stored: chain[1]).display
      let parent = self.box(name, chain: Array(chain.dropFirst()))
      join(number, parent, "", .superclass)
    }
    return number
  }

  private mutating func join(_ from: Int, _ to: Int, _ label: String, _ style: Picture.Style) {
    let style: Picture.Style = style == .reference && from == to ? .cycle : style
    let arrow = Picture.Arrow(from: from, to: to, label: label, style: style)
    if arrows.insert(arrow).inserted { picture.arrows.append(arrow) }
  }
}
