// Text property lists of NeXTSTEP, OpenStep, Xcode and GNUstep, and .strings files.
//
// Format facts: CoreFoundation, CFOldStylePList.c; GNUstep Base, NSPropertyList.m for the types in `<*…>`.

import Basics
import ObjectGraph

/// Reads OpenStep property lists into a table of their own.
public enum OpenStepReader {
  /// Reads an OpenStep property list.
  ///
  /// - Parameters:
  ///   - bytes: the whole text in UTF-8, UTF-16 or UTF-32, or in Mac Roman if it is not UTF-8.
  ///   - fileOffset: the position of the bytes in the input file; nil if they are not stored there.
  ///   - limits: the depth that is allowed.
  ///   - recovering: whether an error costs only the element that it is in: the key `$lost` marks it.
  /// - Throws: `ArchiveError` at the first fault.
  public static func read(
    _ bytes: UnsafeRawBufferPointer, fileOffset: Int?, limits: Limits, recovering: Bool = false
  ) throws(ArchiveError) -> FormatReading {
    var text: DecodedText
    var warnings: [ArchiveError] = []
    do throws(ArchiveError) {
      text = try DecodedText(bytes)
      if text.encoding == .utf8, let fault = text.firstFault {
        let offset = text.sourceOffset(of: fault)
        // Old .strings files are in Mac Roman, and CoreFoundation falls back to it too (CFPropertyList.c).
        guard text.sourceOffset(of: 0) == 0 else {
          throw ArchiveError(.malformed, "the text is not valid UTF-8", offset: offset)
        }
        warnings.append(
          ArchiveError(
            .malformed, "the text is not valid UTF-8; it is read as Mac Roman", offset: offset
          )
          .shifted(by: fileOffset))
        text = try DecodedText(bytes, in: .oneByte(.macRoman))
      }
    } catch {
      throw error.shifted(by: fileOffset)
    }
    let source = text
    func parser(locating: Bool) -> OpenStepParser {
      OpenStepParser(
        source, fileOffset: fileOffset, depth: limits.depth, recovering: recovering,
        locating: locating)
    }
    do throws(ArchiveError) {
      var first = parser(locating: false)
      let top = try first.parse()
      warnings += text.located(first.warnings, fileOffset)
      if first.repeatedKeys.isFound {
        var second = parser(locating: true)
        _ = try second.parse()
        warnings += text.located(second.repeatedKeys.warnings, fileOffset)
      }
      let losses = text.located(first.recovery?.losses ?? [], fileOffset)
      return FormatReading(first.finish(top: top), warnings: warnings, losses: losses)
    } catch {
      throw text.located(error, fileOffset)
    }
  }
}
