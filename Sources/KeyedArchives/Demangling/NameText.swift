// Writes the tree of a name as `swift-demangle` does, so that people can compare.

/// The text of a name, in one of two styles, within a bound.
struct NameText {
  enum Style {
    /// Private names with their discriminators, local ones with their numbers, extensions with
    /// their modules.
    case marked
    /// The declared names alone.
    case plain
  }

  private let tree: NameTree
  private let style: Style
  private var text = ""

  /// Writes a name, or a part of one.
  static func notation(
    _ index: NameTree.Index, of tree: NameTree, as style: Style
  ) throws(NotUnderstood) -> String {
    var text = NameText(tree: tree, style: style)
    try text.write(index)
    return text.text
  }

  /// With substitutions a short name can describe a very long one, so each piece is counted.
  private mutating func write(_ piece: String) throws(NotUnderstood) {
    text += piece
    guard text.utf8.count <= DemangledName.longestOutput else { throw NotUnderstood() }
  }

  /// Writes nodes one after another, with what is before, between and after them.
  private mutating func write(
    _ open: String, _ list: [NameTree.Index], between: String = ", ", _ close: String = ""
  ) throws(NotUnderstood) {
    try write(open)
    for (position, index) in list.enumerated() {
      if position > 0 { try write(between) }
      try write(index)
    }
    try write(close)
  }

  // MARK: Declarations

  private mutating func write(_ index: NameTree.Index) throws(NotUnderstood) {
    _ = try write(index, asPrefix: false)
  }

  /// Writes a node.
  ///
  /// A context precedes the name, `Context.Name`, unless it has several words: `Name in f()`.
  /// As a prefix such a context is not written but returned, to be named afterwards.
  private mutating func write(
    _ index: NameTree.Index, asPrefix: Bool
  ) throws(NotUnderstood) -> NameTree.Index? {
    switch tree[index] {
    case .module(let name): try write(name)
    case .nominal(_, let context, let name):
      let declaration = NameTree.Entity(context: context, name: name)
      return try write(declaration, at: index, asPrefix: asPrefix)
    case .entity(let entity): return try write(entity, at: index, asPrefix: asPrefix)
    case .typeMember(let member): try write("static ", [member])
    case .extensionContext(let module, let base):
      if style == .marked { try write("(extension in ", [module], "):") }
      try write(base)
    default: try writeType(index)
    }
    return nil
  }

  private mutating func write(
    _ entity: NameTree.Entity, at index: NameTree.Index, asPrefix: Bool
  ) throws(NotUnderstood) -> NameTree.Index? {
    let hasWords = entity.isOfSeveralWords
    if asPrefix && (hasWords || entity.type != nil) { return index }
    var contextBehind: NameTree.Index?
    if hasWords {
      contextBehind = entity.context
    } else {
      let length = text.utf8.count
      contextBehind = try write(entity.context, asPrefix: true)
      if text.utf8.count > length { try write(".") }
    }
    try writeName(of: entity, hasWords: hasWords)
    if let type = entity.type { try write(type: type, of: entity, hasWords: hasWords) }
    if asPrefix { return contextBehind }
    if let contextBehind {
      try write(entity.isPartOfContext ? " of " : " in ")
      try write(contextBehind)
    }
    return nil
  }

  private mutating func writeName(
    of entity: NameTree.Entity, hasWords: Bool
  ) throws(NotUnderstood) {
    guard let name = entity.name else { return try write(entity.role) }
    if entity.role.isEmpty {
      try write(notation(name))
    } else if hasWords {
      try write("\(entity.role) of \(notation(name))")
    } else {
      try write("\(notation(name)).\(entity.role)")
    }
  }

  private mutating func write(
    type: NameTree.Index, of entity: NameTree.Entity, hasWords: Bool
  ) throws(NotUnderstood) {
    switch tree[type] {
    case .function(let function) where entity.isCalled && function.convention == .swift:
      if hasWords { try write(" ") }
    case .function(let function) where entity.isCalled && function.convention == .cFunction:
      try write(" ")
    default: try write(" : ")
    }
    try write(type)
  }

  private func notation(_ name: NameTree.DeclaredName) -> String {
    switch (name, style) {
    case (.discriminated(let text, let discriminator), .marked): "(\(text) in \(discriminator))"
    case (.local(let text, let number), .marked): "\(text) #\(number)"
    case (.plain(let text), _), (.discriminated(let text, _), _), (.local(let text, _), _): text
    }
  }

  // MARK: Types

  private mutating func writeType(_ index: NameTree.Index) throws(NotUnderstood) {
    switch tree[index] {
    case .boundGeneric(let base, let arguments): try writeGeneric(base, arguments)
    case .tuple(let elements): try write(elements)
    case .function(let function): try write(function)
    case .metatype(let type, isExistential: true): try write("", [type], ".Type")
    case .metatype(let type, isExistential: false):
      try writeOperand(type)
      try write(isProtocol(type) ? ".Protocol" : ".Type")
    case .composition(let protocols):
      if protocols.isEmpty { try write("Any") }
      try write("", protocols, between: " & ")
    case .inOut(let type): try write("inout ", [type])
    default: try write(index)
    }
  }

  /// Arrays, dictionaries and optionals have their own notation.
  private mutating func writeGeneric(
    _ base: NameTree.Index, _ arguments: [NameTree.Index]
  ) throws(NotUnderstood) {
    switch (standardType(base), arguments.count) {
    case ((.enumeration, "Optional")?, 1):
      try writeOperand(arguments[0])
      try write("?")
    case ((.enumeration, "ImplicitlyUnwrappedOptional")?, 1):
      try writeOperand(arguments[0])
      try write("!")
    case ((.structure, "Array")?, 1): try write("[", arguments, "]")
    case ((.structure, "Dictionary")?, 2): try write("[", arguments, between: " : ", "]")
    default:
      try write(base)
      try write("<", arguments, ">")
    }
  }

