// Literals are source code, so compilers check them.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveWriting
import Foundation
import KeyedArchives
import TestSupport
import Testing

@Suite struct LiteralTests {
  private static let values: [(String, SampleValue)] = [
    ("everything", everything), ("empty", .dictionary([])), ("class", .array([])),
    (
      "2 words.plist",
      .string("\"\\(x)\" \\n ?\u{0}\u{1}9\u{7F}\u{85}\u{9B}31m\u{202E}\u{2028}\u{61C}??/ 東🌦\n\t\r")
    ),
    ("folder/least.plist", .integer(.min)), ("large", .unsigned(.max)), ("day", .date(0.5)),
  ]

  private static let everything = SampleValue.dictionary([
    (
      "numbers", .array([.integer(-1), .real(64), .real(-.infinity), .real(1e300), .boolean(true)])
    ),
    ("empty list", .array([])), ("empty dictionary", .dictionary([])),
    ("data", .data([0, 255, 10])), ("no data", .data([])), ("nothing", .null),
    ("nested", .dictionary([("a", .array([.array([.string("b")])]))])),
  ])

  private func literal(_ name: String, _ value: SampleValue, _ target: ConversionTarget) throws
    -> Data
  {
    var output = OutputBuffer(descriptor: nil)
    let bytes = BinaryWriter.write(value.document).array
    _ = try Conversion(to: target).run(ByteStorage(copying: bytes), name: name, to: &output)
    return Data(output.bytes.bytes)
  }

  @Test func swiftMakesTheSameValues() throws {
    let folder = try TemporaryFolder()
    var files: [String] = []
    for (position, (name, value)) in Self.values.enumerated() {
      let file = folder.file("literal\(position).swift").path
      try literal(name, value, .swift).write(to: URL(fileURLWithPath: file))
      files.append(file)
    }
    let names = ["everything", "empty", "`class`", "_2_words", "least", "large", "day"]
    let main = """
      import Foundation
      for value in [\(names.joined(separator: ", "))] as [Any] {
        let object = ["value": value is NSNull ? "null" : value]
        let plain = (object["value"] as? [String: Any])?.filter { !($0.value is NSNull) }
        let list = plain.map { ["value": $0] as [String: Any] } ?? object
        let data = try PropertyListSerialization.data(
          fromPropertyList: list, format: .binary, options: 0)
        print(data.base64EncodedString())
      }
      """
    let mainFile = folder.file("main.swift").path
    try Data(main.utf8).write(to: URL(fileURLWithPath: mainFile))
    let compiler = try #require(Program.find("swiftc"))
    let program = folder.file("program")
    let compiled = try Program.run(at: compiler, files + [mainFile, "-o", program.path])
    #expect(compiled.status == 0, "\(compiled.errors)")
    let printed = try Program.run(at: program, []).text.split(separator: "\n")
    #expect(printed.count == Self.values.count)
    for (line, (name, value)) in zip(printed, Self.values) {
      let data = try #require(Data(base64Encoded: String(line)))
      let object = try PropertyListSerialization.propertyList(from: data, format: nil)
      let found = (object as? [String: Any])?["value"]
      #expect(
        SampleValue(foundation: found ?? 0).canonical == value.withoutNulls.canonical, "\(name)")
    }
  }

  /// Linux has Objective-C's compiler but not its Foundation: a header with the names will do for syntax.
  @Test(.enabled(if: Program.find("clang") != nil)) func objectiveCCompiles() throws {
    let folder = try TemporaryFolder()
    let header = folder.file("Foundation/Foundation.h")
    try FileManager.default.createDirectory(
      at: header.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(Self.header.utf8).write(to: header)
    for (name, value) in Self.values {
      let file = folder.file("literal.m")
      try literal(name, value, .objectiveC).write(to: file)
      let compiler = try #require(Program.find("clang"))
      let result = try Program.run(
        at: compiler,
        [
          "-fsyntax-only", "-Wall", "-Werror", "-Wno-unused-function", "-Wno-objc-root-class",
          "-fobjc-runtime=macosx", "-I", folder.url.path, file.path,
        ])
      #expect(result.status == 0, "\(name): \(result.errors)")
    }
  }

  private static let header = """
    #define NAN __builtin_nanf("")
    #define INFINITY __builtin_inff()
    #define YES __objc_yes
    #define NO __objc_no
    typedef signed char BOOL;
    typedef unsigned long NSUInteger;
    @class NSString;
    __attribute__((objc_root_class)) @interface NSObject
    + (instancetype)alloc;
    @end
    @protocol NSCopying
    @end
    @interface NSString : NSObject <NSCopying>
    @end
    @interface NSNull : NSObject
    + (NSNull *)null;
    @end
    @interface NSNumber : NSObject
    + (NSNumber *)numberWithInt:(int)value;
    + (NSNumber *)numberWithLong:(long)value;
    + (NSNumber *)numberWithLongLong:(long long)value;
    + (NSNumber *)numberWithUnsignedLongLong:(unsigned long long)value;
    + (NSNumber *)numberWithDouble:(double)value;
    + (NSNumber *)numberWithFloat:(float)value;
    + (NSNumber *)numberWithBool:(BOOL)value;
    @end
    @interface NSDate : NSObject
    + (NSDate *)dateWithTimeIntervalSinceReferenceDate:(double)seconds;
    @end
    @interface NSData : NSObject
    + (NSData *)data;
    - (NSData *)initWithBase64EncodedString:(NSString *)text options:(NSUInteger)options;
    @end
    @interface NSArray : NSObject
    + (NSArray *)arrayWithObjects:(const id [])objects count:(NSUInteger)count;
    @end
    @interface NSDictionary : NSObject
    + (NSDictionary *)dictionaryWithObjects:(const id [])objects forKeys:(const id<NSCopying> [])keys count:(NSUInteger)count;
    @end

    """

  @Test(arguments: [ConversionTarget.swift, .objectiveC])
  func refusesWhatCodeCannotSay(_ target: ConversionTarget) throws {
    let value = SampleValue.dictionary([("id", .array([.uid(7)]))])
    let error = #expect(throws: ArchiveError.self) { try literal("x", value, target) }
    #expect(error?.code == .unrepresentable)
    #expect(error?.path?.description == "$.id[0]")
    #expect(error?.message.contains("UID 7") == true)
  }
}
