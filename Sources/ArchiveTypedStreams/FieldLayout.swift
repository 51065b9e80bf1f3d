// The fields of classes that write values one after another, in a notation of one word a field.

/// The fields that a class writes, in their order.
///
/// A word is a letter and, after a colon, the name of the field; a value without a name keeps its number.
///
/// | letter | value |
/// | --- | --- |
/// | `@` `#` `s` `*` | an object, a class, a selector, a C string |
/// | `n` `f` `A` `V` | an integer or boolean of any width, a real, an array, anything |
/// | `P` `S` `R` | a point, a size, a rectangle: a structure, or two or four reals |
/// | `U` | an array with a string in UTF-16 after its byte order mark |
/// | `{:rows` … `}` | a number, and so many times the fields up to the brace |
/// | `&` | the fields of the class that was read last |
/// | `$` `~` | the components of the color space, or the runs of the string, that were read last (GNUstep) |
///
/// `?`, `!` and `%` before a letter mean that the field is there if the last integer without such a mark is not 0, is 0,
/// or is odd. `[3]` means that the fields after it are written from version 3 of the class on, and `=` at the beginning
/// that the class does not write those of its superclass. `n*4` is `n n n n`.
package struct FieldLayout: Sendable {
  /// One word.
  package struct Step: Sendable {
    let letter: UInt8
    let name: String?
    let condition: UInt8?
    var rows: [Step] = []

    /// What objects of a class that is not known write: nobody knows how much.
    static func unknown(_ name: String) -> Step {
      Step(letter: UInt8(ascii: "x"), name: name, condition: nil)
    }
  }

  private let words: [Substring]
  /// Whether the class does not write the fields of its superclass.
  package let replacesSuperclass: Bool

  /// Reads the notation, which is part of the program.
  package init(_ notation: String) {
    let words = notation.split(separator: " ")
    replacesSuperclass = words.first == "="
    self.words = replacesSuperclass ? Array(words.dropFirst()) : words
  }

  /// The fields that a version of the class writes.
  package func steps(version: Int64) -> [Step] {
    var steps: [Step] = []
    var open: Step?
    var minimum: Int64 = 0
    for word in words {
      if word.hasPrefix("["), let number = Int64(word.dropFirst().dropLast()) {
        minimum = number
        continue
      }
      guard version >= minimum else { continue }
      if word == "}" {
        if let open { steps.append(open) }
        open = nil
        continue
      }
      let parts = word.split(separator: ":", maxSplits: 1)
      let counted = parts[0].split(separator: "*")
      var letters = Array(counted[0].utf8)
      if letters.isEmpty { letters = [UInt8(ascii: "*")] }
      let step = Step(
        letter: letters[letters.count - 1], name: parts.count > 1 ? String(parts[1]) : nil,
        condition: letters.count > 1 ? letters[0] : nil)
      let times = counted.count > 1 ? Int(counted[1]) ?? 1 : 1
      if step.letter == UInt8(ascii: "{") {
        open = step
      } else if open != nil {
        open?.rows.append(step)
      } else {
        steps += Array(repeating: step, count: times)
      }
    }
    return steps
  }
}

/// The fields that are still to come.
package struct FieldCursor {
  private var levels: [(steps: [FieldLayout.Step], next: Int, repeats: UInt64)]
  /// The last integer without a condition.
  private var governor: Int64 = 0

  init(_ steps: [FieldLayout.Step]) { levels = [(steps, 0, 1)] }

  /// The next field; nil after the last.
  mutating func next() -> FieldLayout.Step? {
    while let level = levels.last {
      let last = levels.count - 1
      guard level.next < level.steps.count else {
        if level.repeats > 1 {
          levels[last].repeats -= 1
          levels[last].next = 0
        } else {
          levels.removeLast()
        }
        continue
      }
      levels[last].next += 1
      let step = level.steps[level.next]
      switch step.condition {
      case UInt8(ascii: "?") where governor == 0: continue
      case UInt8(ascii: "!") where governor != 0: continue
      case UInt8(ascii: "%") where governor & 1 == 0: continue
      default: return step
      }
    }
    return nil
  }

  /// Continues with the integer of a field: so many rows, or whether fields after it are there.
  mutating func accept(_ integer: Int64, for step: FieldLayout.Step) {
    if step.condition == nil { governor = integer }
    // Each row has a value, so that the bytes of the input end before a number that is too large.
    if !step.rows.isEmpty, integer > 0 { levels.append((step.rows, 0, UInt64(integer))) }
  }

  /// Continues with the fields of another class.
  mutating func enter(_ steps: [FieldLayout.Step]) {
    // A level at its end is not kept: fields may be entered for each run of a string.
    if let level = levels.last, level.next == level.steps.count, level.repeats <= 1 {
      levels.removeLast()
    }
    levels.append((steps, 0, 1))
  }
}

// MARK: - Values with the names of their fields

