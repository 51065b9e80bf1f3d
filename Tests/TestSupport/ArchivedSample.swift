// Keyed archives as an expression of objects, written as the XML that NSKeyedArchiver would write, without any code of
// the program under test.

import Foundation

/// An object of a keyed archive with all that it leads to.
///
/// Literals are what archivers make of such values: strings stand in `$objects`, numbers and booleans in place.
package indirect enum ArchivedSample: Sendable {
  /// UID 0.
  case null
  /// The root object itself, for cycles.
  case root
  /// The object whose field this is.
  case owner
  /// A UID of any number.
  case uid(UInt64)
  /// A value in place.
  case inline(SampleValue)
  /// A value in `$objects`, and its UID in place.
  case stored(SampleValue)
  /// An array in place.
  case list([ArchivedSample])
  /// A dictionary in place.
  case table([(String, ArchivedSample)])
  /// An object of a class, named with its ancestors, nearest first.
  case instance([String], [(String, ArchivedSample)])

  /// An object of a class below NSObject.
  package static func object(
    _ name: String, _ fields: KeyValuePairs<String, ArchivedSample> = [:]
  ) -> ArchivedSample {
    .instance([name, "NSObject"], fields.map { ($0.key, $0.value) })
  }

  /// An NSArray.
  package static func array(_ elements: [ArchivedSample]) -> ArchivedSample {
    .object("NSArray", ["NS.objects": .list(elements)])
  }

  /// An NSDictionary.
  package static func dictionary(
    _ pairs: KeyValuePairs<ArchivedSample, ArchivedSample>
  ) -> ArchivedSample {
    .object(
      "NSDictionary",
      ["NS.keys": .list(pairs.map(\.key)), "NS.objects": .list(pairs.map(\.value))])
  }

  /// Data in place, of a text's bytes.
  package static func data(_ text: String) -> ArchivedSample { .inline(.data(Array(text.utf8))) }

  /// Data in place.
  package static func data(_ bytes: [UInt8]) -> ArchivedSample { .inline(.data(bytes)) }

  /// The keyed archive whose root the object is.
  package var archive: Data {
    var writer = ArchiveText()
    _ = writer.spell(self)
    let objects = writer.objects.joined()
    let text =
      "<plist version=\"1.0\"><dict><key>$archiver</key><string>NSKeyedArchiver</string>"
      + "<key>$version</key><integer>100000</integer><key>$top</key><dict><key>root</key>"
      + "\(ArchiveText.uid(1))</dict><key>$objects</key><array>\(objects)</array></dict></plist>"
    return Data(text.utf8)
  }
}

extension ArchivedSample: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral
{
  /// A string in `$objects`.
  package init(stringLiteral value: String) { self = .stored(.string(value)) }
  /// An integer in place.
  package init(integerLiteral value: Int64) { self = .inline(.integer(value)) }
  /// A real in place.
  package init(floatLiteral value: Double) { self = .inline(.real(value)) }
  /// A boolean in place.
  package init(booleanLiteral value: Bool) { self = .inline(.boolean(value)) }
}

/// The `$objects` of an archive while it is written.
private struct ArchiveText {
  var objects = ["<string>$null</string>"]
  private var classes: [[String]: Int] = [:]
  private var owner = 1

  static func uid(_ number: UInt64) -> String {
    "<dict><key>CF$UID</key><integer>\(number)</integer></dict>"
  }

  /// What stands in the place of a value.
  mutating func spell(_ sample: ArchivedSample) -> String {
    switch sample {
    case .null: return Self.uid(0)
    case .root: return Self.uid(1)
    case .owner: return Self.uid(UInt64(owner))
    case .uid(let number): return Self.uid(number)
    case .inline(let value): return Self.spell(value)
    case .stored(let value):
      objects.append(Self.spell(value))
      return Self.uid(UInt64(objects.count - 1))
    case .list(let elements):
      return "<array>\(elements.map { spell($0) }.joined())</array>"
    case .table(let pairs): return "<dict>\(spell(pairs))</dict>"
    case .instance(let chain, let fields):
      let place = objects.count
      objects.append("")
      let outer = owner
      owner = place
      let content = spell(fields)
      owner = outer
      let record = classes[chain] ?? addClass(chain)
      objects[place] = "<dict><key>$class</key>\(Self.uid(UInt64(record)))\(content)</dict>"
      return Self.uid(UInt64(place))
    }
  }

  private mutating func spell(_ pairs: [(String, ArchivedSample)]) -> String {
    pairs.map { "<key>\(Self.escaped($0.0))</key>\(spell($0.1))" }.joined()
  }

  private mutating func addClass(_ chain: [String]) -> Int {
    let names = chain.map { "<string>\(Self.escaped($0))</string>" }
    objects.append(
      "<dict><key>$classname</key>\(names.first ?? "")<key>$classes</key>"
        + "<array>\(names.joined())</array></dict>")
    classes[chain] = objects.count - 1
    return objects.count - 1
  }

  private static func spell(_ value: SampleValue) -> String {
    switch value {
    case .null: return uid(0)
    case .boolean(let flag): return flag ? "<true/>" : "<false/>"
    case .integer(let number): return "<integer>\(number)</integer>"
    case .unsigned(let number): return "<integer>\(number)</integer>"
    case .real(let number): return "<real>\(number)</real>"
    case .date(let seconds):
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      return "<date>\(ISO8601DateFormatter().string(from: date))</date>"
    case .data(let bytes): return "<data>\(Data(bytes).base64EncodedString())</data>"
    case .string(let text): return "<string>\(escaped(text))</string>"
    case .uid(let number): return uid(number)
    case .array(let elements): return "<array>\(elements.map { spell($0) }.joined())</array>"
    case .dictionary(let pairs):
      return "<dict>"
        + pairs.map { "<key>\(escaped($0.0))</key>\(spell($0.1))" }.joined() + "</dict>"
    }
  }

  private static func escaped(_ text: String) -> String {
    text.replacingOccurrences(of: "&", with: "&amp;")
      .replacingOccurrences(of: "<", with: "&lt;")
  }
}
