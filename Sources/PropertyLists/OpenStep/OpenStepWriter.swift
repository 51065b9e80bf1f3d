// OpenStep property lists, written one value a line as Apple's descriptions of collections are.
//
// Format facts: CoreFoundation, CFOldStylePList.c; GNUstep Base, NSPropertyList.m for the types in `<*…>`.

import Basics
import ObjectGraph

/// Writes stored values as an OpenStep property list.
public enum OpenStepWriter {
  /// The values that can be represented.
  public enum Dialect: Sendable {
    /// Strings, data, arrays and dictionaries, as Apple's readers know them.
    case openStep
    /// Also numbers, booleans, dates and UIDs, in GNUstep's notation.
    case gnuStep
  }

  /// Writes the values reachable from a document's top.
  ///
  /// The output reads back the same, except that a real of four bytes becomes one of eight.
  ///
  /// - Parameters:
  ///   - document: a document whose table was checked.
  ///   - limits: the depth and the number of values that are allowed.
  ///   - dialect: the values that can be represented.
  /// - Returns: how many reals lost their precision of four bytes.
  /// - Throws: `ArchiveError` with code `unrepresentable` at the first value that the dialect cannot represent, or key
  ///   that is not a string.
  @discardableResult
  public static func write(
    _ document: Document, limits: Limits = Limits(), dialect: Dialect = .gnuStep,
    to output: inout OutputBuffer
  ) throws(ArchiveError) -> Int {
    let written = try TreeWriter.write(
      document, as: OpenStepSyntax(dialect), limits: limits, to: &output)
    output.bytes.append(UInt8(ascii: "\n"))
    output.flushIfFull()
    return written.singles
  }
}
