// A format: how it is detected, read and written. To add one: a file that conforms, and a row in `Formats`.

import ArchiveBasics
import ArchiveGraph

/// A format of files that hold values.
package protocol PropertyListFormat: Sendable {
  /// How its bytes encode values, with the traits that everything else goes by.
  static var encoding: Encoding { get }

  /// Its name in one word, for programs that feed one reader.
  static var word: String { get }

  /// What `convert --to` calls it; nil if it is not written.
  static var targetName: String? { get }

  /// Whether it can represent edited values unchanged, including UIDs, so that an edited file keeps its format.
  static var keepsStoredValues: Bool { get }

  /// Whether an input begins as the format does.
  static func recognizes(_ beginning: inout InputBeginning) -> Bool

  /// Whether a data value with these bytes is decoded.
  static func opensContent(_ bytes: ByteView) -> Bool

  /// Reads an input.
  static func read(_ input: FormatInput) throws(ArchiveError) -> FormatReading

  /// Writes values.
  ///
  /// - Returns: what will not be read back as it was.
  /// - Throws: `ArchiveError` for a value that the format cannot hold.
  static func write(
    _ document: Document, _ options: WritingOptions, to output: inout OutputBuffer
  ) throws(ArchiveError) -> [ArchiveError]

  /// How many bytes the value takes that a text begins with; nil if it does not end in them.
  static func extent(of value: ByteView) -> Int?
}

extension PropertyListFormat {
  /// Not written: the format is only read.
  package static var targetName: String? { nil }
  /// No.
  package static var keepsStoredValues: Bool { false }
  /// By the first tokens of a text; by the bytes that open content of everything else.
  package static func recognizes(_ beginning: inout InputBeginning) -> Bool {
    encoding.isText ? beginning.textEncoding() == encoding : opensContent(beginning.bytes)
  }
  /// No.
  package static func opensContent(_ bytes: ByteView) -> Bool { false }
  /// Unknown.
  package static func extent(of value: ByteView) -> Int? { nil }
  /// Refuses to write.
  package static func write(
    _ document: Document, _ options: WritingOptions, to output: inout OutputBuffer
  ) throws(ArchiveError) -> [ArchiveError] {
    throw ArchiveError(.unsupported, "no \(encoding.name) is written")
  }
}

/// The bytes of an input, and how they are to be read.
package struct FormatInput {
  /// All of its bytes.
  package let bytes: ByteView
  /// What keeps the bytes alive.
  package let storage: [ByteStorage]
  /// Where the bytes begin in the input file; nil if they are not in it as they are.
  package let fileOffset: Int?
  /// How they are read.
  package let options: ReadingOptions

  /// Takes the bytes of an input.
  package init(
    _ bytes: ByteView, storage: [ByteStorage], fileOffset: Int?,
    _ options: ReadingOptions
  ) {
    self.bytes = bytes
    self.storage = storage
    self.fileOffset = fileOffset
    self.options = options
  }

  /// What may give back the bytes: their owner, if it owns nothing else.
  package var storageToGiveBack: ByteStorage? {
    guard options.mayGiveBack, storage.count == 1, let storage = storage.first,
      storage.bytes.baseAddress == bytes.baseAddress, storage.bytes.count == bytes.count
    else { return nil }
    return storage
  }
}

/// How inputs are read; each format takes what concerns it.
package struct ReadingOptions: Sendable {
  /// The bounds that hold.
  package var limits = Limits()
  /// Whether a damaged input is read as far as it goes.
  package var isRecovering = false
  /// Whether JSON may be JSON5.
  package var allowsJSON5 = false
  /// Whether equal values of a text stay distinct, by their positions.
  package var keepsPositions = false
  /// Whether integers of more than 64 bits in JSON are distinguished from reals.
  package var marksWide = false
  /// Whether two keys that are two equal strings of a dictionary are a warning, and not only one string that is used twice.
  package var warnsOfEqualKeys = false
  /// Whether objects stay groups of values if the format has no keys.
  package var keepsGroups = false
  /// Whether objects stay groups of values that the format's writer would not write as they are.
  package var isForEditing = false
  /// Whether a reader that copies the values may give the input's bytes back, if reading succeeds.
  package var mayGiveBack = false

  /// The options that are the default.
  package init() {}
}

/// The result of a format's reader.
package struct FormatReading {
  /// The values.
  package let document: Document
  /// Warnings about the input.
  package let warnings: [ArchiveError]
  /// What is missing in a damaged input.
  package let losses: [ArchiveError]

  /// Collects the results.
  package init(
    _ document: Document, warnings: [ArchiveError] = [], losses: [ArchiveError] = []
  ) {
    self.document = document
    self.warnings = warnings
    self.losses = losses
  }
}

/// How values are written; each format takes what concerns it.
package struct WritingOptions: Sendable {
  /// The bounds that hold.
  package var limits: Limits
  /// Whether JSON marks every type with tags.
  package var isTyped: Bool
  /// Whether JSON takes one line.
  package var isCompact: Bool
  /// Whether XML has the control characters that XML 1.0 forbids, as Foundation writes them.
  package var keepsControlCharacters: Bool

  /// Gathers the options.
  package init(
    limits: Limits, isTyped: Bool = false, isCompact: Bool = false,
    keepsControlCharacters: Bool = false
  ) {
    self.keepsControlCharacters = keepsControlCharacters
    self.limits = limits
    self.isTyped = isTyped
    self.isCompact = isCompact
  }
}

// MARK: - Warnings of formats without reals of single precision

extension ArchiveError {
  /// The warning that reals of single precision become double ones in a format, or none.
  static func widened(_ singles: Int, in format: String) -> [ArchiveError] {
    if singles == 0 { return [] }
    let become = singles == 1 ? "1 is read back as one" : "\(singles) are read back as ones"
    return [
      ArchiveError(
        .unrepresentable,
        "\(format) has no reals of single precision: \(become) of double precision, of the same value"
      )
    ]
  }
}
