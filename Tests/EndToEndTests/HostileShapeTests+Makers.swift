// Builds the shapes, byte by byte.

import Foundation

extension HostileShapeTests {
  /// A binary property list of objects as they are encoded, references being of one byte.
  static func list(
    _ objects: [[UInt8]], offsets: [UInt8]? = nil, objectCount: UInt64? = nil, offsetSize: UInt8 = 1
  ) -> Data {
    var bytes = Array("bplist00".utf8)
    var places: [UInt8] = []
    for object in objects {
      places.append(UInt8(truncatingIfNeeded: bytes.count))
      bytes += object
    }
    let table = UInt64(bytes.count)
    bytes += offsets ?? places
    bytes += [0, 0, 0, 0, 0, 0, offsetSize, 1]
    let numbers: [UInt64] = [objectCount ?? UInt64(objects.count), 0, table]
    for number in numbers { bytes += bigEndian(number, 8) }
    return Data(bytes)
  }

  /// A binary property list whose references take four bytes.
  static func wideList(_ objects: [[UInt8]]) -> Data {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets += bigEndian(UInt64(bytes.count), 4)
      bytes += object
    }
    let table = UInt64(bytes.count)
    bytes += offsets + [0, 0, 0, 0, 0, 0, 4, 4]
    for number in [UInt64(objects.count), 0, table] { bytes += bigEndian(number, 8) }
    return Data(bytes)
  }

  private static func bigEndian(_ number: UInt64, _ width: Int) -> [UInt8] {
    (0..<width).reversed().map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
  }

  /// Each array holds the next one twice.
  static func sharedArrays(_ levels: Int) -> Data {
    list((0..<levels).map { [0xA2, UInt8($0 + 1), UInt8($0 + 1)] } + [[0x51, 0x61]])
  }

  static func deepBinary(_ levels: Int) -> Data {
    wideList((1...levels).map { [0xA1] + bigEndian(UInt64($0), 4) } + [[0x08]])
  }

  /// One dictionary with one key over and over.
  static func repeatedKeys(_ count: Int) -> Data {
    var dictionary: [UInt8] = [0xDF, 0x12] + bigEndian(UInt64(count), 4)
    for _ in 0..<count { dictionary += [0, 0, 0, 1] }
    for _ in 0..<count { dictionary += [0, 0, 0, 2] }
    return wideList([dictionary, [0x51, 0x6B], [0x10, 1]])
  }

  /// A hundred thousand levels of a container in text.
  static func wrapped(_ head: String, _ open: String, _ close: String, _ tail: String) -> Data {
    let levels = 100_000
    let middle = open.hasSuffix("=") ? "x" : ""
    return Data(
      (head + String(repeating: open, count: levels) + middle
        + String(repeating: close, count: levels) + tail).utf8)
  }

  /// An XML keyed archive whose root is object 1; `#5` stands for a UID.
  static func archive(_ objects: [String]) -> Data {
    let body = """
      <key>$archiver</key><string>NSKeyedArchiver</string><key>$version</key><integer>100000</integer>
      <key>$top</key><dict><key>root</key>#1</dict>
      <key>$objects</key><array><string>$null</string>\(objects.joined())</array>
      """
    var text = ""
    var rest = body[...]
    while let mark = rest.firstIndex(of: "#") {
      let digits = rest[rest.index(after: mark)...].prefix { $0.isNumber }
      text += rest[..<mark] + "<dict><key>CF$UID</key><integer>\(digits)</integer></dict>"
      rest = rest[digits.endIndex...]
    }
    return Data("<plist><dict>\(text)\(rest)</dict></plist>".utf8)
  }

  /// An object whose class record is object 2.
  static func object(_ fields: String) -> String { "<dict><key>$class</key>#2\(fields)</dict>" }

  static func record(_ name: String) -> String {
    """
    <dict><key>$classname</key><string>\(name)</string><key>$classes</key>
    <array><string>\(name)</string><string>NSObject</string></array></dict>
    """
  }

  /// Each archived array holds the next one twice.
  static func sharedObjects(_ levels: Int) -> Data {
    let arrays = (0..<levels).map { level in
      let next = level + 1 == levels ? 2 : level + 4
      return
        "<dict><key>$class</key>#\(3)<key>NS.objects</key><array>#\(next)#\(next)</array></dict>"
    }
    // Object 1 is the first array, 2 a leaf, 3 the class, then the other arrays.
    var objects = [arrays[0], "<string>leaf</string>"]
    objects.append(record("NSArray"))
    return archive(objects + arrays.dropFirst())
  }

  /// Class records that share one long `$classes` array.
  ///
  /// - Parameters:
  ///   - count: how many records there are.
  ///   - names: how many names the array has.
  ///   - length: how long its one name is.
  static func sharedClassChain(_ count: Int, names: Int, length: Int) -> Data {
    var values: [[UInt8]] = []
    func add(_ bytes: [UInt8]) -> UInt64 {
      values.append(bytes)
      return UInt64(values.count - 1)
    }
    func text(_ text: String) -> UInt64 {
      add([0x5F, 0x12] + bigEndian(UInt64(text.utf8.count), 4) + Array(text.utf8))
    }
    func container(_ marker: UInt8, _ references: [UInt64], _ elements: Int) -> UInt64 {
      add(
        [marker | 0x0F, 0x12] + bigEndian(UInt64(elements), 4)
          + references.flatMap { bigEndian($0, 4) })
    }
    _ = add([])
    let (name, classes, key) = (text("$classname"), text("$classes"), text("$class"))
    let long = text(String(repeating: "Z", count: length))
    let chain = container(0xA0, [UInt64](repeating: long, count: names), names)
    var objects = [text("$null")]
    for number in 0..<count {
      objects.append(container(0xD0, [name, classes, text("C\(number)"), chain], 2))
      let uid = add([0x83] + bigEndian(UInt64(objects.count - 1), 4))
      objects.append(container(0xD0, [key, uid], 1))
    }
    let list = container(0xA0, objects, objects.count)
    let top = container(0xD0, [text("root"), add([0x80, 2])], 1)
    let members = [
      (text("$archiver"), text("NSKeyedArchiver")),
      (text("$version"), add([0x12, 0, 1, 0x86, 0xA0])),
      (text("$top"), top), (text("$objects"), list),
    ]
    values[0] =
      [0xD4] + (members.map(\.0) + members.map(\.1)).flatMap { bigEndian($0, 4) }
    return wideList(values)
  }

  static func laughs() -> Data {
    var text = "<!DOCTYPE plist [<!ENTITY a0 \"ha\">"
    for level in 1...30 {
      let inner = String(repeating: "&a\(level - 1);", count: 10)
      text += "<!ENTITY a\(level) \"\(inner)\">"
    }
    return Data((text + "]><plist><string>&a30;</string></plist>").utf8)
  }
}
