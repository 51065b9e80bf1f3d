// Where the system keeps the words of a command line.

import Basics

/// The words that a process was started with, the program's name first.
struct ArgumentVector {
  /// A list of words.
  typealias Words = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

  /// How many words there are.
  let count: Int
  /// The words, each of which ends with a zero byte.
  let words: Words

  #if os(Linux)
    /// The words of this process.
    static var ofProcess: ArgumentVector {
      let variables: Words? = environ
      var mark = 0
      return withUnsafePointer(to: &mark) { mark in
        variables.flatMap { preceding($0, above: UnsafeRawPointer(mark)) }
      } ?? recorded(in: "/proc/self/cmdline")
    }

    /// The words that stand before the variables of the environment.
    ///
    /// The kernel lays out the stack of a new process so: the number of words, the words, zero, the variables, zero.
    ///
    /// - Parameters:
    ///   - environment: the variables.
    ///   - end: an address of the stack, below which nothing is read.
    /// - Returns: nil if the variables are no longer where the kernel put them.
    static func preceding(_ environment: Words, above end: UnsafeRawPointer) -> ArgumentVector? {
      let start = UnsafeRawPointer(environment)
      guard end < start else { return nil }
      let slots = (start - end) / MemoryLayout<Int>.stride
      guard slots >= 2, environment[-1] == nil else { return nil }
      for count in 0..<slots - 1 {
        // No address is as small as the number of words.
        let slot = Int(bitPattern: environment[-2 - count])
        if slot == count { return ArgumentVector(count: count, words: environment - 1 - count) }
        if slot == 0 { return nil }
      }
      return nil
    }

    /// The words that the system's record of a process has, each with a zero byte at its end; they are never released.
    ///
    /// - Parameter path: the path of the record. Without it there are no words.
    static func recorded(in path: String) -> ArgumentVector {
      let record = try? ByteStorage.open(path: path)
      let texts =
        record?.bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast() ?? []
      let words = Words.allocate(capacity: texts.count + 1)
      for (position, text) in texts.enumerated() {
        let word = UnsafeMutablePointer<CChar>.allocate(capacity: text.count + 1)
        for (offset, byte) in text.enumerated() { word[offset] = CChar(bitPattern: byte) }
        word[text.count] = 0
        words[position] = word
      }
      words[texts.count] = nil
      return ArgumentVector(count: texts.count, words: words)
    }
  #else
    /// The words of this process.
    static var ofProcess: ArgumentVector {
      ArgumentVector(count: Int(CommandLine.argc), words: CommandLine.unsafeArgv)
    }
  #endif
}

#if os(Linux)
  /// What Swift's `CommandLine` asks for the words of the process.
  ///
  /// A program that contains the Swift libraries gets this function instead of theirs, and with it they leave out
  /// their file `CommandLine.cpp`, which reads `/proc/self/maps` before `main` is called: a twentieth of a start.
  @_cdecl("_swift_stdlib_getUnsafeArgvArgc")
  package func argumentVector(_ count: UnsafeMutablePointer<Int32>) -> UnsafeMutableRawPointer {
    let vector = ArgumentVector.ofProcess
    count.pointee = Int32(clamping: vector.count)
    return UnsafeMutableRawPointer(vector.words)
  }
#endif
