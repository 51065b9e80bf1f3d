// Swift types that a schema needs, before they are written as source.

import Basics

/// A type that a property has.
indirect enum SwiftType: Hashable {
  /// A type of the standard library or of Foundation.
  case scalar(Scalar)
  /// A declared type.
  case named(String)
  case list(SwiftType)
  case map(SwiftType)
  case optional(SwiftType)

  /// The types without parts: the raw value is the name of a union's case that holds the type.
  enum Scalar: String, CaseIterable {
    case boolean, integer, unsigned
    case real = "number"
    case date, data, uuid, string

    /// The type in Swift source.
    fileprivate var source: String {
      switch self {
      case .boolean: "Bool"
      case .integer: "Int"
      case .unsigned: "UInt64"
      case .real: "Double"
      case .date: "Date"
      case .data: "Data"
      case .uuid: "UUID"
      case .string: "String"
      }
    }
  }

  /// The type in Swift source.
  var source: String {
    switch self {
    case .scalar(let scalar): scalar.source
    case .named(let name): name
    case .list(let element): "[\(element.source)]"
    case .map(let value): "[String: \(value.source)]"
    case .optional(let wrapped): "\(wrapped.source)?"
    }
  }

  /// Whether Foundation declares the type or a type in it.
  var needsFoundation: Bool {
    switch self {
    case .scalar(let scalar): [.date, .data, .uuid].contains(scalar)
    case .list(let inner), .map(let inner), .optional(let inner): inner.needsFoundation
    case .named: false
    }
  }

  /// The declared type that a value of this type contains directly, not behind an array or a dictionary.
  var contained: String? {
    switch self {
    case .named(let name): name
    case .optional(let wrapped): wrapped.contained
    default: nil
    }
  }

  /// The type as an optional.
  var asOptional: SwiftType { if case .optional = self { self } else { .optional(self) } }

  /// The name of a union's case that holds the type.
  var caseName: String {
    switch self {
    case .scalar(let scalar): scalar.rawValue
    case .named(let name): name
    case .list: "list"
    case .map: "dictionary"
    case .optional(let wrapped): wrapped.caseName
    }
  }

  /// The order in which a union tries its cases: the type that decodes the fewest values comes first.
  var decodingRank: Int {
    switch self {
    // The scalars are declared in this order, and every text is a string.
    case .scalar(.string): Scalar.allCases.count
    case .scalar(let scalar): Scalar.allCases.firstIndex(of: scalar) ?? 0
    case .named: Scalar.allCases.count - 1
    case .list: Scalar.allCases.count + 1
    case .map: Scalar.allCases.count + 2
    case .optional(let wrapped): wrapped.decodingRank
    }
  }
}

// MARK: - What generated source declares: records, strings of an enumeration, unions

/// A declared type.
struct SwiftDeclaration {
  /// A stored property.
  struct Property {
    /// The member of the model.
    let key: String
    /// The property's name, without backticks.
    let name: String
    var type: SwiftType
    let documentation: String?
  }

  /// A case of an enumeration.
  struct Case {
    /// The case's name, without backticks.
    let name: String
    /// The string of the case.
    let text: String
  }

  /// A case of a union.
  struct Alternative {
    /// The case's name, without backticks.
    let name: String
    let type: SwiftType
  }

  /// The form of the declaration.
  enum Form {
    /// Members, each with a type; `isReference` if values contain values of the same type.
    case record([Property], isReference: Bool)
    /// Some strings.
    case strings([Case])
    /// One of several types.
    case union([Alternative])
  }

  let name: String
  let documentation: String?
  var form: Form
}

// MARK: - The records that must be classes: structs of Swift cannot contain themselves

/// Finds declared types whose values directly contain values of the same type.
enum SwiftRecursion {
  /// Marks the records that are on a path back to themselves.
  ///
  /// A type that contains no remaining type, or that no remaining type contains, is not on such a path.
  ///
  /// - Throws: `ArchiveError` for unions that contain one another without a record between: decoding one would never
  ///   end.
  static func mark(_ declarations: inout [SwiftDeclaration]) throws(ArchiveError) {
    let numbers = Dictionary(
      declarations.enumerated().map { ($0.element.name, $0.offset) }, uniquingKeysWith: { $1 })
    let held = declarations.map { declaration in
      contained(in: declaration).compactMap { numbers[$0] }
    }
    let unions = held.indices.map { number -> [Int] in
      guard declarations[number].isUnion else { return [] }
      return held[number].filter { declarations[$0].isUnion }
    }
    if let number = circles(in: unions).min() {
      throw ArchiveError(
        .unsupported, "the alternatives of \(declarations[number].name) refer to themselves",
        path: GraphPath())
    }
    for number in circles(in: held) {
      if case .record(let properties, _) = declarations[number].form {
        declarations[number].form = .record(properties, isReference: true)
      }
    }
  }

  /// The nodes on a path from one cycle to another.
  private static func circles(in next: [[Int]]) -> Set<Int> {
    var previous = [[Int]](repeating: [], count: next.count)
    for (number, others) in next.enumerated() {
      for other in others { previous[other].append(number) }
    }
    return remaining(next, previous).intersection(remaining(previous, next))
  }

  /// The nodes that have a path of any length onward.
  private static func remaining(_ next: [[Int]], _ previous: [[Int]]) -> Set<Int> {
    var counts = next.map(\.count)
    var ended = counts.indices.filter { counts[$0] == 0 }
    var left = Set(counts.indices).subtracting(ended)
    while let node = ended.popLast() {
      for other in previous[node] {
        counts[other] -= 1
        if counts[other] == 0 {
          left.remove(other)
          ended.append(other)
        }
      }
    }
    return left
  }

  private static func contained(in declaration: SwiftDeclaration) -> [String] {
    switch declaration.form {
    case .record(let properties, _): properties.compactMap(\.type.contained)
    case .union(let alternatives): alternatives.compactMap(\.type.contained)
    case .strings: []
    }
  }
}

extension SwiftDeclaration {
  fileprivate var isUnion: Bool { if case .union = form { true } else { false } }
}
