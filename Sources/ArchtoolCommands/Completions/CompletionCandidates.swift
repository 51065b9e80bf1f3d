// The candidates for a value, from the files on the line and from those of the user.

import ArchiveBackups
import ArchiveBasics
import ArchiveBatches
import ArchiveGraph
import ArchivePropertyLists
import ArchiveQueries
import ArchiveSchemas
import CommandLineInterface
import KeyedArchives

/// Finds candidates that begin with the word at the cursor.
struct CompletionCandidates {
  /// How many files of a line are read for their classes.
  private static let mostFiles = 8
  /// The size of the largest file that is read.
  private static let largestFile = 64 << 20
  /// How many journals are offered, the newest first.
  private static let mostJournals = 20

  /// The line without the word at the cursor.
  let line: PartialCommandLine
  /// The word at the cursor.
  let current: String

  func all(of source: CompletionSource) -> [(text: String, purpose: String?)] {
    let texts: [String]
    switch source {
    case .nothing, .filesAfterKey, .folders: texts = []
    case .files: texts = Address.candidates(for: current)
    case .words(let words): texts = words
    case .options, .commands:
      return (source == .options ? options : commands).filter { isMeant($0.0) }
    case .classes: texts = classes
    case .renamings: texts = classes.map { $0 + "=" }
    case .paths: return paths.filter(Self.isShown).map { ($0, nil) }
    case .schemas: texts = schemas
    case .families: texts = families.map(\.name)
    case .versions: texts = versions
    case .journals: texts = journals
    }
    var seen: Set<String> = []
    return texts.filter { isMeant($0) && Self.isShown($0) && seen.insert($0).inserted }
      .map { ($0, nil) }
  }

  private func isMeant(_ text: String) -> Bool { text.utf8.starts(with: current.utf8) }

  /// Whether a candidate may be shown in a terminal and typed: names from files may hold anything.
  private static func isShown(_ candidate: String) -> Bool {
    !candidate.isEmpty && candidate.utf8.count <= 200 && candidate.utf8.first != UInt8(ascii: "-")
      && candidate.shownPath == candidate && !candidate.unicodeScalars.contains(where: \.isObeyed)
  }

  // MARK: Commands and options

  private var commands: [(String, String?)] {
    let table = Commands.table
    let group = line.command == nil ? line.group : line.operands.last
    if let group, !table.isGroup(group) { return [] }
    return table.commandWords(in: group).map { ($0.name, $0.purpose) }
  }

  private var options: [(String, String?)] {
    (line.command?.allOptions ?? Commands.table.options).filter { !$0.isHidden }.flatMap { option in
      let help = option.summaries.last ?? option.help
      let purpose = help.hasSuffix(".") ? String(help.dropLast()) : help
      return [option.longForm, option.shortForm].compactMap { $0 }.map { ($0, purpose) }
    }
  }

  // MARK: Archives

  private var classes: [String] {
    graphs(Self.mostFiles).flatMap { graph in
      graph.storedClasses().map(\.name.display)
    }.sorted()
  }

  private var paths: [String] {
    guard let graph = graphs(1).first else { return [] }
    return PathCandidates(graph: graph).all(beginningWith: current)
  }

  /// The archives among the operands: addresses, and regular files of a bounded size, since any other might never end.
  private func graphs(_ count: Int) -> [ObjectGraph] {
    let limits = Limits(nesting: 4, inflatedBytes: Self.largestFile)
    return line.operands.lazy.filter(Self.isSmallFile).compactMap { path in
      guard let storage = try? Input(address: path, BackupOpener(.none), noted: { _ in }).open()
      else {
        return nil
      }
      return try? ArchiveReader(limits: limits).read(storage)
    }.prefix(count).map { $0 }
  }

  private static func isSmallFile(_ path: String) -> Bool {
    guard !path.hasZeroByte else { return false }
    guard let status = FileStatus(of: path) else { return Address.isNamed(by: path) }
    return status.isFile && status.st_size <= largestFile
  }

  // MARK: Schemas and journals

  private var families: [SchemaFamily] {
    let sources = SchemaSources(folders: line.values(of: .schemaFolders))
    return (try? sources.catalog())?.families ?? []
  }

  private var schemas: [String] {
    families.flatMap { family in
      [family.name] + family.versions.map { "\(family.name)@\($0.name)" }
    }
  }

  private var versions: [String] {
    let name = line.values(of: .family).last?.prefix { $0 != "@" }
    let families = families
    let named = families.filter { $0.name == name ?? "" }
    return (named.isEmpty ? families : named).flatMap { $0.versions.map(\.name) }
  }

