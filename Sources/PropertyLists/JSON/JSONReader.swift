// JSON (RFC 8259), read strictly, and JSON5 (json5.org) where that is wanted.

import Basics
import ObjectGraph

/// Reads JSON into a table of values.
public enum JSONReader {
  /// Reads a JSON text.
  ///
  /// - Parameters:
  ///   - bytes: the text in UTF-8, UTF-16 or UTF-32, with or without a byte order mark.
  ///   - fileOffset: the position of the bytes in the input file; nil if they are not stored there.
  ///   - limits: the depth that is allowed.
  ///   - allowsJSON5: whether the text may be JSON5.
  /// - Throws: `ArchiveError` at the first fault, which mentions whether the text is well-formed JSON5.
  public static func read(
    _ bytes: UnsafeRawBufferPointer, fileOffset: Int? = 0, limits: Limits = Limits(),
    allowsJSON5: Bool = false
  ) throws(ArchiveError) -> Document {
    try readWithWarnings(
      bytes, fileOffset: fileOffset, limits: limits, allowsJSON5: allowsJSON5
    ).document
  }

  /// Reads a JSON text as `read` does.
  ///
  /// - Parameters:
  ///   - keepsPlaces: whether equal values stay distinct by their positions, and integers of up to 128 bits are kept.
  ///   - marksWide: whether integers of more than 64 bits are distinguished from reals: those of up to 128 bits are
  ///     kept, and for others the outermost of these.
  ///   - recovering: whether an error costs only the element that it is in: the key `$lost` marks it.
  /// - Returns: the document, warnings, and in recovery the errors.
  public static func readWithWarnings(
    _ bytes: UnsafeRawBufferPointer, fileOffset: Int?, limits: Limits, allowsJSON5: Bool,
    keepsPlaces: Bool = false, marksWide: Bool = false, recovering: Bool = false
  ) throws(ArchiveError) -> (document: Document, warnings: [ArchiveError], losses: [ArchiveError]) {
    let text: DecodedText
    do throws(ArchiveError) { text = try DecodedText(bytes) } catch {
      throw error.shifted(by: fileOffset)
    }
    func parser(locating: Bool) -> JSONParser {
      JSONParser(
        text, fileOffset: fileOffset, depth: limits.depth, allowsJSON5: allowsJSON5,
        keepsPlaces: keepsPlaces, marksWide: marksWide, recovering: recovering, locating: locating)
    }
    do throws(ArchiveError) {
      var first = parser(locating: false)
      let top = try first.parse()
      var warnings = first.warnings
      if first.repeatedKeys.isFound {
        var second = parser(locating: true)
        _ = try second.parse()
        warnings += second.repeatedKeys.warnings
      }
      let losses = first.recovery?.losses ?? []
      return (
        first.finish(top: top), text.located(warnings, fileOffset), text.located(losses, fileOffset)
      )
    } catch {
      throw text.located(allowsJSON5 ? error : explained(error, text, limits), fileOffset)
    }
  }

  /// The error of a strict reading, with what to do if a tolerant one succeeds.
  private static func explained(
    _ problem: ArchiveError, _ text: DecodedText, _ limits: Limits
  ) -> ArchiveError {
    guard problem.code == .malformed || problem.code == .truncated else { return problem }
    do throws(ArchiveError) {
      var parser = JSONParser(text, fileOffset: nil, depth: limits.depth, allowsJSON5: true)
      _ = try parser.parse()
    } catch {
      return problem
    }
    return ArchiveError(
      problem.code, "\(problem.message); it is JSON5, which --json5 reads",
      offset: problem.offset)
  }
}
