// The types of the old mangling: generic arguments, and the types of functions that classes lie in.

extension OldMangling {
  /// A type of any kind.
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

  /// Modules, functions and extensions have no list of arguments of their own.
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

  /// What the function does beyond returning, then its parameters and its result.
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

  /// A protocol said before, or its context and its name.
  private mutating func protocolName() throws(NotUnderstood) -> NameTree.Index {
    guard input.skip("S") else { return try nominal("P") }
    let said = try substitution()
    if case .nominal(.proto, _, _) = tree[said] { return said }
    guard tree.isModule(said) else { throw NotUnderstood() }
    return try nominal("P", in: said)
  }
}