  private var journals: [String] {
    guard let folder = StateFolder.path,
      let names = try? FolderListing.names(in: folder)
    else { return [] }
    // Their names begin with the time.
    return names.reversed().map { "\(folder)/" + String(pathBytes: $0) }
      .filter { $0.hasSuffix(".journal") && FolderListing.isFile($0) }.prefix(Self.mostJournals).map
    { $0 }
  }
}

// MARK: - Paths in an archive that continue one that is half typed

/// Finds the paths one step further, as a shell does it for the names in folders.
struct PathCandidates {
  /// How many children of a value are looked at.
  private static let mostChildren = 500_000

  let graph: ObjectGraph

  /// The paths that begin with a text, in its notation; without a text, those that begin with `$`.
  ///
  /// If only one value is left and it has children, they are among the candidates too.
  func all(beginningWith text: String) -> [String] {
    if text.isEmpty || text == "$" { return ["$"] + children(of: "$", .query) }
    let notation = PathNotation(of: text)
    guard let parent = notation.parent(of: text) else { return [] }
    var found = children(of: parent, notation, beginningWith: text)
    if found.contains(text) {
      found += children(of: text, notation)
    } else if found.count == 1, let only = found.first {
      found += children(of: only, notation)
    }
    return found
  }

  private func children(
    of parent: String, _ notation: PathNotation, beginningWith start: String = ""
  ) -> [String] {
    guard let node = node(at: parent), let container = container(node) else { return [] }
    var found: [String] = []
    for position in 0..<min(container.childCount, Self.mostChildren) {
      guard let path = notation.path(to: container.step(position, in: graph), in: parent),
        path.utf8.starts(with: start.utf8)
      else { continue }
      // A key such as 0 or $ may mean something else in a notation without quotes.
      if notation != .query, self.node(at: path) != container.child(position, in: graph) {
        continue
      }
      found.append(path)
      if found.count == Complete.mostCandidates { break }
    }
    return found
  }

  private func node(at path: String) -> Node? {
    try? ValuePath(parsing: path).resolve(in: graph).node
  }

  /// The children of a value, or of the root of the archive in it.
  private func container(_ node: Node) -> GraphContainer? {
    var node = node
    while case .data = graph.value(of: node), let content = graph.content(of: node) {
      node = content
    }
    return GraphContainer(graph.value(of: node))
  }
}

/// The notations of `ValuePath`.
private enum PathNotation {
  case query, pointer, buddy, keys

  init(of text: String) {
    switch text.unicodeScalars.first {
    case "$": self = .query
    case "/": self = .pointer
    case ":": self = .buddy
    default: self = .keys
    }
  }

  /// A path without its last step, which may be incomplete; nil if it has none.
  func parent(of text: String) -> String? {
    let scalars = text.unicodeScalars
    let start =
      switch self {
      case .query:
        // The mark in a quoted key follows what is no path.
        scalars.indices.last {
          ".[⟨".unicodeScalars.contains(scalars[$0])
            && (try? GraphPath(parsing: String(scalars[..<$0]))) != nil
        }
      case .pointer: scalars.lastIndex(of: "/")
      case .buddy: Self.lastSeparator(":", scalars)
      case .keys: Self.lastSeparator(".", scalars) ?? scalars.startIndex
      }
    return start.map { String(scalars[..<$0]) }
  }

  /// The path of a child; nil if its step cannot be written.
  func path(to step: GraphPath.Step, in parent: String) -> String? {
    let name: String
    switch (self, step) {
    case (.query, _): return parent + GraphPath([step]).description.dropFirst()
    case (_, .key(let key)): name = key
    case (_, .index(let index)): name = "\(index)"
    default: return nil
    }
    switch self {
    case .pointer: return parent + "/" + JSONPointer.escaped(name)
    case .buddy:
      return parent + ":" + name.escaping { $0 == ":" || $0 == "\\" ? "\\\($0)" : nil }
    default:
      let key = name.escaping { $0 == "." || $0 == "\\" ? "\\\($0)" : nil }
      return parent.isEmpty ? key : parent + "." + key
    }
  }

  private static func lastSeparator(
    _ separator: Unicode.Scalar, _ scalars: String.UnicodeScalarView
  ) -> String.Index? {
    var last: String.Index?
    var isEscaped = false
    for index in scalars.indices {
      if scalars[index] == separator, !isEscaped { last = index }
      isEscaped = scalars[index] == "\\" && !isEscaped
    }
    return last
  }
}
