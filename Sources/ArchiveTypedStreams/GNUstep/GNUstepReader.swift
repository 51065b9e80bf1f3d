// GNUstep archives as the table of a keyed archive, so that everything above reads both alike.

import ArchiveBasics
import ArchiveGraph

extension Encoding {
  /// What NSArchiver of gnustep-base wrote: interface files of Gorm among others.
  package static let gnustepArchive = Encoding(
    "GNUstep archive", [.archives, .translated, .verbatimData])
}

/// Reads what NSArchiver of gnustep-base wrote.
package enum GNUstepReader {
  /// Reads an archive.
  ///
  /// The values are laid out as a keyed archive's; fields have names, as far as their classes are known.
  ///
  /// - Parameters:
  ///   - bytes: the whole archive.
  ///   - fileOffset: the position of the bytes in the input file; nil if they are not stored there.
  ///   - keepsGroups: whether values have numbers, `$0`, `$1`, …, and no names.
  ///   - limits: the depth that is allowed.
  ///   - recovering: whether all values before the first fault are enough.
  /// - Returns: the document, warnings about the input, and in recovery the fault, if there was one.
  /// - Throws: `ArchiveError` at the first fault; in recovery if not one value is left.
  package static func read(
    _ bytes: ByteView, fileOffset: Int?, keepsGroups: Bool, limits: Limits,
    recovering: Bool
  ) throws(ArchiveError) -> (document: Document, warnings: [ArchiveError], losses: [ArchiveError]) {
    do throws(ArchiveError) {
      var assembly = StreamAssembly(
        keepsGroups ? nil : StreamLayout.gnustep, of: bytes, fileOffset: fileOffset,
        encoding: .gnustepArchive)
      var deviation: ArchiveError?
      var tables = try GNUstepParser.read(
        bytes, limits: limits, recovering: recovering, into: &assembly, deviation: &deviation)
      let document = assembly.document(&tables)
      var warnings = deviation.map { [$0] } ?? []
      if tables.surplus > 0 {
        warnings.append(
          ArchiveError(
            .malformed, "\(Counted.text(tables.surplus, "byte")) after the archive skipped",
            offset: bytes.count - tables.surplus))
      }
      return (
        document, warnings.map { $0.shifted(by: fileOffset) },
        tables.loss.map { [$0.shifted(by: fileOffset)] } ?? []
      )
    } catch {
      throw error.shifted(by: fileOffset)
    }
  }
}

// MARK: - Foundation's value classes: from what they write to the keys that they have in keyed archives

extension StreamLayout {
  /// The layouts by the names of the classes.
  static let gnustep: [String: StreamLayout] = [
    "NSString": gnustepString, "NSMutableString": gnustepMutableString,
    "GSMutableString": gnustepMutableString, "NSArray": .list, "NSMutableArray": .list,
    "NSDictionary": .dictionary, "NSMutableDictionary": .dictionary, "NSSet": .list,
    "NSMutableSet": .list, "GSMutableSet": .list, "NSNumber": gnustepNumber, "NSDate": .date,
    "NSData": gnustepData, "NSDataMalloc": gnustepData, "NSDataStatic": gnustepData,
    "NSMutableData": gnustepMutableData, "NSMutableDataMalloc": gnustepMutableData, "NSNull": .null,
  ]

  /// A string: its length, its encoding and its characters.
  ///
  /// - Returns: nil for an encoding that is not read, and for what is no string.
  static func gnustepText(_ groups: StreamRange, _ tables: inout StreamTables) -> String? {
    let values = tables.groups(groups).map { tables.value(of: $0) }
    if values.count == 1, case .integer(0) = values[0] { return "" }
    guard values.count == 3, case .integer(let length) = values[0],
      case .integer(let encoding) = values[1]
    else { return nil }
    // NSStringEncoding: 1 ASCII, 4 UTF-8, 5 Latin-1, 10 UTF-16; ASCII is the same in nearly all others.
    switch (encoding, values[2]) {
    case (10, .array(let range)) where Int64(range.count) == length:
      var units: [UInt16] = []
      for value in tables.values(range) {
        guard case .integer(let number) = value else { return nil }
        units.append(UInt16(truncatingIfNeeded: number))
      }
      return String(validating: units, as: UTF16.self)
    case (_, .data(let bytes)) where Int64(bytes.count) == length:
      if encoding == 4 { return String(validating: bytes, as: UTF8.self) }
      guard encoding == 5 || bytes.isASCII else { return nil }
      return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    default: return nil
    }
  }

  private static let gnustepString = StreamLayout { object, tables, assembly in
    guard let text = gnustepText(object.groups, &tables) else { return nil }
    // A bare "$null" would be read as nil.
    return text == "$null"
      ? gnustepMutableString.add(object, &tables, &assembly) : assembly.add(string: text)
  }

  private static let gnustepMutableString = StreamLayout { object, tables, assembly in
    guard let text = gnustepText(object.groups, &tables) else { return nil }
    return assembly.addObject(
      .string, assembly.add(string: text), ofClass: object.classNumber)
  }

  /// A type and a number of it.
  private static let gnustepNumber = StreamLayout { object, tables, assembly in
    let values = tables.groups(object.groups).map { tables.value(of: $0) }
    guard values.count == 2 else { return nil }
    switch values[1] {
    case .boolean, .integer, .unsigned, .single, .real: return assembly.add(values[1], &tables)
    default: return nil
    }
  }

  /// A length, a form that is 0 and bytes.
  private static func gnustepBytes(
    _ object: StreamObject, _ tables: inout StreamTables
  ) -> StreamValue? {
    let values = tables.groups(object.groups).map { tables.value(of: $0) }
    if values.count == 1, case .integer(0) = values[0] {
      return .data(ByteView())
    }
    guard values.count == 3, case .integer(let length) = values[0], case .integer(0) = values[1],
      case .data(let bytes) = values[2], Int64(bytes.count) == length
    else { return nil }
    return values[2]
  }

  private static let gnustepData = StreamLayout { object, tables, assembly in
    gnustepBytes(object, &tables).map { assembly.add($0, &tables) }
  }

  private static let gnustepMutableData = StreamLayout { object, tables, assembly in
    guard let value = gnustepBytes(object, &tables) else { return nil }
    let data = assembly.add(value, &tables)
    return assembly.addDictionary([("NS.data", data)] + assembly.classPair(object.classNumber))
  }
}
