// From one format to another, at the level of what is stored: a keyed archive stays the archive it is.

import ObjectGraph
import PropertyLists

/// Writes inputs in another format, with nothing lost that the format can carry.
public struct Conversion: Sendable {
  /// What is written.
  public let target: ConversionTarget
  /// Whether JSON tells every type with tags.
  public var isTyped = false
  /// Whether JSON stands on one line.
  public var isCompact = false
  /// The bounds that hold.
  public var limits: Limits

  /// Makes a conversion.
  public init(to target: ConversionTarget, limits: Limits = Limits()) {
    self.target = target
    self.limits = limits
  }

  /// Converts an input.
  ///
  /// - Parameters:
  ///   - storage: its bytes.
  ///   - output: where the converted bytes go.
  /// - Returns: what a person should know of input and result.
  /// - Throws: `ArchiveError` if the input cannot be read, or holds what the target cannot spell.
  public func run(
    _ storage: ByteStorage, to output: inout OutputBuffer
  ) throws(ArchiveError) -> [ArchiveError] {
    let graph = try ArchiveReader(limits: limits).read(storage, resolving: false, nested: false)
    let document = graph.documents[0]
    switch target {
    case .binary, .keyedArchive:
      let canonical = try TableCopy.canonical(document, limits: limits)
      output.bytes.append(BinaryWriter.write(canonical).bytes)
    case .xml:
      let fractions = try XMLWriter.write(document, limits: limits, to: &output)
      if fractions > 0 { return graph.warnings + [Self.lost(fractions)] }
    default: break
    }
    return graph.warnings
  }

  private static func lost(_ fractions: Int) -> ArchiveError {
    ArchiveError(
      .unrepresentable,
      "XML has whole seconds only: \(fractions) \(fractions == 1 ? "date" : "dates") lost a fraction"
    )
  }
}
