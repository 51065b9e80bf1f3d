// The elements of a property list (Apple, PropertyList-1.0.dtd), found by the names that libxml2 keeps once.

internal import CLibXML2

/// An element of a property list.
enum XMLElement: UInt8, CaseIterable {
  case plist, dict, array, key, string, integer, real, data, date, yes, no

  /// Its name in the text.
  var name: StaticString {
    switch self {
    case .plist: "plist"
    case .dict: "dict"
    case .array: "array"
    case .key: "key"
    case .string: "string"
    case .integer: "integer"
    case .real: "real"
    case .data: "data"
    case .date: "date"
    case .yes: "true"
    case .no: "false"
    }
  }

  @inline(__always)
  var holdsValues: Bool { rawValue <= Self.array.rawValue }

  /// Whether it has no content but white space.
  @inline(__always)
  var isEmpty: Bool { rawValue >= Self.yes.rawValue }
}

/// The names of elements in the dictionary of a parser: an element is recognized by the address of its name.
struct XMLElementNames: ~Copyable {
  private let addresses: UnsafeMutablePointer<UnsafePointer<xmlChar>?>

  init(_ library: LibXML2, _ parser: xmlParserCtxtPtr) {
    addresses = .allocate(capacity: XMLElement.allCases.count)
    for element in XMLElement.allCases {
      // A static string ends with a zero.
      let name = library.lookUp(parser.pointee.dict, element.name.utf8Start, -1)
      (addresses + Int(element.rawValue)).initialize(to: name)
    }
  }

  deinit { addresses.deallocate() }

  /// The element with a name; nil if no property list has it.
  @inline(__always)
  func element(_ name: UnsafePointer<xmlChar>) -> XMLElement? {
    let guess = Self.guess(name)
    return addresses[Int(guess.rawValue)] == name ? guess : nil
  }

  /// The only element that a name can be of, by letters that distinguish them; names end with a zero.
  @inline(__always)
  private static func guess(_ name: UnsafePointer<xmlChar>) -> XMLElement {
    switch name[0] {
    case UInt8(ascii: "k"): .key
    case UInt8(ascii: "s"): .string
    case UInt8(ascii: "i"): .integer
    case UInt8(ascii: "r"): .real
    case UInt8(ascii: "a"): .array
    case UInt8(ascii: "t"): .yes
    case UInt8(ascii: "f"): .no
    case UInt8(ascii: "d") where name[1] == UInt8(ascii: "i"): .dict
    case UInt8(ascii: "d"):
      name[1] != 0 && name[2] != 0 && name[3] == UInt8(ascii: "e") ? .date : .data
    default: .plist
    }
  }
}
