// The content of a mangled name as a tree: both manglings build it, and NameText writes it.

/// The nodes of a demangled name in flat storage; a node knows its children by index.
///
/// A child may belong to several nodes, because manglings refer back to earlier parts.
package struct NameTree {
  package typealias Index = Int

  /// A declared name.
  package enum DeclaredName {
    case plain(String)
    /// A private name, distinguished from others of the same text by a hash of its file.
    case discriminated(String, by: String)
    /// A name in a function, distinguished from others of the same text by a number.
    case local(String, number: Int)
  }

  /// The kinds of nominal types; they matter only for generic arguments and initializers.
  package enum NominalKind {
    case classType
    case structure
    case enumeration
    case proto
  }

  /// How a function is called.
  enum Convention {
    case swift
    case autoclosure
    case block
    case cFunction
  }

  /// The type of a function.
  package struct FunctionType {
    var convention: Convention
    var isSendable = false
    var isAsync = false
    var throwsErrors = false
    var input: Index
    var output: Index
  }

  /// An element of a tuple.
  package struct Element {
    var label: String?
    var type: Index
  }

  /// A declaration other than a type: the context of a local class.
  package struct Entity {
    var context: Index
    var name: DeclaredName?
    /// The relation of the entity to the name, `getter`, or a substitute for a name, `closure #1`.
    var role = ""
    var type: Index?
    /// Whether the type of a function follows the name directly: `f() -> ()`.
    var isCalled = false
    /// Whether the entity belongs to its context instead of being in it: `… of f`.
    var isPartOfContext = false

    /// Whether the context can only follow the name: `closure #1 in f()`.
    var isOfSeveralWords: Bool {
      if case .local? = name { return true }
      return role.contains(" ")
    }
  }

  /// The kind of a node.
  package enum Form {
    case module(String)
    case nominal(NominalKind, context: Index, name: DeclaredName)
    case extensionContext(module: Index, base: Index)
    case boundGeneric(base: Index, arguments: [Index])
    case tuple([Element])
    case function(FunctionType)
    case metatype(of: Index, isExistential: Bool)
    case composition([Index])
    case inOut(Index)
    case entity(Entity)
    case typeMember(Index)
  }

  private var forms: [Form] = []
  private var heights: [Int] = []

  /// The node of the whole name.
  package var root: Index = 0

  package subscript(index: Index) -> Form { forms[index] }

  /// Adds a node; its children must be in the tree already.
  ///
  /// The height is bounded here because references can nest parts that are not nested in the name.
  package mutating func add(_ form: Form) throws(NotUnderstood) -> Index {
    guard !isNamedLikeMember(form) else { throw NotUnderstood() }
    let height = 1 + (children(of: form).map { heights[$0] }.max() ?? 0)
    guard height <= DemangledName.deepestNesting else { throw NotUnderstood() }
    forms.append(form)
    heights.append(height)
    return forms.count - 1
  }

  /// Whether a declaration in a function bears a name without a number, as only members do.
  private func isNamedLikeMember(_ form: Form) -> Bool {
    let context: Index
    switch form {
    case .nominal(_, let outer, let name):
      if case .local = name { return false }
      context = outer
    case .entity(let entity):
      if entity.isOfSeveralWords { return false }
      context = entity.context
    default: return false
    }
    switch self[context] {
    case .entity, .typeMember: return true
    default: return false
    }
  }

  private func children(of form: Form) -> [Index] {
    switch form {
    case .module: []
    case .nominal(_, let context, _): [context]
    case .extensionContext(let module, let base): [module, base]
    case .boundGeneric(let base, let arguments): [base] + arguments
    case .tuple(let elements): elements.map(\.type)
    case .function(let function): [function.input, function.output]
    case .metatype(let type, _), .inOut(let type), .typeMember(let type): [type]
    case .composition(let protocols): protocols
    case .entity(let entity): entity.type.map { [entity.context, $0] } ?? [entity.context]
    }
  }

  /// Adds a type of the Swift module.
  mutating func addStandard(
    _ kind: NominalKind, _ name: String
  ) throws(NotUnderstood) -> Index {
    try add(.nominal(kind, context: try add(.module("Swift")), name: .plain(name)))
  }

  /// Whether a node can be used as a type.
  func isType(_ index: Index) -> Bool {
    switch self[index] {
    case .module, .extensionContext, .entity, .typeMember: false
    default: true
    }
  }

  /// Whether a node is a module.
  package func isModule(_ index: Index) -> Bool {
    if case .module = self[index] { true } else { false }
  }
}
