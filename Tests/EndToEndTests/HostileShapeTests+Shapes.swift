// The shapes: sharing that multiplies, depth, counts beyond the file size, cyclic UIDs, decompression bombs.

import Foundation
import TestSupport

extension HostileShapeTests {
  static let shapes: [Shape] =
    [
      Shape(name: "2^40 paths through shared arrays", isRead: true) { sharedArrays(40) },
      Shape(name: "2^40 paths through shared objects", isRead: true) { sharedObjects(40) },
      Shape(name: "a container that holds itself", isRead: false) {
        list([[0xA1, 0]])
      },
      Shape(name: "containers that hold one another", isRead: false) {
        list([[0xA2, 1, 1], [0xD1, 2, 0], [0x51, 0x61]])
      },
      Shape(name: "100 000 levels of binary arrays", isRead: false) { deepBinary(100_000) },
      Shape(name: "100 000 levels of XML arrays", isRead: false) {
        wrapped("<plist>", "<array>", "</array>", "</plist>")
      },
      Shape(name: "100 000 levels of JSON arrays", isRead: false) { wrapped("", "[", "]", "") },
      Shape(name: "100 000 levels of OpenStep arrays", isRead: false) { wrapped("", "(", ")", "") },
      Shape(name: "100 000 levels of OpenStep dictionaries", isRead: false) {
        wrapped("", "{a=", ";}", "")
      },
      Shape(name: "100 000 open brackets", isRead: false) {
        Data(String(repeating: "[", count: 100_000).utf8)
      },
      Shape(name: "offsets that lead into the offset table", isRead: false) {
        list([[0xA1, 1], [0x51, 0x61]], offsets: [8, 13])
      },
      Shape(name: "offsets beyond the file", isRead: false) {
        list([[0xA1, 1], [0x51, 0x61]], offsets: [8, 255])
      },
      Shape(name: "an array of nearly 2^64 elements", isRead: false) {
        list([[0xAF, 0x13] + [UInt8](repeating: 0xFF, count: 8)])
      },
      Shape(name: "a string of nearly 2^63 characters of two bytes", isRead: false) {
        list([[0x6F, 0x13, 0x7F] + [UInt8](repeating: 0xFF, count: 7)])
      },
      Shape(name: "data of nearly 2^64 bytes", isRead: false) {
        list([[0x4F, 0x13] + [UInt8](repeating: 0xFF, count: 8)])
      },
      Shape(name: "a trailer that counts nearly 2^64 objects", isRead: false) {
        list([[0x51, 0x61]], objectCount: .max)
      },
      Shape(name: "a trailer that counts 2^61 objects of eight bytes", isRead: false) {
        list([[0x51, 0x61]], objectCount: 1 << 61, offsetSize: 8)
      },
      Shape(name: "a million keys that are the same", isRead: true) { repeatedKeys(250_000) },
      Shape(name: "600 class records whose chain is 32 times one name of 10 kB", isRead: false) {
        sharedClassChain(600, names: 32, length: 10_000)
      },
      Shape(name: "10 000 class records that share a chain of 10 000 names", isRead: false) {
        sharedClassChain(10_000, names: 10_000, length: 1)
      },
      Shape(name: "a class name of 100 kB", isRead: false) {
        sharedClassChain(1, names: 1, length: 100_000)
      },
      Shape(name: "a UID that leads to itself", isRead: true) { archive(["#1"]) },
      Shape(name: "UIDs in a circle", isRead: true) { archive(["#2", "#3", "#1"]) },
      Shape(name: "an object that is its own class", isRead: false) {
        archive(["<dict><key>$class</key>#1</dict>"])
      },
      Shape(name: "an array that holds itself", isRead: true) {
        archive([object("<key>NS.objects</key><array>#1#1#1</array>"), record("NSArray")])
      },
      Shape(name: "a dictionary that is its own key", isRead: true) {
        archive([
          object("<key>NS.keys</key><array>#1</array><key>NS.objects</key><array>#1</array>"),
          record("NSDictionary"),
        ])
      },
      Shape(name: "a URL whose base it is itself", isRead: true) {
        archive([
          object("<key>NS.base</key>#1<key>NS.relative</key>#3"), record("NSURL"),
          "<string>a</string>",
        ])
      },
      Shape(name: "a string whose characters it is itself", isRead: true) {
        archive([object("<key>NS.string</key>#1"), record("NSMutableString")])
      },
      Shape(name: "an attributed string that is its own text", isRead: true) {
        archive([
          object("<key>NSString</key>#1<key>NSAttributes</key>#1"), record("NSAttributedString"),
        ])
      },
      Shape(name: "a compound predicate of itself", isRead: true) {
        archive([
          object(
            "<key>NSSubpredicates</key>#3<key>NSCompoundPredicateType</key><integer>1</integer>"),
          record("NSCompoundPredicate"),
          "<dict><key>$class</key>#4<key>NS.objects</key><array>#1#1</array></dict>",
          record("NSArray"),
        ])
      },
      Shape(name: "an error that is its own cause", isRead: true) {
        archive([
          object(
            "<key>NSDomain</key>#3<key>NSCode</key><integer>1</integer><key>NSUserInfo</key>#1"),
          record("NSError"), "<string>d</string>",
        ])
      },
      Shape(name: "a billion laughs", isRead: false) { laughs() },
      Shape(name: "an external entity", isRead: false) {
        Data(
          "<!DOCTYPE plist [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><plist><string>&e;</string></plist>"
            .utf8)
      },
      Shape(name: "an entity of parameters", isRead: false) {
        Data("<!DOCTYPE plist [<!ENTITY % e \"x\"> %e;]><plist><true/></plist>".utf8)
      },
      Shape(
        name: "10 000 attributes with defaults, and 10 000 elements that have them", isRead: false
      ) {
        let attributes = (0..<10_000).map { "a\($0) CDATA 'x'" }.joined(separator: " ")
        return Data(
          ("<!DOCTYPE plist [<!ATTLIST string \(attributes)>]><plist><array>"
            + String(repeating: "<string/>", count: 10_000) + "</array></plist>").utf8)
      },
      Shape(name: "200 000 comments", isRead: true) {
        Data(("<plist>" + String(repeating: "<!---->", count: 200_000) + "<true/></plist>").utf8)
      },
      Shape(name: "a key of four million characters", isRead: true) {
        let key = String(repeating: "k", count: 4_000_000)
        return Data("<plist><dict><key>\(key)</key><true/></dict></plist>".utf8)
      },
      Shape(name: "a typedstream of counts beyond its bytes", isRead: false) {
        Data(
          [4, 11] + "streamtyped".utf8 + [0x81, 0xE8, 3, 0x84, 5] + "[9999".utf8 + [0x69, 0x5D])
      },
      Shape(name: "a typedstream that shares 60 000 groups of nothing", isRead: true) {
        Data(
          [4, 11] + "streamtyped".utf8 + [0x81, 0xE8, 3, 0x84, 15] + "[60000[60000!]]".utf8
            + [UInt8](repeating: 0x92, count: 60_000))
      },
      Shape(name: "a typedstream whose groups share half a million empty structures", isRead: false)
      {
        sharedTypes(String(repeating: "{}", count: 500_000))
      },
      Shape(name: "a typedstream whose groups share a structure with a long name", isRead: false) {
        sharedTypes("{\(String(repeating: "n", count: 1_000_000))=}")
      },
      Shape(name: "a typedstream whose groups share a million types", isRead: false) {
        sharedTypes(String(repeating: "@", count: 1_000_000))
      },
      Shape(name: "a typedstream whose values share a string of a megabyte", isRead: true) {
        let string = [UInt8](repeating: 0x78, count: 1_000_000)
        let length: [UInt8] = [0x82, 0x40, 0x42, 0x0F, 0]
        return Data(
          [4, 11] + "streamtyped".utf8 + [0x81, 0xE8, 3, 0x84, 1, 0x2A, 0x84, 0x84] + length
            + string
            + [UInt8](repeating: 0x92, count: 100_000))
      },
    ] + (Program.find("gzip") == nil ? [] : [bomb])

  /// A hundred thousand groups, each one byte that refers to the types of the first.
  private static func sharedTypes(_ types: String) -> Data {
    let length = withUnsafeBytes(of: UInt32(types.utf8.count).littleEndian) { Array($0) }
    return Data(
      [4, 11] + "streamtyped".utf8 + [0x81, 0xE8, 3, 0x84, 0x82] + length + types.utf8
        + [UInt8](repeating: 0x92, count: 100_000))
  }

  private static let bomb = Shape(name: "300 MiB of zeros, compressed", isRead: false) {
    let zeros = "head -c 314572800 /dev/zero | gzip -c"
    let shell = URL(fileURLWithPath: "/bin/sh")
    return (try? Program.run(at: shell, ["-c", zeros]).output) ?? Data()
  }
}
