// The mangling of Swift since version 4 (`$s…`), as far as types by name go: nested, private, generic or
// in extensions. The grammar is that of the compiler's docs/ABI/Mangling.rst.

/// Reads names in the new mangling: postfix notation over a stack, the innermost thing first.
struct NewMangling {
  /// An entry of the stack.
  private enum Item {
    case node(NameTree.Index)
    case identifier(String)
    case declaredName(NameTree.DeclaredName)
    case emptyList
    case elementMarker
  }

  /// How often one substitution may be repeated, and how high the stack may grow.
  private static let largestRepetition = 64
  private static let highestStack = 1024

  private var identifiers: NewIdentifiers
  private var tree = NameTree()
  private var stack: [Item] = []
  private var substitutions: [Item] = []

  /// Reads a name to its end; it must be one type.
  static func read(_ input: NameCursor) throws(NotUnderstood) -> NameTree {
    var mangling = NewMangling(identifiers: NewIdentifiers(input: input))
    while !mangling.input.isAtEnd {
      try mangling.readOperator()
      guard mangling.stack.count <= highestStack else { throw NotUnderstood() }
    }
    guard mangling.stack.count == 1, let root = mangling.popType() else { throw NotUnderstood() }
    mangling.tree.root = root
    return mangling.tree
  }

  private var input: NameCursor {
    get { identifiers.input }
    _modify { yield &identifiers.input }
  }

  private mutating func readOperator() throws(NotUnderstood) {
    if ("0"..."9").contains(input.peek) {
      let identifier = Item.identifier(try identifiers.read())
      substitutions.append(identifier)
      return stack.append(identifier)
    }
    let letter = try input.next()
    if let kind = NameTree.NominalKind(letter) { return try finishNominal(kind) }
    switch letter {
    case "A": try readSubstitutions()
    case "S": try readStandardType()
    case "s": stack.append(.node(try tree.add(.module("Swift"))))
    case "E": try finishExtension()
    case "G": try finishBoundGeneric()
    case "L": try finishPrivateName()
    case "y": stack.append(.emptyList)
    case "_": stack.append(.elementMarker)
    case "D" where input.isAtEnd: break  // This only says that the name is that of a type.
    default: throw NotUnderstood()
    }
  }

  // MARK: Substitutions

  /// References back: lower-case letters and one upper-case letter, or one large index.
  private mutating func readSubstitutions() throws(NotUnderstood) {
    while true {
      let number = try input.number()
      let letter = try input.next()
      switch letter {
      case "a"..."z": try push(substitution: Int(letter.value) - 97, times: number)
      case "A"..."Z": return try push(substitution: Int(letter.value) - 65, times: number)
      case "_": return try push(substitution: number.map { $0 + 27 } ?? 26, times: 1)
      default: throw NotUnderstood()
      }
    }
  }

  private mutating func push(substitution index: Int, times: Int?) throws(NotUnderstood) {
    guard substitutions.indices.contains(index) else { throw NotUnderstood() }
    try push(substitutions[index], times: times)
  }

  private mutating func push(_ item: Item, times: Int?) throws(NotUnderstood) {
    let times = times ?? 1
    guard times <= Self.largestRepetition else { throw NotUnderstood() }
    stack.append(contentsOf: repeatElement(item, count: max(times, 1)))
  }

  /// A standard type, one of the importer's modules, or `g`: an optional of the type before it.
  private mutating func readStandardType() throws(NotUnderstood) {
    if input.skip("o") { return stack.append(.node(try tree.add(.module("__C")))) }
    if input.skip("C") { return stack.append(.node(try tree.add(.module("__C_Synthesized")))) }
    if input.skip("g") {
      guard let wrapped = popType() else { throw NotUnderstood() }
      let optional = try tree.addStandard(.enumeration, "Optional")
      return pushType(try tree.add(.boundGeneric(base: optional, arguments: [wrapped])))
    }
    let times = try input.number()
    guard let standard = StandardType.new(try input.next()) else { throw NotUnderstood() }
    try push(.node(try tree.addStandard(standard.kind, standard.name)), times: times)
  }

