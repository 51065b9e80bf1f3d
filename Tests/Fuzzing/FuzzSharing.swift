// Archives with few distinct values that are referred to very often, generated from a number.

import ArchiveBasics

/// A binary property list or a keyed archive whose values are shared; the same number gives the same bytes.
struct FuzzSharing {
  private enum Stored {
    case text(String)
    case data([UInt8])
    case integer(UInt64)
    case real(UInt64)
    case date(UInt64)
    case uid(Int)
    case array([Int])
    case dictionary([(key: Int, value: Int)])
  }

  private var numbers: FuzzNumbers
  private var values: [Stored] = []
  private var objects: [Int] = []
  /// The most references of one container.
  private let width: Int

  /// The bytes for a number, or nothing if they are longer than allowed.
  static func archive(_ seed: UInt64, longest: Int) -> [UInt8]? {
    var sharing = FuzzSharing(numbers: FuzzNumbers(seed), width: max(2, min(longest / 64, 1000)))
    let isKeyed = sharing.numbers.below(3) > 0
    let bytes = isKeyed ? sharing.keyedArchive() : sharing.propertyList()
    return bytes.count <= longest ? bytes : nil
  }

  private init(numbers: FuzzNumbers, width: Int) {
    self.numbers = numbers
    self.width = width
  }

  private mutating func add(_ value: Stored) -> Int {
    values.append(value)
    return values.count - 1
  }

  // MARK: Shapes

  private mutating func scalar() -> Int {
    switch numbers.below(7) {
    case 0: add(.text(String(repeating: "k", count: 1 << numbers.below(12))))
    case 1: add(.text(["", "$null", "a", "é", "CF$UID"][numbers.below(5)]))
    case 2: add(.data([UInt8](repeating: 0x61, count: numbers.below(40))))
    case 3: add(.integer([0, 1, .max, 1 << 63, 42][numbers.below(5)]))
    case 4: add(.real([0, 1 << 63, 0x7FF8 << 48, 0x3FF8 << 48][numbers.below(4)]))
    case 5: add(.date([0, 0x41B8 << 48, 0x7FF0 << 48][numbers.below(3)]))
    default: add(.text("n\(numbers.below(3))"))
    }
  }

  /// References to a few of the values that there are, now and then to those that are yet to come.
  private mutating func references(_ most: Int, among count: Int) -> [Int] {
    let few = (0...numbers.below(4)).map { _ in numbers.below(max(count, 1)) }
    return (0..<numbers.below(most + 1)).map { _ in few[numbers.below(few.count)] }
  }

  private mutating func propertyList() -> [UInt8] {
    for _ in 0...numbers.below(5) { _ = scalar() }
    let doubles = numbers.below(2) == 0
    for _ in 0..<numbers.below(40) {
      let last = values.count - 1
      if doubles {
        _ = add(.array([last, last]))
      } else if numbers.below(3) == 0 {
        let few = references(width / 2, among: values.count)
        _ = add(.dictionary(few.map { (key: numbers.below(3), value: $0) }))
      } else {
        _ = add(.array(references(width, among: values.count)))
      }
    }
    return bytes(top: values.count - 1)
  }

