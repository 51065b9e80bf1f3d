// The mangling of Swift before version 4, which the Objective-C runtime's class names (`_Tt…`) keep for
// good. The grammar is that of the compiler's docs/ABI/OldMangling.rst; each function here is a rule.

/// Reads names in the old mangling: prefix notation, the outermost thing first.
struct OldMangling {
  var input: NameCursor
  var tree = NameTree()

  /// The targets of `S_`, `S0_`, …, in the order of their occurrence.
  private var substitutions: [NameTree.Index] = []
  private var nesting = 0

  private init(_ input: NameCursor) {
    self.input = input
  }

  /// Reads a name to its end; it must be one type.
  static func read(_ input: NameCursor) throws(NotUnderstood) -> NameTree {
    var mangling = OldMangling(input)
    mangling.tree.root = try mangling.type()
    guard mangling.input.isAtEnd else { throw NotUnderstood() }
    return mangling.tree
  }

  /// Goes one level deeper, as every rule does that may come round to itself.
  mutating func nest(
    _ rule: (inout OldMangling) throws(NotUnderstood) -> NameTree.Index
  ) throws(NotUnderstood) -> NameTree.Index {
    guard nesting < DemangledName.deepestNesting else { throw NotUnderstood() }
    nesting += 1
    defer { nesting -= 1 }
    return try rule(&self)
  }

  // MARK: Names

  /// A count and as many bytes; after an `X` they are Punycode.
  mutating func identifier() throws(NotUnderstood) -> String {
    let isPunycode = input.skip("X")
    guard let count = try input.number() else { throw NotUnderstood() }
    let text = try input.text(count: count)
    return isPunycode ? try Punycode.decode(text) : text
  }

  /// `P` discriminator name, `L` number name, or a name alone.
  mutating func declaredName() throws(NotUnderstood) -> NameTree.DeclaredName {
    if input.skip("L") {
      let number = try input.index() + 1
      return .local(try identifier(), number: number)
    }
    if input.skip("P") {
      let discriminator = try identifier()
      return .discriminated(try identifier(), by: discriminator)
    }
    return .plain(try identifier())
  }

  /// The part after an `S`: a standard type, one of the importer's modules, or a reference back.
  mutating func substitution() throws(NotUnderstood) -> NameTree.Index {
    if input.skip("o") { return try tree.add(.module("__C")) }
    if input.skip("C") { return try tree.add(.module("__C_Synthesized")) }
    if let standard = StandardType.old(input.peek) {
      _ = try input.next()
      return try tree.addStandard(standard.kind, standard.name)
    }
    let index = try input.index()
    guard substitutions.indices.contains(index) else { throw NotUnderstood() }
    return substitutions[index]
  }

  mutating func module() throws(NotUnderstood) -> NameTree.Index {
    if input.skip("s") { return try tree.add(.module("Swift")) }
    if input.skip("S") {
      let index = try substitution()
      guard tree.isModule(index) else { throw NotUnderstood() }
      return index
    }
    let index = try tree.add(.module(try identifier()))
    substitutions.append(index)
    return index
  }

  // MARK: Contexts

  /// The context of a declaration: a module, an extension, a type or a function.
  mutating func context() throws(NotUnderstood) -> NameTree.Index {
    try nest { (mangling) throws(NotUnderstood) in
      if mangling.input.skip("E") {
        let module = try mangling.module()
        let base = try mangling.context()
        return try mangling.tree.add(.extensionContext(module: module, base: base))
      }
      if mangling.input.skip("S") { return try mangling.substitution() }
      if mangling.input.skip("G") { return try mangling.boundGeneric() }
      switch mangling.input.peek {
      case "C", "V", "O", "P": return try mangling.nominal(try mangling.input.next())
      case "F", "I", "v", "Z": return try mangling.entity()
      default: return try mangling.module()
      }
    }
  }

  /// A nominal type, after the letter of its kind, or after its context if that is known.
  mutating func nominal(
    _ marker: Unicode.Scalar, in known: NameTree.Index? = nil
  ) throws(NotUnderstood) -> NameTree.Index {
    let kind = NameTree.NominalKind(marker) ?? .proto
    let context = if let known { known } else { try context() }
    let index = try tree.add(.nominal(kind, context: context, name: try declaredName()))
    substitutions.append(index)
    return index
  }

  /// A function, a variable or an initial value.
  mutating func entity() throws(NotUnderstood) -> NameTree.Index {
    let isTypeMember = input.skip("Z")
    let marker = try input.next()
    var entity = NameTree.Entity(context: try context())
    switch marker {
    case "F": try finishFunction(&entity)
    case "v":
      entity.name = try declaredName()
      entity.type = try type()
    case "I": try finishInitialValue(&entity)
    default: throw NotUnderstood()
    }
    let index = try tree.add(.entity(entity))
    return isTypeMember ? try tree.add(.typeMember(index)) : index
  }

  private mutating func finishInitialValue(
    _ entity: inout NameTree.Entity
  ) throws(NotUnderstood) {
    entity.isPartOfContext = true
    if input.skip("A") {
      entity.role = "default argument \(try input.index())"
    } else if input.skip("i") {
      entity.role = "variable initialization expression"
    } else {
      throw NotUnderstood()
    }
  }

