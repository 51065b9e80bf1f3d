// The letters for types of the Swift module after an `S`, from the compiler's
// docs/ABI/OldMangling.rst and docs/ABI/Mangling.rst.

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
    structure(letter).map { (.structure, $0) }
      ?? (letter == "q" ? (.enumeration, "Optional") : nil)
      ?? proto(letter).map { (.proto, $0) }
  }

  private static func structure(_ letter: Unicode.Scalar) -> String? {
    switch letter {
    case "A": "AutoreleasingUnsafeMutablePointer"
    case "a": "Array"
    case "b": "Bool"
    case "D": "Dictionary"
    case "d": "Double"
    case "f": "Float"
    case "h": "Set"
    case "I": "DefaultIndices"
    case "i": "Int"
    case "J": "Character"
    case "N": "ClosedRange"
    case "n": "Range"
    case "O": "ObjectIdentifier"
    case "P": "UnsafePointer"
    case "p": "UnsafeMutablePointer"
    case "R": "UnsafeBufferPointer"
    case "r": "UnsafeMutableBufferPointer"
    case "S": "String"
    case "s": "Substring"
    case "u": "UInt"
    case "V": "UnsafeRawPointer"
    case "v": "UnsafeMutableRawPointer"
    case "W": "UnsafeRawBufferPointer"
    case "w": "UnsafeMutableRawBufferPointer"
    default: nil
    }
  }

  private static func proto(_ letter: Unicode.Scalar) -> String? {
    switch letter {
    case "B": "BinaryFloatingPoint"
    case "E": "Encodable"
    case "e": "Decodable"
    case "F": "FloatingPoint"
    case "G": "RandomNumberGenerator"
    case "H": "Hashable"
    case "j": "Numeric"
    case "K": "BidirectionalCollection"
    case "k": "RandomAccessCollection"
    case "L": "Comparable"
    case "l": "Collection"
    case "M": "MutableCollection"
    case "m": "RangeReplaceableCollection"
    case "Q": "Equatable"
    case "T": "Sequence"
    case "t": "IteratorProtocol"
    case "U": "UnsignedInteger"
    case "X": "RangeExpression"
    case "x": "Strideable"
    case "Y": "RawRepresentable"
    case "y": "StringProtocol"
    case "Z": "SignedInteger"
    case "z": "BinaryInteger"
    default: nil
    }
  }
}
