// NIBArchives byte by byte, for tests.

/// Makes NIBArchives from lists whose entries are encoded already.
struct NibMaker {
  var objects: [[UInt8]] = []
  var keys: [[UInt8]] = []
  var values: [[UInt8]] = []
  var classes: [[UInt8]] = []

  /// A number of seven bits a byte, the last with its high bit set.
  static func variable(_ number: Int) -> [UInt8] {
    var (rest, bytes) = (number, [UInt8]())
    while rest > 0x7F {
      bytes.append(UInt8(rest & 0x7F))
      rest >>= 7
    }
    return bytes + [UInt8(rest) | 0x80]
  }

  static func word(_ number: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }

  mutating func add(object name: Int, _ first: Int, _ count: Int) {
    objects.append([name, first, count].flatMap(Self.variable))
  }

  mutating func add(key: String) { keys.append(Self.variable(key.utf8.count) + key.utf8) }

  mutating func add(value key: Int, _ type: UInt8, _ content: [UInt8] = []) {
    values.append(Self.variable(key) + [type] + content)
  }

  mutating func add(class name: String, fallbacks: [Int] = []) {
    classes.append(
      Self.variable(name.utf8.count + 1) + Self.variable(fallbacks.count)
        + fallbacks.flatMap(Self.word) + name.utf8 + [0])
  }

  /// The file.
  func bytes() -> [UInt8] {
    var header = Array("NIBArchive".utf8) + Self.word(1) + Self.word(9)
    var body: [UInt8] = []
    for list in [objects, keys, values, classes] {
      header += Self.word(list.count) + Self.word(50 + body.count)
      body += list.joined()
    }
    return header + body
  }

  /// An object with a value of each type, a string and a list of both.
  static func sample() -> NibMaker {
    var maker = NibMaker()
    for name in ["App.View", "NSString", "NSArray"] { maker.add(class: name, fallbacks: []) }
    for key in ["a", "NS.bytes", "NSInlinedValue", "UINibEncoderEmptyKey"] { maker.add(key: key) }
    maker.add(object: 0, 0, 11)
    maker.add(object: 1, 11, 1)
    maker.add(object: 2, 12, 3)
    let sizes: [UInt8: Int] = [0: 1, 1: 2, 2: 4, 3: 8, 6: 4, 7: 8]
    for type in UInt8(0)...9 where type != 8 {
      maker.add(value: 0, type, [UInt8](repeating: 0x41, count: sizes[type] ?? 0))
    }
    maker.add(value: 0, 8, variable(3) + [1, 2, 3])
    maker.add(value: 0, 10, word(2))
    maker.add(value: 1, 8, variable(5) + Array("Grün".utf8))
    maker.add(value: 2, 5)
    maker.add(value: 3, 10, word(0))
    maker.add(value: 3, 10, word(1))
    return maker
  }
}
