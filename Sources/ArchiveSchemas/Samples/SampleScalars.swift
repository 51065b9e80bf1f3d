// The scalars that samples are made of where a schema does not determine them.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists

enum SampleScalars {
  /// No text is longer, no list or object has more parts.
  static let lengthLimit = 400

  static let texts = [
    "a", "Word", "two words", "é", "日本😀", "e\u{301}", "0", "-1.5", "true", "null",
  ]

  private static let integers: [Int128] = [
    0, 1, -1, 2, 3, 10, 100, -7, 1 << 31, -(1 << 31) - 1, (1 << 53) - 1,
  ]
  private static let reals: [Double] = [0.5, -0.25, 1.5, 19.99, 1e-7, 1e21]

  /// Small numbers, numbers with fractions, and integers near the limits of 32 and of 53 bits.
  static let numbers =
    integers.map { ExactNumber.integer($0) } + reals.compactMap { ExactNumber($0) }

  /// Seconds from 2001: the epoch, a usual day, a fraction, and days before 1970 and after 2038.
  static let dates = [0, 576_215_400, 576_215_400.25, -1_000_000_000, 1_500_000_000]

  static let data: [[UInt8]] = [[], [0], [1, 2, 3], Array(0...255)]

  /// The text of a URL that others are relative to, and the text of one of these.
  static let baseAndRelative = ("https://example.com/a?b=c#d", "b/c?d")

  /// The texts that objects of a framework's class are shown as; empty for other classes.
  static func texts(ofClass name: String?) -> [String] {
    switch name {
    case "NSUUID"?:
      ["00000000-0000-0000-0000-000000000000", "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"]
    case "NSURL"?:
      [baseAndRelative.0, "file:///tmp/a%20b", "mailto:a@example.com"]
    case "NSDecimalNumber"?: ["0", "-1.5", "19.99"]
    case "NSTimeZone"?: ["UTC", "Europe/Vienna"]
    case "NSLocale"?: ["en_US", "de"]
    case let name?: ["NSString", "NSMutableString"].contains(name) ? texts : []
    case nil: []
    }
  }

  /// The names of members whose keys are of a class.
  static func keys(_ name: String) -> [String] {
    switch name {
    case "NSNumber": ["0", "5", "-1", "1.5"]
    case "NSDate": ["2001-01-01T00:00:00Z", "2019-04-06T03:50:00Z"]
    case "NSData": ["", "AQID"]
    case "NSString": ["key", "a b"]
    default: texts(ofClass: name)
    }
  }
}

extension StringFormat {
  var samples: [String] {
    switch self {
    case .dateTime: ["2019-04-06T03:50:00Z", "1999-12-31T23:59:59.5+09:00"]
    case .date: ["2019-04-06", "2000-02-29"]
    case .time: ["03:50:00Z", "23:59:59.5+09:00"]
    case .duration: ["P1D", "PT36H"]
    case .email, .internationalizedEmail: ["a@example.com", "first.last@example.org"]
    case .hostname, .internationalizedHostname: ["example.com", "a"]
    case .ipv4: ["127.0.0.1", "192.0.2.255"]
    case .ipv6: ["::1", "2001:db8::ff00:42:8329"]
    case .uri, .iri: ["https://example.com/a?b=c#d", "urn:isbn:0451450523"]
    case .uriReference, .iriReference: ["a/b", "https://example.com"]
    case .uriTemplate: ["https://example.com/{id}", "a"]
    case .uuid: ["6ba7b810-9dad-11d1-80b4-00c04fd430c8", "00000000-0000-0000-0000-000000000000"]
    case .jsonPointer: ["", "/a~1b/0"]
    case .relativeJSONPointer: ["0", "1/a"]
    case .regex: ["^a+$", "[0-9]"]
    }
  }
}

// MARK: - Values of samples from JSON, and as JSON

extension SyntheticValue {
  /// The value of JSON in a schema or a lens; JSON trees have a bounded depth.
  ///
  /// - Parameter tagged: the value that an object of one member stands for; nil if it is an object like others.
  package init(
    sample tree: JSONTree, tagged: (String, JSONTree) -> SyntheticValue? = { _, _ in nil }
  ) {
    switch tree {
    case .null: self = .null
    case .boolean(let flag): self = .boolean(flag)
    case .integer(let number): self = .integer(Int64(number))
    case .unsigned(let number): self = .unsigned(number)
    case .wide(let number): self = .real(Double(number))
    case .real(let number): self = .real(number)
    case .string(let text): self = .string(text)
    case .list(let items): self = .list(items.map { SyntheticValue(sample: $0, tagged: tagged) })
    case .members(let members):
      if members.count == 1, let member = members.first,
        let value = tagged(member.0, member.1)
      {
        self = value
      } else {
        self = .members(members.map { ($0.0, SyntheticValue(sample: $0.1, tagged: tagged)) })
      }
    }
  }

  /// An integer; nil beyond 64 bits.
  package init?(whole number: Int128) {
    guard
      let form = Int64(exactly: number).map({ Self.integer($0) })
        ?? UInt64(exactly: number).map({ .unsigned($0) })
    else { return nil }
    self = form
  }

  /// The value as a dump to JSON shows it.
  package var sampleTree: JSONTree {
    switch self {
    case .null, .node: .null
    case .boolean(let flag): .boolean(flag)
    case .integer(let number): .integer(Int(number))
    case .unsigned(let number): .unsigned(number)
    case .real(let number): .real(number)
    case .string(let text): .string(text)
    case .date(let seconds): .string(Timestamp(secondsFromReference: seconds)?.text ?? "\(seconds)")
    case .data(let bytes): .string(Self.base64(bytes))
    case .list(let items): .list(items.map(\.sampleTree))
    case .members(let members): .members(members.map { ($0.name, $0.value.sampleTree) })
    case .pairs(let pairs):
      .list(pairs.map { .list([$0.key.sampleTree, $0.value.sampleTree]) })
    case .changed(let value, _): value.sampleTree
    }
  }

  /// Bytes in Base64.
  package static func base64(_ bytes: [UInt8]) -> String {
    bytes.withByteView { Base64.text($0) }
  }

  /// The value in a graph of its own.
  package func inGraph() -> (root: Node, graph: ObjectGraph) {
    let graph = JSONTree.null.makeGraph()
    return (graph.add(self, near: graph.root), graph)
  }
}

// MARK: - Pseudorandom numbers, which are the same for the same seed on every system

/// A generator of numbers (SplitMix64; Steele, Lea and Flood, 2014).
package struct SampleNumbers: RandomNumberGenerator {
  private var state: UInt64

  /// Begins with a seed; each number of a series under the same seed has numbers of its own.
  package init(seed: UInt64, series: Int = 0) {
    state = seed
    state = next() &+ UInt64(truncatingIfNeeded: series)
  }

  /// The next number.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// True once in so many times.
  mutating func isOne(in count: UInt64) -> Bool { next() % count == 0 }
}
