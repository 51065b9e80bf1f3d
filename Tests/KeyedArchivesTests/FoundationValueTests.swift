// Sets of numbers and characters, geometry, measurements and collections that Foundation archives.

import Foundation
import TestSupport
import Testing

@Suite struct FoundationValueTests {
  private func tree(_ object: Any) throws -> ShownTree { try FoundationClassTests.tree(object) }

  // MARK: Indexes and characters

  @Test(
    arguments: [
      [], [0..<1], [5..<8], [1..<4, 300..<302], [0..<1, 2..<3, 70_000..<70_001],
      (0..<12).map { ($0 * 1000)..<($0 * 1000 + 500) },
    ] as [[Range<Int>]])
  func indexSetsAreTheirRanges(_ ranges: [Range<Int>]) throws {
    let set = NSMutableIndexSet()
    for range in ranges { set.add(in: NSRange(range)) }
    var texts: [String] = []
    set.enumerateRanges { range, _ in
      texts.append(
        range.length == 1
          ? "\(range.location)" : "\(range.location)–\(range.location + range.length - 1)")
    }
    let tree = try tree(set)
    let line = texts.prefix(8).joined(separator: ", ") + (texts.count > 8 ? ", …" : "")
    #expect(tree.root == "NSMutableIndexSet (1) " + (texts.isEmpty ? "empty" : line))
    #expect(tree.member("ranges") == "array (\(texts.count))")
  }

  @Test(arguments: [[], [7], [1, 200, 70_000], Array(0..<20)])
  func indexPathsAreTheirIndexes(_ indexes: [Int]) throws {
    let path = NSIndexPath(indexes: indexes, length: indexes.count)
    let numbers = (0..<path.length).map { String(path.index(atPosition: $0)) }
    let tree = try tree(path)
    let line = numbers.prefix(16).joined(separator: " – ") + (numbers.count > 16 ? " …" : "")
    #expect(tree.root == "NSIndexPath (1) " + (numbers.isEmpty ? "empty" : line))
    let shown = tree.lines.filter { $0.contains("]: ") }.map { $0.components(separatedBy: ": ")[1] }
    #expect(shown == numbers)
  }

  /// The ends of the ranges of a set, found by asking it of every character.
  private static func ranges(of set: NSCharacterSet) -> [ClosedRange<UInt32>] {
    var ranges: [ClosedRange<UInt32>] = []
    for number in UInt32(0)...0x10FFFF where set.longCharacterIsMember(number) {
      if let last = ranges.last, last.upperBound + 1 == number {
        ranges[ranges.count - 1] = last.lowerBound...number
      } else {
        ranges.append(number...number)
      }
    }
    return ranges
  }

  @Test(arguments: [
    CharacterSet(charactersIn: "abcx").inverted,
    CharacterSet(charactersIn: Unicode.Scalar(0x41)...Unicode.Scalar(0x45)),
    CharacterSet(charactersIn: "\u{1F600}"..."\u{1F604}"),
    CharacterSet(charactersIn: "a"..."a"),
  ])
  func characterSetsAreTheirRanges(_ set: CharacterSet) throws {
    let texts = Self.ranges(of: set as NSCharacterSet).map { range in
      let ends = Set([range.lowerBound, range.upperBound]).sorted().map { number -> String in
        (0x21..<0x7F).contains(number)
          ? String(UnicodeScalar(UInt8(number))) : "U+" + String(format: "%04X", number)
      }
      return ends.joined(separator: "–")
    }
    let line = try tree(set as NSCharacterSet).root
    #expect(line == "NSCharacterSet (1) " + texts.joined(separator: ", "))
  }

  @Test(arguments: [
    (CharacterSet.controlCharacters, "control"), (.whitespaces, "whitespace"),
    (.whitespacesAndNewlines, "whitespace and newline"), (.decimalDigits, "decimal digit"),
    (.letters, "letter"), (.lowercaseLetters, "lowercase letter"),
    (.uppercaseLetters, "uppercase letter"), (.nonBaseCharacters, "non-base"),
    (.decomposables, "decomposable"), (.alphanumerics, "alphanumeric"),
    (.punctuationCharacters, "punctuation"), (.illegalCharacters, "illegal"),
    (.capitalizedLetters, "capitalized letter"), (.symbols, "symbol"), (.newlines, "newline"),
  ])
  func builtInCharacterSetsAreTheirName(_ set: CharacterSet, _ name: String) throws {
    #expect(try tree(set as NSCharacterSet).root.hasSuffix(") \(name) characters"))
    let inverted = set.inverted as NSCharacterSet
    #expect(try tree(inverted).root.hasSuffix(") all but \(name) characters"))
  }

  @Test func characterSetsOfAStringAreIt() throws {
    // Foundation keeps the characters in their order in Unicode.
    let set = NSCharacterSet(charactersIn: "xb\"a\\")
    #expect(try tree(set).root == #"NSCharacterSet (1) "\"\\abx""#)
  }

  // MARK: Geometry

  @Test(arguments: [(0, 0), (3, 4), (NSNotFound, 0)])
  func rangesAreTheirNumbers(_ location: Int, _ length: Int) throws {
    let range = NSValue(range: NSRange(location: location, length: length)).rangeValue
    let tree = try tree(NSValue(range: range))
    #expect(tree.root == "NSValue (2) range {\(range.location), \(range.length)}")
    #expect(tree.members == ["location: \(range.location)", "length: \(range.length)"])
  }

