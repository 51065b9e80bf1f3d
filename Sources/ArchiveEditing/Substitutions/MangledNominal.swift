// The name of a class that consists only of a module and types, written again in the old mangling.
//
// Grammar: the Swift compiler's docs/ABI/OldMangling.rst. The Objective-C runtime's names keep it for good.

import ArchiveWriting
import KeyedArchives

/// A mangled name of types nested in types of a module, and nothing else.
struct MangledNominal {
  /// The kinds of the types, outermost first: `C`, `V` or `O`.
  private let kinds: [Character]
  /// The discriminators of private names, nil for others; outermost first.
  private let discriminators: [String?]

  /// Reads a name in either mangling; nil if it has generic arguments, functions, extensions or protocols.
  init?(_ stored: String) {
    let tree: NameTree
    do throws(NotUnderstood) {
      tree = try DemangledName.read(stored)
    } catch {
      return nil
    }
    var kinds: [Character] = []
    var discriminators: [String?] = []
    var index = tree.root
    while case .nominal(let kind, let context, let name) = tree[index] {
      switch kind {
      case .classType: kinds.append("C")
      case .structure: kinds.append("V")
      case .enumeration: kinds.append("O")
      case .proto: return nil
      }
      switch name {
      case .plain: discriminators.append(nil)
      case .discriminated(_, let discriminator): discriminators.append(discriminator)
      case .local: return nil
      }
      index = context
    }
    guard !kinds.isEmpty, tree.isModule(index) else { return nil }
    self.kinds = kinds.reversed()
    self.discriminators = discriminators.reversed()
  }

  /// The same kinds of types under other names.
  ///
  /// The innermost types keep their kinds, and types that are added around them become classes. A private name keeps
  /// its discriminator, which the compiler makes of the name of the source file.
  ///
  /// - Parameter components: the module, then the types from the outermost on.
  /// - Returns: nil if a component cannot be written in this mangling, or there is no type.
  func renamed(_ components: [String]) -> String? {
    guard components.count > 1, !["Swift", "__C", "__C_Synthesized"].contains(components[0]) else {
      return nil
    }
    let depth = components.count - 1
    var text = "_Tt"
    for level in 0..<depth {
      text.append(level < kinds.count ? kinds[kinds.count - 1 - level] : "C")
    }
    guard let module = Self.identifier(components[0]) else { return nil }
    text += module
    for (position, name) in components.dropFirst().enumerated() {
      let level = depth - 1 - position
      if level < discriminators.count,
        let discriminator = discriminators[discriminators.count - 1 - level]
      {
        guard let encoded = Self.identifier(discriminator) else { return nil }
        text += "P" + encoded
      }
      guard let encoded = Self.identifier(name) else { return nil }
      text += encoded
    }
    return text
  }

  /// The length of an identifier and its characters; nil if it is not an identifier of ASCII characters.
  private static func identifier(_ name: String) -> String? {
    guard let first = name.utf8.first, !(0x30...0x39).contains(first),
      name.utf8.allSatisfy({ byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
          || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
      })
    else { return nil }
    return "\(name.utf8.count)\(name)"
  }
}
