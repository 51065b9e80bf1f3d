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
  /// - Returns: the document, and warnings.
  /// - Throws: `ArchiveError` at the first fault.
  public static func read(
    _ bytes: UnsafeRawBufferPointer, fileOffset: Int?, limits: Limits
  ) throws(ArchiveError) -> (document: Document, warnings: [ArchiveError]) {
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
    var parser = OpenStepParser(text, fileOffset: fileOffset, depth: limits.depth)
    do throws(ArchiveError) {
      let top = try parser.parse()
      warnings += parser.warnings
      return (parser.finish(top: top), warnings)
    } catch {
      throw error.shifted(by: fileOffset)
    }
  }
}