  @Test(
    arguments: [[0, 0, 0, 0], [1.5, -2, 10, 20.25], [1e-7, 1e21, -0.0, 1.0 / 3]] as [[Double]])
  func geometryIsItsNumbers(_ numbers: [Double]) throws {
    let point = NSPoint(x: numbers[0], y: numbers[1])
    let size = NSSize(width: numbers[2], height: numbers[3])
    let values: [(NSValue, String, [(String, Double)])] = [
      (NSValue(point: point), "point", [("x", point.x), ("y", point.y)]),
      (NSValue(size: size), "size", [("width", size.width), ("height", size.height)]),
      (
        NSValue(rect: NSRect(origin: point, size: size)), "rectangle",
        [("x", point.x), ("y", point.y), ("width", size.width), ("height", size.height)]
      ),
      (
        NSValue(
          edgeInsets: NSEdgeInsets(
            top: numbers[0], left: numbers[1], bottom: numbers[2], right: numbers[3])), "insets",
        [("top", numbers[0]), ("left", numbers[1]), ("bottom", numbers[2]), ("right", numbers[3])]
      ),
    ]
    for (value, kind, members) in values {
      let tree = try tree(value)
      #expect(tree.root.hasPrefix("NSValue (\(members.count)) \(kind) {"))
      let shown = tree.root.components(separatedBy: "\(kind) ").last ?? ""
      let words = shown.split { "{}, ".contains($0) }.map { Double($0) }
      #expect(words == members.map(\.1))
      #expect(tree.members.count == members.count)
      for (name, number) in members {
        #expect(tree.member(name).flatMap { Double($0) } == number)
      }
    }
  }

  @Test func otherValuesAreTheirTypeAndContent() throws {
    var number: Int32 = -5
    let value = NSValue(bytes: &number, objCType: "i")
    #expect(try tree(value).root == "NSValue (2) \(String(cString: value.objCType)) \(number)")
  }

  // MARK: Measurements

  @Test(arguments: [
    UnitLength.kilometers, UnitTemperature.fahrenheit, UnitFuelEfficiency.milesPerGallon,
    UnitMass.kilograms, UnitAngle.degrees, UnitArea.hectares, UnitDuration.hours,
    UnitEnergy.kilowattHours, UnitFrequency.hertz, UnitInformationStorage.gibibytes,
    UnitPower.watts, UnitPressure.hectopascals, UnitSpeed.knots, UnitVolume.liters,
    UnitAcceleration.gravity, UnitElectricCharge.ampereHours, UnitElectricCurrent.amperes,
    UnitElectricPotentialDifference.volts, UnitElectricResistance.ohms, UnitIlluminance.lux,
    UnitConcentrationMass.gramsPerLiter, UnitDispersion.partsPerMillion,
  ])
  func measurementsAreTheirValueAndUnit(_ unit: Dimension) throws {
    let measurement = NSMeasurement(doubleValue: 12.5, unit: unit)
    let shown = try tree(measurement)
    #expect(shown.root == "NSMeasurement (2) \(measurement.doubleValue) \(unit.symbol)")
    #expect(shown.member("NS.unit")?.hasSuffix(" \(unit.symbol)") == true)
    #expect(try tree(unit).root.hasSuffix(" (2) \(unit.symbol)"))
    // The formula that is shown gives what the unit's own converter gives.
    let converter = try tree(unit.converter).root.components(separatedBy: ") ")[1]
    for number in [0.5, 2, 100] {
      let base = unit.converter.baseUnitValue(fromValue: number)
      let own = try #require(Self.evaluate(converter, number), "\(converter)")
      #expect(abs(own - base) <= abs(base) * 1e-12)
    }
  }

  @Test func constantsOfConvertersKeepTheirSign() throws {
    let converter = UnitConverterLinear(coefficient: -3, constant: -4)
    #expect(try tree(converter).root == "NSUnitConverterLinear (2) -3 x - 4")
  }

  /// The value of `a x`, `a x + b`, `a x - b` or `a / x`.
  private static func evaluate(_ formula: String, _ x: Double) -> Double? {
    let words = formula.split(separator: " ")
    guard let first = words.first.flatMap({ Double($0) }) else { return nil }
    switch (words.count, words.dropFirst().first) {
    case (2, "x"?): return first * x
    case (3, "/"?): return first / x
    case (4, "x"?):
      guard let constant = Double(words[3]), ["+", "-"].contains(words[2]) else { return nil }
      return first * x + (words[2] == "-" ? -constant : constant)
    default: return nil
    }
  }

  // MARK: Collections

  @Test func countedSetsAreTheirCounts() throws {
    let set = NSCountedSet()
    for (word, count) in [("a", 3), ("b", 1), ("c", 12)] {
      for _ in 0..<count { set.add(word) }
    }
    let tree = try tree(set)
    let words = tree.root.components(separatedBy: ") ").last?.components(separatedBy: ", ") ?? []
    let expected = set.allObjects.map { "\(set.count(for: $0)) × \"\($0)\"" }
    #expect(Set(words) == Set(expected))
    #expect(tree.member("elements") == "array (\(set.count))")
    #expect(try self.tree(NSCountedSet()).root == "NSCountedSet (1) empty")
  }

  @Test func mutableCollectionsKeepTheirClass() throws {
    let values: [(NSObject, String)] = [
      (NSMutableArray(array: ["a"]), "NSMutableArray (1)"),
      (NSMutableDictionary(dictionary: ["a": 1]), "NSMutableDictionary (1)"),
      (NSMutableSet(array: ["a"]), "NSMutableSet (1)"),
      (NSMutableOrderedSet(array: ["a", "b"]), "NSMutableOrderedSet (2)"),
      (NSOrderedSet(), "NSOrderedSet (0)"), (NSArray(), "NSArray (0)"),
      (NSMutableData(data: Data([1, 255])), "NSMutableData data (2 bytes) 01ff"),
    ]
    for (value, line) in values { #expect(try tree(value).root == line) }
  }
}