  private func standardType(_ index: NameTree.Index) -> StandardType.Named? {
    guard case .nominal(let kind, let context, .plain(let name)) = tree[index],
      case .module("Swift") = tree[context]
    else { return nil }
    return (kind, name)
  }

  private func isProtocol(_ index: NameTree.Index) -> Bool {
    switch tree[index] {
    case .composition, .metatype(_, isExistential: true): true
    default: false
    }
  }

  /// Writes a type that is followed by a suffix, in parentheses if it has several words.
  private mutating func writeOperand(_ index: NameTree.Index) throws(NotUnderstood) {
    let isSimple =
      switch tree[index] {
      case .function, .inOut: false
      case .composition(let protocols): protocols.count < 2
      default: true
      }
    try isSimple ? write(index) : write("(", [index], ")")
  }

  private mutating func write(_ elements: [NameTree.Element]) throws(NotUnderstood) {
    try write("(")
    for (position, element) in elements.enumerated() {
      if position > 0 { try write(", ") }
      if let label = element.label { try write("\(label): ") }
      try write(element.type)
    }
    try write(")")
  }

  private mutating func write(_ function: NameTree.FunctionType) throws(NotUnderstood) {
    switch function.convention {
    case .swift: break
    case .autoclosure: try write("@autoclosure ")
    case .block: try write("@convention(block) ")
    case .cFunction: try write("@convention(c) ")
    }
    // `swift-demangle` leaves the attribute of asynchronous functions out.
    if function.isSendable && !function.isAsync { try write("@Sendable ") }
    if case .tuple = tree[function.input] {
      try write(function.input)
    } else {
      try write("(", [function.input], ")")
    }
    if function.isAsync { try write(" async") }
    if function.throwsErrors { try write(" throws") }
    try write(" -> ")
    try write(function.output)
  }

  // MARK: Paths

  /// The parts of a name from the module down.
  static func path(
    to index: NameTree.Index, of tree: NameTree, as style: Style
  ) throws(NotUnderstood) -> [String] {
    let text = NameText(tree: tree, style: style)
    switch tree[index] {
    case .module(let name): return [name]
    case .nominal(_, let context, let name):
      return try path(to: context, of: tree, as: style) + [text.notation(name)]
    // An accessor is named for what it accesses.
    case .entity(let entity):
      return try path(to: entity.context, of: tree, as: style) + [
        entity.name.map(text.notation) ?? entity.role
      ]
    case .typeMember(let member): return try path(to: member, of: tree, as: style)
    case .extensionContext(let module, let base):
      var parts = try path(to: base, of: tree, as: style)
      if style == .marked {
        parts[0] = "(extension in \(try notation(module, of: tree, as: style))):" + parts[0]
      }
      return parts
    case .boundGeneric(let base, let arguments):
      var text = text
      try text.write("<", arguments, ">")
      var parts = try path(to: base, of: tree, as: style)
      parts[parts.count - 1] += text.text
      return parts
    case .composition(let protocols) where protocols.count == 1:
      return try path(to: protocols[0], of: tree, as: style)
    default: return [try notation(index, of: tree, as: style)]
    }
  }
}

// MARK: - A mangled name, decoded for people

/// A mangled name that could not be read, whole and within the bounds.
package struct NotUnderstood: Error {}

/// The parts of a name from the module down, in two notations.
package struct NamePath: Hashable, Sendable {
  /// Private names as `(Name in _HEX)`, local ones as `Name #1`, extensions named.
  let marked: [String]
  /// Nothing but the declared names.
  package let plain: [String]
}

/// The content of a mangled name.
package struct DemangledName {
  /// The longest mangled name that is read, in bytes.
  static let longestInput = 4096

  /// How deep types and contexts may be nested.
  static let deepestNesting = 64

  /// The longest text that a name may become, in bytes: substitutions can double it at each level.
  static let longestOutput = 16384

  /// The name as `swift-demangle` writes it.
  package let display: String
  /// The parts of the name.
  package let path: NamePath

  /// Reads a name in the old mangling (`_Tt…`) or the new one (`$s…`), or gives nil.
  package init?(_ stored: String) {
    guard stored.utf8.first == UInt8(ascii: "_") || stored.utf8.first == UInt8(ascii: "$"),
      stored.utf8.count <= Self.longestInput
    else { return nil }
    do throws(NotUnderstood) {
      let tree = try Self.read(stored)
      display = try NameText.notation(tree.root, of: tree, as: .marked)
      path = NamePath(
        marked: try NameText.path(to: tree.root, of: tree, as: .marked),
        plain: try NameText.path(to: tree.root, of: tree, as: .plain))
    } catch {
      return nil
    }
  }

  /// Chooses the mangling by its prefix; a linker's symbol has one more underscore.
  package static func read(_ stored: String) throws(NotUnderstood) -> NameTree {
    if stored.hasPrefix("_Tt") {
      return try OldMangling.read(NameCursor(stored.utf8.dropFirst(3)))
    }
    for prefix in ["$s", "_$s", "$S", "_$S"] where stored.hasPrefix(prefix) {
      return try NewMangling.read(NameCursor(stored.utf8.dropFirst(prefix.utf8.count)))
    }
    throw NotUnderstood()
  }
}