  // MARK: The stack

  /// Puts a type on the stack that may be referred to later.
  private mutating func pushType(_ index: NameTree.Index) {
    stack.append(.node(index))
    substitutions.append(.node(index))
  }

  private mutating func popType() -> NameTree.Index? {
    guard case .node(let index)? = stack.last, tree.isType(index) else { return nil }
    stack.removeLast()
    return index
  }

  private mutating func popNominal() throws(NotUnderstood) -> NameTree.Index {
    guard let index = popType(), case .nominal = tree[index] else { throw NotUnderstood() }
    return index
  }

  private mutating func popIdentifier() throws(NotUnderstood) -> String {
    guard case .identifier(let text)? = stack.popLast() else { throw NotUnderstood() }
    return text
  }

  private mutating func popModule() throws(NotUnderstood) -> NameTree.Index {
    switch stack.popLast() {
    case .identifier(let name): return try tree.add(.module(name))
    case .node(let index) where tree.isModule(index): return index
    default: throw NotUnderstood()
    }
  }

  private mutating func popContext() throws(NotUnderstood) -> NameTree.Index {
    guard case .node(let index)? = stack.last, !tree.isModule(index) else { return try popModule() }
    if case .extensionContext = tree[index] {
      stack.removeLast()
      return index
    }
    return try popNominal()
  }

  private mutating func popDeclaredName() throws(NotUnderstood) -> NameTree.DeclaredName {
    switch stack.popLast() {
    case .identifier(let name): return .plain(name)
    case .declaredName(let name): return name
    default: throw NotUnderstood()
    }
  }

  // MARK: Declarations

  private mutating func finishNominal(_ kind: NameTree.NominalKind) throws(NotUnderstood) {
    let name = try popDeclaredName()
    pushType(try tree.add(.nominal(kind, context: try popContext(), name: name)))
  }

  private mutating func finishExtension() throws(NotUnderstood) {
    let module = try popModule()
    let base = try popNominal()
    stack.append(.node(try tree.add(.extensionContext(module: module, base: base))))
  }

  /// `LL`: a name and the discriminator that makes it private to its file.
  private mutating func finishPrivateName() throws(NotUnderstood) {
    guard input.skip("L") else { throw NotUnderstood() }
    let discriminator = try popIdentifier()
    guard case .plain(let name) = try popDeclaredName() else { throw NotUnderstood() }
    stack.append(.declaredName(.discriminated(name, by: discriminator)))
  }

  /// A nominal type, then the arguments of each type from the outermost one: `y` opens the first list
  /// and `_` each that follows.
  private mutating func finishBoundGeneric() throws(NotUnderstood) {
    var lists: [[NameTree.Index]] = []
    var isComplete = false
    while !isComplete {
      var list: [NameTree.Index] = []
      while let type = popType() { list.append(type) }
      lists.append(list.reversed())
      switch stack.popLast() {
      case .emptyList: isComplete = true
      case .elementMarker: break
      default: throw NotUnderstood()
      }
    }
    pushType(try bind(try popNominal(), to: lists[...]))
  }

  /// Gives a nominal type the first list of arguments and the types around it the others.
  private mutating func bind(
    _ index: NameTree.Index, to lists: ArraySlice<[NameTree.Index]>
  ) throws(NotUnderstood) -> NameTree.Index {
    guard case .nominal(let kind, let context, let name) = tree[index],
      let arguments = lists.first
    else { throw NotUnderstood() }
    var base = index
    if lists.count > 1 {
      let boundContext: NameTree.Index
      if case .extensionContext(let module, let extended) = tree[context] {
        let bound = try bind(extended, to: lists.dropFirst())
        boundContext = try tree.add(.extensionContext(module: module, base: bound))
      } else {
        boundContext = try bind(context, to: lists.dropFirst())
      }
      base = try tree.add(.nominal(kind, context: boundContext, name: name))
    }
    if arguments.isEmpty { return base }
    guard kind != .proto else { throw NotUnderstood() }
    return try tree.add(.boundGeneric(base: base, arguments: arguments))
  }
}