  private mutating func keyedArchive() -> [UInt8] {
    let (classKey, itemsKey, keysKey) = (
      add(.text("$class")), add(.text("NS.objects")), add(.text("NS.keys"))
    )
    objects = [add(.text("$null"))]
    let names = [
      "NSArray", "NSMutableArray", "NSDictionary", "NSMutableDictionary", "NSSet", "NSOrderedSet",
      "Demo.Thing", "NSURL", "NSAttributedString",
    ]
    let (nameKey, chainKey) = (add(.text("$classname")), add(.text("$classes")))
    let base = add(.text("NSObject"))
    for name in names.prefix(1 + numbers.below(names.count)) {
      let text = add(.text(name))
      let chain = add(.array([text] + [Int](repeating: base, count: 1 + numbers.below(4))))
      objects.append(add(.dictionary([(nameKey, text), (chainKey, chain)])))
    }
    let records = objects.count - 1
    for _ in 0...numbers.below(4) { objects.append(scalar()) }
    let fields = (0..<4).map { add(.text("f\($0)")) }
    for _ in 0..<numbers.below(30) {
      let record = add(.uid(1 + numbers.below(records)))
      let isAhead = numbers.below(8) == 0
      let held = references(width, among: objects.count + (isAhead ? 5 : 0))
      var uids: [Int: Int] = [:]
      let items = held.map { number in
        if let known = uids[number] { return known }
        let uid = add(.uid(number))
        uids[number] = uid
        return uid
      }
      var pairs = [(key: classKey, value: record)]
      if numbers.below(3) == 0 {
        pairs += zip(fields, items).map { (key: $0, value: $1) }
      } else {
        let list = add(.array(items))
        pairs.append((itemsKey, list))
        if numbers.below(3) == 0 { pairs.append((keysKey, list)) }
      }
      let object = add(.dictionary(pairs))
      // One stored value may be many objects.
      for _ in 0...(numbers.below(6) == 0 ? numbers.below(width) : 0) { objects.append(object) }
    }
    return archiveBytes()
  }

  private mutating func archiveBytes() -> [UInt8] {
    let root = add(.uid(objects.count - 1))
    let top = add(.dictionary([(add(.text("root")), root)]))
    let all = add(.array(objects))
    let archiver = add(.text("NSKeyedArchiver"))
    return bytes(
      top: add(
        .dictionary([
          (add(.text("$archiver")), archiver), (add(.text("$version")), add(.integer(100_000))),
          (add(.text("$top")), top), (add(.text("$objects")), all),
        ])))
  }

  // MARK: Bytes

  private func bytes(top: Int) -> [UInt8] {
    var output = Array("bplist00".utf8)
    var offsets: [Int] = []
    for value in values {
      offsets.append(output.count)
      write(value, to: &output)
    }
    let table = output.count
    for offset in offsets { append(UInt64(offset), 4, to: &output) }
    output += [0, 0, 0, 0, 0, 0, 4, 2]
    for number in [values.count, top, table] { append(UInt64(number), 8, to: &output) }
    return output
  }

  private func write(_ value: Stored, to output: inout [UInt8]) {
    switch value {
    case .text(let text):
      let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
      begin(isASCII ? 0x50 : 0x60, isASCII ? text.utf8.count : text.utf16.count, to: &output)
      if isASCII {
        output += Array(text.utf8)
      } else {
        for unit in text.utf16 { append(UInt64(unit), 2, to: &output) }
      }
    case .data(let data):
      begin(0x40, data.count, to: &output)
      output += data
    case .integer(let number): append(tag: 0x13, number, to: &output)
    case .real(let pattern): append(tag: 0x23, pattern, to: &output)
    case .date(let pattern): append(tag: 0x33, pattern, to: &output)
    case .uid(let number):
      output.append(0x81)
      append(UInt64(number), 2, to: &output)
    case .array(let items):
      begin(0xA0, items.count, to: &output)
      for item in items { append(UInt64(item), 2, to: &output) }
    case .dictionary(let pairs):
      begin(0xD0, pairs.count, to: &output)
      for pair in pairs { append(UInt64(pair.key), 2, to: &output) }
      for pair in pairs { append(UInt64(pair.value), 2, to: &output) }
    }
  }

  private func append(tag: UInt8, _ number: UInt64, to output: inout [UInt8]) {
    output.append(tag)
    append(number, 8, to: &output)
  }

  private func begin(_ tag: UInt8, _ count: Int, to output: inout [UInt8]) {
    if count < 15 { return output.append(tag | UInt8(truncatingIfNeeded: count)) }
    output += [tag | 15, 0x11]
    append(UInt64(count), 2, to: &output)
  }

  private func append(_ number: UInt64, _ width: Int, to output: inout [UInt8]) {
    for shift in (0..<width).reversed() {
      output.append(UInt8(truncatingIfNeeded: number >> UInt64(shift * 8)))
    }
  }
}
