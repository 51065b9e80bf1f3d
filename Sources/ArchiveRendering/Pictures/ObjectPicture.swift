// The objects of a graph as a picture: containers are boxes, their scalars lines of text.

import ArchiveBasics
import ArchiveGraph

/// Draws the objects that a node leads to.
package struct ObjectPicture: ~Copyable {
  /// What is drawn.
  package struct Options: Sendable {
    /// How many containers deep to go; nil for all.
    package var depth: Int?
    /// The classes whose objects are one box.
    package var collapsed: Set<String> = []
    /// How many boxes a picture may have; nil for any number.
    package var limit: Int?

    /// Makes options.
    package init(depth: Int? = nil, collapsed: Set<String> = [], limit: Int? = nil) {
      self.depth = depth
      self.collapsed = collapsed
      self.limit = limit
    }
  }

  private static let lineCount = 12

  private let graph: ObjectGraph
  private let options: Options
  private let sharing: SharingAnalysis
  private var picture = Picture()
  private var numbers: [Node: Int] = [:]
  private var collapsed: [ClassIndex: Int] = [:]
  private var arrows: Set<Picture.Arrow> = []
  private var open: NodeSet
  private var nullBox: Int?

  private init(_ graph: ObjectGraph, root: Node, _ options: Options) throws(ArchiveError) {
    self.graph = graph
    self.options = options
    sharing = try SharingAnalysis(of: root, in: graph)
    open = NodeSet(in: graph)
  }

  /// Draws a value with all its content.
  ///
  /// - Throws: `ArchiveError` with code `unrepresentable` if the picture would have too many boxes.
  package static func draw(
    _ root: Node, of graph: ObjectGraph, options: Options
  ) throws(ArchiveError) -> Picture {
    var drawing = try ObjectPicture(graph, root: root, options)
    try drawing.run(root)
    return drawing.picture
  }

  /// Which limit a picture exceeds, and what to do about it.
  static func tooLarge(_ count: Int, _ limit: Int, remedies: [String]) -> ArchiveError {
    ArchiveError(
      .unrepresentable,
      "the picture would have \(Counted.number(count)) boxes, and the limit is \(Counted.number(limit)): \(remedies.joined(separator: ", ")), and --max-boxes raises the limit"
    )
  }

  /// What makes the picture smaller.
  private var remedies: [String] {
    // Collections of keyed archives have classes as well, but --classes does not draw them.
    let hasObjects = picture.boxes.contains { $0.kind == .object || $0.kind == .collapsed }
    return (hasObjects ? ["--classes shows the classes"] : [])
      + (graph.classes.isEmpty ? [] : ["--collapse joins the objects of a class"])
      + ["--root and --depth show a part"]
  }

  private mutating func run(_ root: Node) throws(ArchiveError) {
    var walk = GraphWalk<GraphContainer>(in: graph, limit: graph.limits.depth)
    // The node and the box of each open container.
    var path: [(node: Node, box: Int)] = []
    let first = box(for: root)
    try enter(root, first, &walk, &path)
    while let event = walk.next() {
      switch event {
      case .leave:
        if let last = path.popLast() { open.remove(last.node) }
      case .child(let child, let position, let container):
        guard let parent = path.last else { continue }
        let label = Self.label(container.step(position, in: graph))
        guard let kind = kind(of: child) else {
          addScalar(child, label, to: parent.box)
          continue
        }
        let isNew = numbers[child] == nil
        let target = box(for: child, kind)
        var style = Picture.Style.reference
        if case .content = container { style = .content }
        if !isNew, open.contains(child) { style = .cycle }
        join(parent.box, target, label, style)
        if isNew { try enter(child, target, &walk, &path) }
      }
    }
    if let limit = options.limit, numbers.count > limit {
      let count = picture.boxes.count
      if count > limit { throw Self.tooLarge(count, limit, remedies: remedies) }
    }
  }

  private mutating func enter(
    _ node: Node, _ box: Int, _ walk: inout GraphWalk<GraphContainer>,
    _ path: inout [(node: Node, box: Int)]
  ) throws(ArchiveError) {
    let container: GraphContainer
    if let content = graph.content(of: node), case .data = graph.value(of: node) {
      container = .content(content)
    } else if let members = GraphContainer(graph.value(of: node)) {
      container = members
    } else {
      return
    }
    if let depth = options.depth, path.count >= depth {
      if container.childCount > 0 { picture.boxes[box].omitted += container.childCount }
      return
    }
    try walk.enter(container, offset: graph.fileOffset(of: node))
    path.append((node, box))
    open.insert(node)
  }

  // MARK: Boxes

  /// What a node is drawn as; nil for a scalar, which is a line of its container.
  private func kind(of node: Node) -> Picture.Kind? {
    switch graph.value(of: node) {
    case .array: .list
    case .set, .orderedSet: .set
    case .dictionary: .dictionary
    case .object: .object
    case .data: graph.content(of: node) == nil ? nil : .data
    default: nil
    }
  }

  private mutating func box(for node: Node, _ kind: Picture.Kind? = nil) -> Int {
    if let number = numbers[node] { return number }
    let kind = kind ?? self.kind(of: node) ?? .object
    let name = graph.isContainerOrData(node) ? graph.classIndex(of: node) : nil
    let names = name.map { [graph.classes[$0].displayName, graph.classes[$0].name] } ?? []
    if let name, !options.collapsed.isDisjoint(with: names) {
      let number = collapsed[name] ?? add(.collapsed, node, name)
      if collapsed[name] != nil { picture.boxes[number].count += 1 }
      collapsed[name] = number
      numbers[node] = number
      return number
    }
    let number = add(kind, node, name)
    picture.boxes[number].isShared = sharing.shared.contains(node)
    numbers[node] = number
    if self.kind(of: node) == nil { picture.boxes[number].lines = [text(of: node)] }
    return number
  }

  private mutating func add(_ kind: Picture.Kind, _ node: Node, _ name: ClassIndex?) -> Int {
    let title =
      kind == .data
      ? text(of: node)
      : name.map { graph.classes[$0].displayName } ?? graph.value(of: node).typeName
    var box = Picture.Box(kind: kind, title: title.escapedForTerminal)
    if graph.isContainerOrData(node), let summary = graph.summary(of: node) {
      box.lines = [Self.shortened(summary.escapedForTerminal)]
    }
    box.document = Int(node.document)
    if box.document > 0, picture.documents[box.document] == nil {
      picture.documents[box.document] =
        graph.document(of: node).parent == nil
        ? nil : "\(graph.contentKind(of: node)) in a data value"
    }
    picture.boxes.append(box)
    return picture.boxes.count - 1
  }

  // MARK: Members

  private mutating func addScalar(_ node: Node, _ label: String, to box: Int) {
    if isConditional(node) {
      let target = nullBox ?? add(.null, node, nil)
      nullBox = target
      return join(box, target, label, .conditional)
    }
    guard picture.boxes[box].kind != .collapsed else { return }
    guard picture.boxes[box].lines.count < Self.lineCount else {
      picture.boxes[box].omitted += 1
      return
    }
    picture.boxes[box].lines.append(Self.shortened("\(label): \(text(of: node))"))
  }

  /// Whether a reference leads to a conditional object that was not archived: a string "$null" beside the first object.
  private func isConditional(_ node: Node) -> Bool {
    guard case .null = graph.value(of: node), graph.document(of: node).archive != nil,
      case .string = graph.storedValue(of: node), let number = graph.objectNumber(of: node)
    else { return false }
    return number > 0
  }

  private mutating func join(_ from: Int, _ to: Int, _ label: String, _ style: Picture.Style) {
    let isMerged =
      picture.boxes[from].kind == .collapsed || picture.boxes[to].kind == .collapsed
    let label = isMerged && label.first == "[" ? "[*]" : label
    let arrow = Picture.Arrow(from: from, to: to, label: label, style: style)
    if isMerged, !arrows.insert(arrow).inserted { return }
    picture.arrows.append(arrow)
  }

  // MARK: Texts

  private func text(of node: Node) -> String {
    let value = graph.value(of: node)
    guard case .data(let bytes) = value else { return Self.shortened(ScalarText.text(value)) }
    if let content = graph.content(of: node) {
      let size = Counted.text(bytes.count, "byte")
      return "data (\(size)) ⟨\(graph.contentKind(of: content))⟩"
    }
    return Self.shortened(String(appending: { ScalarText.append(recognizing: bytes, to: &$0) }))
  }

  static func label(_ step: GraphPath.Step) -> String {
    switch step {
    case .key(let key): shortened(key.escapedForTerminal)
    case .index(let index): "[\(index)]"
    case .content: ""
    case .anyMember, .anyElement: "[*]"
    }
  }

  private static func shortened(_ text: String) -> String { text.clipped(to: 48) }
}
