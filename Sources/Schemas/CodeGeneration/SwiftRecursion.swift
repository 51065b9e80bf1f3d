// Finds the records that must be classes, because Swift's structs cannot contain themselves.

import Basics

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
