// The content of a mangled name as a tree: both manglings build it, and NameText writes it.

import ArchiveBasics

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

  /// The kinds of nominal types by their letters in both manglings; they matter only for generic arguments and initializers.
  package enum NominalKind: Character {
    case classType = "C"
    case structure = "V"
    case enumeration = "O"
    case proto = "P"

    init?(_ letter: Unicode.Scalar) { self.init(rawValue: Character(letter)) }
  }

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

// MARK: - A position in the bytes of a mangled name

/// Reads a mangled name from its beginning to its end, never past it.
struct NameCursor {
  /// The largest number that a name may hold: no honest name comes near it, and no sum overflows.
  private static let largestNumber = 1_000_000

  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)
  }

  var isAtEnd: Bool { position == bytes.count }

  /// The next byte, left where it is; the scalar zero at the end.
  var peek: Unicode.Scalar { isAtEnd ? "\0" : Unicode.Scalar(bytes[position]) }

  mutating func next() throws(NotUnderstood) -> Unicode.Scalar {
    guard !isAtEnd else { throw NotUnderstood() }
    defer { position += 1 }
    return Unicode.Scalar(bytes[position])
  }

  /// Takes the next byte if it is the one given.
  mutating func skip(_ byte: Unicode.Scalar) -> Bool {
    guard !isAtEnd, Unicode.Scalar(bytes[position]) == byte else { return false }
    position += 1
    return true
  }

  /// Reads a decimal number, nil without a digit.
  mutating func number() throws(NotUnderstood) -> Int? {
    var value: Int?
    while case let byte = peek, ("0"..."9").contains(byte) {
      let sum = (value ?? 0) * 10 + Int(byte.value) - 48
      guard sum <= Self.largestNumber else { throw NotUnderstood() }
      value = sum
      position += 1
    }
    return value
  }

  /// Takes an index: `_` is 0, `0_` is 1, `1_` is 2.
  mutating func index() throws(NotUnderstood) -> Int {
    let number = try number()
    guard skip("_") else { throw NotUnderstood() }
    return number.map { $0 + 1 } ?? 0
  }

  /// Takes so many bytes as text.
  ///
  /// The name was a string, so its bytes are whole characters save where the count cuts one.
  mutating func text(count: Int) throws(NotUnderstood) -> String {
    guard count > 0, count <= bytes.count - position else { throw NotUnderstood() }
    let end = position + count
    guard !isInsideCharacter(position), !isInsideCharacter(end) else { throw NotUnderstood() }
    defer { position = end }
    return String(decoding: bytes[position..<end], as: UTF8.self)
  }

  private func isInsideCharacter(_ offset: Int) -> Bool {
    offset < bytes.count && bytes[offset] & 0xC0 == 0x80
  }
}

// MARK: - The letters for types of the Swift module after an `S`
//
// From the compiler's docs/ABI/OldMangling.rst and docs/ABI/Mangling.rst.

/// The standard types that have a letter of their own.
enum StandardType {
  typealias Named = (kind: NameTree.NominalKind, name: String)

  /// The type of a letter in the old mangling.
  static func old(_ letter: Unicode.Scalar) -> Named? {
    switch letter {
    case "c": (.structure, "UnicodeScalar")
    case "Q": (.enumeration, "ImplicitlyUnwrappedOptional")
    case "a", "b", "d", "f", "i", "P", "p", "q", "R", "r", "S", "u", "V", "v": new(letter)
    default: nil
    }
  }

  /// The type of a letter in the new mangling.
  static func new(_ letter: Unicode.Scalar) -> Named? {
    structures[letter].map { (.structure, $0) }
      ?? (letter == "q" ? (.enumeration, "Optional") : nil)
      ?? protocols[letter].map { (.proto, $0) }
  }

  private static let structures: [Unicode.Scalar: String] = [
    "A": "AutoreleasingUnsafeMutablePointer", "a": "Array", "b": "Bool", "D": "Dictionary",
    "d": "Double", "f": "Float", "h": "Set", "I": "DefaultIndices", "i": "Int", "J": "Character",
    "N": "ClosedRange", "n": "Range", "O": "ObjectIdentifier", "P": "UnsafePointer",
    "p": "UnsafeMutablePointer", "R": "UnsafeBufferPointer", "r": "UnsafeMutableBufferPointer",
    "S": "String", "s": "Substring", "u": "UInt", "V": "UnsafeRawPointer",
    "v": "UnsafeMutableRawPointer", "W": "UnsafeRawBufferPointer",
    "w": "UnsafeMutableRawBufferPointer",
  ]

  private static let protocols: [Unicode.Scalar: String] = [
    "B": "BinaryFloatingPoint", "E": "Encodable", "e": "Decodable", "F": "FloatingPoint",
    "G": "RandomNumberGenerator", "H": "Hashable", "j": "Numeric", "K": "BidirectionalCollection",
    "k": "RandomAccessCollection", "L": "Comparable", "l": "Collection", "M": "MutableCollection",
    "m": "RangeReplaceableCollection", "Q": "Equatable", "T": "Sequence", "t": "IteratorProtocol",
    "U": "UnsignedInteger", "X": "RangeExpression", "x": "Strideable", "Y": "RawRepresentable",
    "y": "StringProtocol", "Z": "SignedInteger", "z": "BinaryInteger",
  ]
}
