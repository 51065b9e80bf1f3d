// Which operation has made of a value what does not fit.

import Schemas

/// Finds the last operation that touched a place.
struct LensBlame {
  private let touches: [(operation: LensOperation, steps: [Substring])]

  init(_ touches: [SchemaLens.Touch]) {
    self.touches = touches.map { ($0.operation, Self.steps($0.path.joined()[...])) }
  }

  /// The last operation that wrote a place or one around it; else one inside of it; nil if none did.
  func operation(at path: String) -> LensOperation? {
    let steps = Self.steps(path.dropFirst())
    let around = touches.last { Self.begins(steps, with: $0.steps) }
    let inside = touches.last { Self.begins($0.steps, with: steps) }
    return (around ?? inside)?.operation
  }

  private static func begins(_ steps: [Substring], with start: [Substring]) -> Bool {
    start.count <= steps.count && zip(start, steps).allSatisfy(matches)
  }

  /// Whether two steps may lead to the same part; a star stands for any.
  private static func matches(_ left: Substring, _ right: Substring) -> Bool {
    if left == right { return true }
    let isElement = { (step: Substring) in step.first == "[" && step.dropFirst().first != "'" }
    let stars = [ModelPath.anyMember[...], ModelPath.anyElement[...]]
    return isElement(left) == isElement(right) && (stars.contains(left) || stars.contains(right))
  }

  /// The steps of a path without its `$`: `.name`, `['a name']`, `[3]`, `[*]` or `.*`.
  private static func steps(_ path: Substring) -> [Substring] {
    var result: [Substring] = []
    var start = path.startIndex
    var isQuoted = false
    var isEscaped = false
    for index in path.indices {
      let letter = path[index]
      if isEscaped {
        isEscaped = false
      } else if isQuoted {
        isEscaped = letter == "\\"
        isQuoted = letter != "'"
      } else if letter == "'" {
        isQuoted = true
      } else if letter == "." || letter == "[", index > start {
        result.append(path[start..<index])
        start = index
      }
    }
    return start < path.endIndex ? result + [path[start...]] : result
  }
}