/// A value with the name of its field.
package struct NamedField {
  /// What the field is.
  package enum Content {
    /// The value with a number.
    case value(Int)
    /// Reals that are a point, size or rectangle, from a number on; or a structure of them.
    case geometry(first: Int, count: Int, isStructure: Bool)
    /// The string of an array.
    case text(Int)
    /// Rows of fields.
    case rows([[NamedField]])
  }

  /// The name; nil for a value that keeps its number.
  package private(set) var name: String?
  /// The value.
  package let content: Content

  /// Names values.
  ///
  /// - Parameters:
  ///   - steps: the fields.
  ///   - letters: the type of each value by its first letter: `[` of an array, `{` of a structure.
  ///   - integer: the integer with a number; nil for one that cannot be read.
  ///   - classFields: the fields of the class with a number.
  /// - Returns: the fields, and how many values they are: as many as fit.
  package static func fields(
    _ steps: [FieldLayout.Step], _ letters: [UInt8], integer: (Int) -> Int64?,
    classFields: (Int) -> [FieldLayout.Step]
  ) -> (fields: [NamedField], count: Int) {
    var cursor = FieldCursor(steps)
    var fields: [NamedField] = []
    var number = 0
    var lastClass: Int?
    while let step = cursor.next() {
      switch step.letter {
      case UInt8(ascii: "&"):
        cursor.enter(lastClass.map(classFields) ?? [])
        continue
      case UInt8(ascii: "$"):
        cursor.enter(GNUstepLayouts.components(like: letters[number...]))
        continue
      case UInt8(ascii: "~"):
        let run = Array(GNUstepLayouts.run.prefix(2))
        let count = Int64((letters.count - number) / 2)
        guard let rows = rows(run, count, number, letters) else {
          return (distinct(fields), number)
        }
        fields.append(NamedField(name: step.name, content: .rows(rows)))
        number += 2 * rows.count
        continue
      default: break
      }
      guard let content = content(step, number, letters) else { break }
      if step.letter == UInt8(ascii: "#") { lastClass = number }
      if step.letter == UInt8(ascii: "n") || step.letter == UInt8(ascii: "V") {
        cursor.accept(integer(number) ?? 0, for: step)
      }
      if step.letter == UInt8(ascii: "{") {
        guard let count = integer(number),
          let rows = rows(step.rows, count, number + 1, letters)
        else { break }
        fields.append(NamedField(name: step.name, content: .rows(rows)))
        number += 1 + step.rows.count * rows.count
        continue
      }
      fields.append(NamedField(name: step.name, content: content))
      if case .geometry(_, let count, isStructure: false) = content {
        number += count
      } else {
        number += 1
      }
    }
    return (distinct(fields), number)
  }

  /// Fields of which no two have one name: a class may call a field as one of its superclasses does.
  private static func distinct(_ fields: [NamedField]) -> [NamedField] {
    var names: Set<String> = []
    return fields.map { field in
      var field = field
      if let name = field.name, !names.insert(name).inserted { field.name = nil }
      return field
    }
  }

  /// The rows of a field, each value of which is one field; nil if there are fewer values, or others.
  private static func rows(
    _ steps: [FieldLayout.Step], _ count: Int64, _ first: Int, _ letters: [UInt8]
  ) -> [[NamedField]]? {
    guard count >= 0, !steps.isEmpty, count <= (letters.count - first) / steps.count else {
      return nil
    }
    var rows: [[NamedField]] = []
    for row in 0..<Int(count) {
      var fields: [NamedField] = []
      for (position, step) in steps.enumerated() {
        let number = first + row * steps.count + position
        guard let content = content(step, number, letters) else { return nil }
        fields.append(NamedField(name: step.name, content: content))
      }
      rows.append(fields)
    }
    return rows
  }

  /// What the values from a number on are for a field; nil if their types are others.
  private static func content(
    _ step: FieldLayout.Step, _ number: Int, _ letters: [UInt8]
  ) -> Content? {
    guard number < letters.count else { return nil }
    let count = step.letter == UInt8(ascii: "R") ? 4 : 2
    switch step.letter {
    case UInt8(ascii: "P"), UInt8(ascii: "S"), UInt8(ascii: "R"):
      if letters[number] == UInt8(ascii: "{") {
        return .geometry(first: number, count: count, isStructure: true)
      }
      let reals = letters[number...].prefix(count)
      guard reals.count == count, reals.allSatisfy({ "fd".utf8.contains($0) }) else { return nil }
      return .geometry(first: number, count: count, isStructure: false)
    case UInt8(ascii: "U"):
      return letters[number] == UInt8(ascii: "[") ? .text(number) : nil
    default: return fits(step.letter, letters[number]) ? .value(number) : nil
    }
  }

  /// Whether the value of a field may have a type.
  static func fits(_ letter: UInt8, _ type: UInt8) -> Bool {
    switch letter {
    case UInt8(ascii: "n"), UInt8(ascii: "{"): "cCsSiIlLqQB".utf8.contains(type)
    case UInt8(ascii: "f"): "fd".utf8.contains(type)
    case UInt8(ascii: "s"): type == UInt8(ascii: ":") || type == UInt8(ascii: "%")
    case UInt8(ascii: "*"): "*%+".utf8.contains(type)
    case UInt8(ascii: "A"), UInt8(ascii: "U"): type == UInt8(ascii: "[")
    case UInt8(ascii: "P"), UInt8(ascii: "S"), UInt8(ascii: "R"): type == UInt8(ascii: "{")
    case UInt8(ascii: "V"): true
    default: letter == type
    }
  }

  /// The types of an object's values by their first letters, from the text under `$types`; nil for any other text.
  package static func letters(ofTypes text: String) -> [UInt8]? {
    var letters: [UInt8] = []
    for group in text.split(separator: " ") {
      guard let types = try? EncodedType.parse(Array(group.utf8), offset: 0) else { return nil }
      letters += types.map(\.letter)
    }
    return letters
  }
}

extension EncodedType {
  /// The first letter of the encoding.
  var letter: UInt8 {
    switch self {
    case .scalar(let code): code
    case .array: UInt8(ascii: "[")
    case .structure: UInt8(ascii: "{")
    }
  }
}
