// The words of a command line where the system keeps them: in memory as a new process finds it, and in its record.

import Basics
import Foundation
import Testing

@testable import CommandLineInterface

#if os(Linux)
  @Suite struct ArgumentVectorTests {
    /// Command lines that are hard to take apart.
    static let commandLines: [[[UInt8]]] = [
      [], [Array("archtool".utf8)], [[]], [[], [], []],
      ["archtool", "dump", "A file"].map { Array($0.utf8) },
      [Array("archtool".utf8), [0x2F, 0xFF, 0xFE], [], [0xC3]],
      [[UInt8]](repeating: Array("x".utf8), count: 3000),
      [Array("archtool".utf8), [UInt8](repeating: 0x61, count: 2_000_000)],
    ]

    private static func texts(_ vector: ArgumentVector) -> [[UInt8]?] {
      (0..<vector.count).map { position in
        vector.words[position].map { word in
          (0..<strlen(word)).map { UInt8(bitPattern: word[$0]) }
        }
      }
    }

    /// Memory as the kernel leaves it: a number, words, zero, variables, zero.
    private static func withStack(
      count: Int, _ words: [[UInt8]], separated: Bool = true,
      _ body: (ArgumentVector.Words, UnsafeRawPointer) -> Void
    ) {
      let copies: [UnsafeMutablePointer<CChar>?] = words.map { word in
        let copy = UnsafeMutablePointer<CChar>.allocate(capacity: word.count + 1)
        for (offset, byte) in (word + [0]).enumerated() { copy[offset] = CChar(bitPattern: byte) }
        return copy
      }
      defer { for copy in copies { copy?.deallocate() } }
      var variable = Array("HOME=/".utf8CString)
      variable.withUnsafeMutableBufferPointer { variable in
        var slots = [UnsafeMutablePointer<CChar>(bitPattern: count)] + copies
        if separated { slots.append(nil) }
        let environment = slots.count
        slots += [variable.baseAddress, nil]
        slots.withUnsafeMutableBufferPointer { slots in
          guard let start = slots.baseAddress else { return }
          body(start + environment, UnsafeRawPointer(start))
        }
      }
    }

    @Test(arguments: commandLines) func wordsStandBeforeTheEnvironment(_ words: [[UInt8]]) {
      Self.withStack(count: words.count, words) { environment, end in
        let found = ArgumentVector.preceding(environment, above: end)
        #expect(found.map(Self.texts) == words)
      }
    }

    @Test(arguments: [0, 2, 4, 1000])
    func wordsOfAnotherNumberAreNotTaken(_ count: Int) {
      let words = ["archtool", "dump", "file"].map { Array($0.utf8) }
      Self.withStack(count: count, words) { environment, end in
        #expect(ArgumentVector.preceding(environment, above: end) == nil)
      }
    }

    @Test func variablesThatWereMovedHaveNoWordsBeforeThem() {
      Self.withStack(count: 1, [Array("archtool".utf8)], separated: false) { environment, end in
        #expect(ArgumentVector.preceding(environment, above: end) == nil)
        // Nothing below the end is read, nor is anything if the variables are below it.
        #expect(ArgumentVector.preceding(environment, above: UnsafeRawPointer(environment)) == nil)
        #expect(ArgumentVector.preceding(environment, above: end + (1 << 20)) == nil)
      }
    }

    @Test(arguments: commandLines) func wordsAreReadFromTheRecord(_ words: [[UInt8]]) throws {
      let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      defer { try? FileManager.default.removeItem(at: file) }
      try Data(words.flatMap { $0 + [0] }).write(to: file)
      #expect(Self.texts(ArgumentVector.recorded(in: file.path)) == words)
    }

    @Test func withoutARecordThereAreNoWords() {
      #expect(ArgumentVector.recorded(in: "/nonexistent/cmdline").count == 0)
    }

    @Test func bothAgreeOnThisProcess() {
      let words = Self.texts(ArgumentVector.recorded(in: "/proc/self/cmdline"))
      #expect(words == CommandLine.arguments.map { Array($0.utf8) })
    }
  }
#endif
