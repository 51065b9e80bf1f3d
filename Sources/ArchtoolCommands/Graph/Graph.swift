// `archtool graph`: draws the objects or the classes of an archive.

import ArchiveBasics
import ArchiveBatches
import ArchiveGraph
import ArchivePropertyLists
import ArchiveQueries
import ArchiveRendering
import CommandLineInterface

struct Graph: Command {
  static let name = "graph"
  static let description = CommandDescription(
    name: name,
    abstract: "draw the objects or the classes of an archive",
    operands: Operands(name: "FILE", minimum: 1, maximum: 1),
    options: [
      .graphFormat, .graphRoot, .depth, .collapse, .classGraph, .maximumBoxes,
    ] + GraphPage.options + [.output, .force],
    commonOptions: [.passwordFile, .color, .noPager, .quiet, .help],
    rules: [
      .implies(.schema, .graphFormat, value: "html"),
      .implies(.schemaFile, .graphFormat, value: "html"),
      .implies(.comparedFile, .graphFormat, value: "html"),
      .exclusive([.classGraph, .collapse]), .exclusive([.classGraph, .depth]),
      .needs(.force, anyOf: [.output]),
    ] + GraphPage.rules,
    discussion: """
      Each object, dictionary, list or set is a box with its class and its scalar members, and each
      reference an arrow with its key. Shape and line show what it is: objects are rounded, a shared
      object has a double line (in mermaid a thick one), an arrow that closes a cycle is red (in
      mermaid thick), and one to a conditional object that was not archived is dashed; graphml has
      attributes for them. An archive in a data value has a frame of its own. A legend names what
      occurs.

      The format svg needs Graphviz. With --classes each class is a box, with the number of its
      objects, and an arrow leads to each class that its objects refer to, also through collections,
      and to its superclass. Dictionaries, lists and sets are not classes there; without any class
      only the root is drawn, with a note. A picture with more boxes than can be read is refused,
      with a sentence that says how to make a smaller one.

      The format html is the explorer: one page that needs no network, with a tree, the details,
      bytes and references of each value, search, and JSONPath. It marks what does not fit the
      schema of --schema or --schema-file, and what differs from the file of --diff; these options
      imply it. The command explore shows the page in a browser.
      """,
    examples: [
      "archtool graph Movie": "Draw the archive Movie for Graphviz.",
      "archtool graph --classes --format mermaid Old":
        "Draw the classes of the typedstream Old for Markdown.",
      "archtool graph --format html -o Movie.html Movie":
        "Write the explorer of the archive Movie to the page Movie.html.",
    ],
    exits: .writing,
    meanings: [.answerIsNo: "The picture would have too many boxes, or no value is at PATH."])

  enum Format: String, OptionChoice {
    case dot, svg, mermaid, graphml, html
  }

  /// How many boxes of a picture can be read.
  private static let usualLimit = 300

  private let session: Session
  private let format: Format
  private let root: ValuePath
  private let options: ObjectPicture.Options
  private let page: GraphPage?

  init(_ session: Session) throws {
    self.session = session
    let arguments = session.arguments
    let marks = GraphPage.options.contains(where: arguments.has)
    format = marks ? .html : arguments.choice(of: .graphFormat, as: Format.self) ?? .dot
    page = format == .html ? try GraphPage(session) : nil
    if format == .html {
      let others: [OptionDescription] = [.graphRoot, .depth, .collapse, .classGraph, .maximumBoxes]
      if let other = others.first(where: arguments.has) {
        throw UsageError(
          "'\(other.longForm)' cannot be used with '--format html', which shows everything")
      }
    }
    root = try ValuePath(operand: arguments.value(of: .graphRoot) ?? "$")
    // Programs read GraphML of any size.
    let usual = format == .graphml ? 0 : Self.usualLimit
    let limit = try arguments.integer(of: .maximumBoxes) ?? usual
    options = ObjectPicture.Options(
      depth: try arguments.integer(of: .depth),
      collapsed: Set(arguments.values(of: .collapse)), limit: limit == 0 ? nil : limit)
  }

  func run() {
    session.showOne { (graph, storage, input) throws(ArchiveError) in
      var lacksClasses = false
      try session.write(to: OutputDestination(of: session.arguments)) {
        (output) throws(ArchiveError) in
        if let page { return try page.write(graph, storage, input, to: &output) }
        let picture = try picture(of: graph, storage)
        lacksClasses = session.arguments.has(.classGraph) && !picture.hasClasses
        try write(picture, to: &output)
      }
      if lacksClasses {
        session.printNote(
          "\(input.name): note: there are no classes to draw, only collections and plain values, which are drawn without --classes"
        )
      }
    }
  }

  private func picture(
    of graph: ObjectGraph, _ storage: ByteStorage
  ) throws(ArchiveError) -> Picture {
    let start: Node
    do throws(ArchiveError) { start = try root.resolve(in: graph).node } catch {
      throw error.located(in: storage.bytes)
    }
    guard session.arguments.has(.classGraph) else {
      return try ObjectPicture.draw(start, of: graph, options: options)
    }
    return try ClassPicture.draw(start, of: graph, limit: options.limit)
  }

  private func write(
    _ picture: Picture, to output: inout OutputBuffer
  ) throws(ArchiveError) {
    switch format {
    case .mermaid: picture.writeMermaid(to: &output)
    case .graphml: picture.writeGraphML(to: &output)
    case .svg: try Graphviz.write(picture, to: &output)
    case .dot, .html: picture.writeDOT(to: &output)
    }
  }
}

extension OptionDescription {
  static let graphFormat = choice(
    "format", valueName: "FORMAT", of: Graph.Format.allCases.map { $0.rawValue },
    help: "Draw in FORMAT.")

  static let graphRoot = text(
    "root", valueName: "PATH", help: "Draw the value at PATH and what it refers to.")

  static let collapse = text(
    "collapse", valueName: "CLASS", isRepeatable: true,
    help: "Draw all objects of CLASS as one box.")

  static let classGraph = flag(
    "classes", help: "Draw the classes instead of the objects.")

  static let maximumBoxes = integer(
    "max-boxes", in: 0...1_000_000,
    help: """
      Refuse a picture with more than N boxes. The default is 300, and no limit for graphml; 0 is \
      no limit.
      """)
}
