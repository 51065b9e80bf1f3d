// The encodings of texts, with and without byte order marks: values and offsets equal those of UTF-8.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import Foundation
import TestSupport
import Testing

/// An encoding of Unicode, perhaps with a byte order mark.
enum UnicodeForm: String, CaseIterable {
  case utf8, utf16LittleEndian, utf16BigEndian, utf32LittleEndian, utf32BigEndian
  case utf8Marked, utf16LittleEndianMarked, utf16BigEndianMarked
  case utf32LittleEndianMarked, utf32BigEndianMarked

  var mark: [UInt8] {
    switch self {
    case .utf8Marked: return [0xEF, 0xBB, 0xBF]
    case .utf16LittleEndianMarked: return [0xFF, 0xFE]
    case .utf16BigEndianMarked: return [0xFE, 0xFF]
    case .utf32LittleEndianMarked: return [0xFF, 0xFE, 0, 0]
    case .utf32BigEndianMarked: return [0, 0, 0xFE, 0xFF]
    default: return []
    }
  }

  private var encoding: String.Encoding {
    switch self {
    case .utf8, .utf8Marked: return .utf8
    case .utf16LittleEndian, .utf16LittleEndianMarked: return .utf16LittleEndian
    case .utf16BigEndian, .utf16BigEndianMarked: return .utf16BigEndian
    case .utf32LittleEndian, .utf32LittleEndianMarked: return .utf32LittleEndian
    case .utf32BigEndian, .utf32BigEndianMarked: return .utf32BigEndian
    }
  }

  /// Foundation tells wide encodings of property lists by their marks only.
  var isKnownToFoundation: Bool { self == .utf8 || !mark.isEmpty }

  /// A text without its mark.
  func body(_ text: String) throws -> Data { try #require(text.data(using: encoding)) }

  func data(_ text: String) throws -> Data { Data(mark) + (try body(text)) }
}

@Suite struct TextEncodingTests {
  private static let sample = "Zürich 東京 🌦 e\u{301}"
  private static let xml =
    "<?xml version=\"1.0\"?>\n<plist><array><string>\(sample)</string><true/></array></plist>"
  private static let openStep = "( \"\(sample)\", {ab = 'ü';} )"
  private static let strings = "/* \(sample) */\n\"k\" = \"\(sample)\";\n"
  private static let json = "[\"\(sample)\", {\"ü\": [1.5, null]}]"