  /// The name and the type of a function: one that is declared, or one that has a letter for a name.
  private mutating func finishFunction(_ entity: inout NameTree.Entity) throws(NotUnderstood) {
    let accessors: [Unicode.Scalar: String] = [
      "g": "getter", "s": "setter", "m": "materializeForSet", "w": "willset", "W": "didset",
    ]
    let letter = input.peek
    if let accessor = accessors[letter] {
      _ = try input.next()
      entity.role = accessor
      entity.name = try declaredName()
    } else if !("0"..."9").contains(letter) && !["L", "P", "X"].contains(letter) {
      _ = try input.next()
      entity.isCalled = letter != "d" && letter != "D"
      entity.role = try role(of: letter, in: entity.context)
    } else {
      entity.isCalled = true
      entity.name = try declaredName()
    }
    if letter != "d" && letter != "D" { entity.type = try type() }
  }

  private mutating func role(
    of letter: Unicode.Scalar, in context: NameTree.Index
  ) throws(NotUnderstood) -> String {
    switch letter {
    case "c": return "init"
    case "C":
      guard case .nominal(.classType, _, _) = tree[context] else { return "init" }
      return "__allocating_init"
    case "d": return "deinit"
    case "D":
      guard case .nominal(.classType, _, _) = tree[context] else { return "deinit" }
      return "__deallocating_deinit"
    case "U": return "closure #\(try input.index() + 1)"
    case "u": return "implicit closure #\(try input.index() + 1)"
    default: throw NotUnderstood()
    }
  }

  // MARK: The types of the old mangling: generic arguments, and the types of functions that

  mutating func type() throws(NotUnderstood) -> NameTree.Index {
    try nest { (mangling) throws(NotUnderstood) in
      let marker = try mangling.input.next()
      switch marker {
      case "C", "V", "O": return try mangling.nominal(marker)
      case "G": return try mangling.boundGeneric()
      case "S":
        let index = try mangling.substitution()
        guard mangling.tree.isType(index) else { throw NotUnderstood() }
        return index
      case "T": return try mangling.tuple()
      case "P":
        if !mangling.input.skip("M") { return try mangling.composition() }
        return try mangling.metatype(isExistential: true)
      case "M": return try mangling.metatype(isExistential: false)
      case "R": return try mangling.tree.add(.inOut(try mangling.type()))
      case "F", "f": return try mangling.function(.swift)
      case "K": return try mangling.function(.autoclosure)
      case "b": return try mangling.function(.block)
      case "c": return try mangling.function(.cFunction)
      default: throw NotUnderstood()
      }
    }
  }

  private mutating func metatype(isExistential: Bool) throws(NotUnderstood) -> NameTree.Index {
    let type = try type()
    return try tree.add(.metatype(of: type, isExistential: isExistential))
  }

  /// A nominal type and its arguments, a list that ends with `_` for each generic type from without.
  mutating func boundGeneric() throws(NotUnderstood) -> NameTree.Index {
    let marker = try input.next()
    let base: NameTree.Index
    switch marker {
    case "C", "V", "O": base = try nominal(marker)
    case "S": base = try substitution()
    default: throw NotUnderstood()
    }
    return try bind(base)
  }

  /// Gives a nominal type its generic arguments, those of the types around it first.
  private mutating func bind(_ index: NameTree.Index) throws(NotUnderstood) -> NameTree.Index {
    guard case .nominal(let kind, let context, let name) = tree[index] else {
      throw NotUnderstood()
    }
    var base = index
    if mayHaveArguments(context) {
      let boundContext = try bind(context)
      if boundContext != context {
        base = try tree.add(.nominal(kind, context: boundContext, name: name))
      }
    }
    let arguments = try types()
    if arguments.isEmpty { return base }
    guard kind != .proto else { throw NotUnderstood() }
    return try tree.add(.boundGeneric(base: base, arguments: arguments))
  }

  /// Modules, functions and extensions have no list of arguments.
  private func mayHaveArguments(_ context: NameTree.Index) -> Bool {
    switch tree[context] {
    case .module, .extensionContext: false
    case .entity(let entity): !(entity.isCalled && entity.name != nil)
    default: true
    }
  }

  private mutating func types() throws(NotUnderstood) -> [NameTree.Index] {
    var types: [NameTree.Index] = []
    while !input.skip("_") {
      types.append(try type())
    }
    return types
  }

  /// Elements up to a `_`, each with its label before it if it has one.
  private mutating func tuple() throws(NotUnderstood) -> NameTree.Index {
    var elements: [NameTree.Element] = []
    while !input.skip("_") {
      let isLabelled = ("0"..."9").contains(input.peek)
      let label = isLabelled ? try identifier() : nil
      elements.append(NameTree.Element(label: label, type: try type()))
    }
    return try tree.add(.tuple(elements))
  }

  /// The effects of the function, then its parameters and its result.
  private mutating func function(
    _ convention: NameTree.Convention
  ) throws(NotUnderstood) -> NameTree.Index {
    let throwsErrors = input.skip("z")
    let isSendable = input.skip("y")
    let isAsync = input.skip("Z")
    let parameters = try type()
    let function = NameTree.FunctionType(
      convention: convention, isSendable: isSendable, isAsync: isAsync, throwsErrors: throwsErrors,
      input: parameters, output: try type())
    return try tree.add(.function(function))
  }

  /// Protocols up to a `_`.
  private mutating func composition() throws(NotUnderstood) -> NameTree.Index {
    var protocols: [NameTree.Index] = []
    while !input.skip("_") {
      protocols.append(try protocolName())
    }
    return try tree.add(.composition(protocols))
  }

  /// An earlier protocol, or its context and its name.
  private mutating func protocolName() throws(NotUnderstood) -> NameTree.Index {
    guard input.skip("S") else { return try nominal("P") }
    let found = try substitution()
    if case .nominal(.proto, _, _) = tree[found] { return found }
    guard tree.isModule(found) else { throw NotUnderstood() }
    return try nominal("P", in: found)
  }
}