  @Test(arguments: [xml, openStep, strings], UnicodeForm.allCases)
  func propertyListsAreReadInEveryEncoding(_ text: String, _ form: UnicodeForm) throws {
    let data = try form.data(text)
    let wanted = try #require(foundationReading(Data(text.utf8)))
    if form.isKnownToFoundation { #expect(foundationReading(data) == wanted) }
    #expect(try readGraph(data).canonical == wanted)
  }

  @Test(arguments: [json, "\"ü\"", "17", "[]"], UnicodeForm.allCases)
  func jsonIsReadAsFoundationReadsIt(_ text: String, _ form: UnicodeForm) throws {
    let data = try form.data(text)
    let graph = try readGraph(data)
    #expect(graph.foundationObject(graph.root) == (try TestArchives.json(data)))
  }

  @Test(arguments: ["JSON", "JSON5"].flatMap { Corpus.files("plist/swift-foundation/\($0)") })
  func filesOfOthersAreReadInEveryEncoding(_ path: String) throws {
    let data = try Data(contentsOf: try #require(Corpus.file(path)))
    let wanted = try #require(foundationReading(data))
    let text = String(decoding: data, as: UTF8.self)
    for form in UnicodeForm.allCases {
      #expect(try readGraph(form.data(text)).canonical == wanted, "\(form)")
    }
  }

  /// An error names the byte in the file, whatever the encoding.
  @Test(
    arguments: [
      ("( a, ü🌦 )", "( a, "), ("(a, \"ü🌦\\n東\" x)", "(a, \"ü🌦\\n東\" "),
      ("{\"ü🌦\": 東}", "{\"ü🌦\": "), ("[\"ü\", \"🌦\\x\"]", "[\"ü\", \"🌦\\"),
    ],
    UnicodeForm.allCases)
  func errorsNameTheByteInTheFile(
    _ sample: (text: String, before: String), _ form: UnicodeForm
  ) throws {
    let offset = form.mark.count + (try form.body(sample.before)).count
    #expect(throws: ArchiveError(.malformed, "", offset: offset)) {
      _ = try readGraph(form.data(sample.text))
    }
  }

  @Test(
    arguments: [
      // A lone half of a pair, the halves in the wrong order, a half at the end, an odd byte at the end.
      ([0x28, 0, 0x22, 0, 0, 0xD8, 0x22, 0, 0x29, 0], 4),
      ([0x28, 0, 0x22, 0, 0, 0xDC, 0x29, 0], 4),
      ([0, 0x28, 0, 0x22, 0xD8, 0], 4), ([0xFF, 0xFE, 0x28, 0, 0x29, 0, 0x20], 6),
      // No character: beyond U+10FFFF, a surrogate, less than four bytes.
      ([0x28, 0, 0, 0, 0x22, 0, 0, 0, 0, 0, 0x11, 0], 8),
      ([0, 0, 0, 0x28, 0, 0, 0, 0x22, 0, 0, 0xD8, 0], 8),
      ([0, 0, 0xFE, 0xFF, 0, 0, 0, 0x28, 0, 0, 0, 0x29, 0, 0], 12),
      // A text that says it is UTF-8 is not taken for Mac Roman.
      ([0xEF, 0xBB, 0xBF, 0x28, 0x22, 0x8A, 0x22, 0x29], 5),
      // UTF-8 in JSON is UTF-8: an overlong form, a surrogate, a byte too few.
      ([0x5B, 0x22, 0xC0, 0x80, 0x22, 0x5D], 2), ([0x5B, 0x22, 0xED, 0xA0, 0x80, 0x22, 0x5D], 2),
      ([0x5B, 0x22, 0xE6, 0x9D, 0x22, 0x5D], 2),
    ] as [([UInt8], Int)])
  func refusesWhatIsNoCharacter(_ bytes: [UInt8], _ offset: Int) {
    #expect(throws: ArchiveError(.malformed, "", offset: offset)) {
      _ = try readGraph(Data(bytes))
    }
  }

  @Test(arguments: [
    ("ISO-8859-1", String.Encoding.isoLatin1, "Zürich ÿ"), ("US-ASCII", .ascii, "Zurich"),
    ("windows-1252", .windowsCP1252, "Zürich “ÿ” €"), ("ISO-8859-2", .isoLatin2, "Łódź"),
    ("Shift_JIS", .shiftJIS, "東京"), ("UTF-8", .utf8, "東京 🌦"),
    ("UTF-16", .utf16, "東京 🌦"), ("UTF-32", .utf32, "東京 🌦"),
  ])
  func xmlIsReadInTheEncodingItDeclares(
    _ name: String, _ encoding: String.Encoding, _ text: String
  ) throws {
    let document =
      "<?xml version=\"1.0\" encoding=\"\(name)\"?><plist><string>\(text)</string></plist>"
    let graph = try readGraph(try #require(document.data(using: encoding)))
    #expect(graph.foundationObject(graph.root) == NSString(string: text))
  }

  /// Foundation on Linux has the characters of Mac Roman in another order; Python's are those of the table that
  /// the Unicode Consortium publishes.
  @Test(.enabled(if: Program.find("python3") != nil))
  func textThatIsNotUTF8IsReadAsMacRoman() throws {
    let python = try #require(Program.find("python3"))
    let judged = try Program.run(
      at: python,
      [
        "-c",
        "import sys; sys.stdout.buffer.write(bytes(range(128,256)).decode('mac_roman').encode())",
      ])
    let wanted = try #require(String(data: judged.output, encoding: .utf8))
    let data = Data("/* c */ \"k\" = \"".utf8) + Data(128...255) + Data("\";\n".utf8)
    let graph = try readGraph(data)
    #expect(
      graph.foundationObject(graph.root) == NSDictionary(dictionary: ["k": wanted]))
    #expect(graph.warnings.map(\.offset) == [15])
    #expect(graph.warnings.first?.message.contains("Mac Roman") == true)
  }
}
