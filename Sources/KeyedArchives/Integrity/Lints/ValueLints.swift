// The lints about single values, the parts of an archive, and what its reader warns of.

import ArchiveBasics
import ArchiveGraph

// MARK: - Values of a binary property list that are not well formed, each by its kind of fault

/// Looks at every stored value that the first pass did not find sound.
enum StoredValueLint: IntegrityLint {
  static let lints: [Lint] = [
    .badOffset, .badMarker, .badCount, .beyondEnd, .badReference, .invalidUTF8, .unreachableFault,
  ]

  static func check(_ input: CheckedInput, _ report: inout IntegrityReport) {
    guard input.soundness.hasFaults else { return }
    for index in input.indexes where !input.soundness.isSound(index) {
      // A container that cannot be walked may refer to anything.
      let isReachable = input.tree.contains(index) || !input.tree.isComplete
      if let container = input.container(index) {
        checkReferences(of: container, in: input, isReachable, &report)
      } else if let fault = input.table.tableFault(at: index) {
        report.add(
          isReachable ? lint(of: fault.kind) : .unreachableFault,
          fault.error.shifted(by: input.document.fileOffset), in: input, location: .value(index))
      }
    }
  }

  /// In a container of valid extent each dangling reference is reported.
  private static func checkReferences(
    of container: StoredContainer, in input: CheckedInput, _ isReachable: Bool,
    _ report: inout IntegrityReport
  ) {
    for position in 0..<container.childCount
    where input.reference(container, position) == nil {
      let number = input.rawReference(container, position)
      report.add(
        isReachable ? .badReference : .unreachableFault,
        input.table.badReference(number, at: input.table.offset(of: container.index))
          .shifted(by: input.document.fileOffset),
        in: input, location: .reference(container, position),
        byteCount: input.byteCount(of: container.index))
    }
  }

  private static func lint(of kind: TableFault.Kind) -> Lint {
    switch kind {
    case .offset: .badOffset
    case .marker: .badMarker
    case .extent: .beyondEnd
    case .count: .badCount
    case .reference: .badReference
    case .encoding: .invalidUTF8
    }
  }
}

// MARK: - Numbers that decoding by another type changes or refuses

/// Checks every number once, at any location.
enum NumberLint: IntegrityLint {
  static let lints: [Lint] = [.wideInteger, .impreciseInteger, .nonfiniteReal, .singleReal]

  static func check(_ input: CheckedInput, _ report: inout IntegrityReport) {
    // Typedstreams record the type of each number, and nobody decodes the numbers of bookmarks.
    guard !input.isTranslated else { return }
    for index in input.indexes where input.tree.contains(index) {
      guard let kind = input.kind(index), (Marker.integer...Marker.date).contains(kind),
        let (lint, message) = objection(to: index, in: input)
      else { continue }
      report.add(lint, in: input, at: index) { message }
    }
  }

  private static func objection(to index: UInt32, in input: CheckedInput) -> (Lint, String)? {
    switch input.table.scalar(at: index) {
    case .wide:
      return (.wideInteger, "the integer has more than 64 bits; Foundation keeps the low ones")
    case .integer(let number) where number < 0 && input.table.marker(of: index) == 0x14:
      return (.wideInteger, "the integer \(number) has 16 bytes; Foundation reads it as unsigned")
    case .unsigned(let number):
      return (
        .wideInteger,
        "the integer \(number) is above Int64.max: decodeInteger(forKey:) raises NSRangeException"
      )
    // NSNotFound is Int64.max.
    case .integer(let number) where number != .max && Int64(exactly: Double(number)) != number:
      return (
        .impreciseInteger,
        "the integer \(number) becomes \(Double(number)) when it is decoded as Double"
      )
    case .real(let number) where !number.isFinite:
      return (.nonfiniteReal, "the real is \(number), which JSON cannot represent")
    case .single(let number) where !number.isFinite:
      return (.nonfiniteReal, "the real is \(number), which JSON cannot represent")
    case .single(let number) where Double("\(number)") != Double(number):
      return (.singleReal, "the real \(number) of 4 bytes becomes \(Double(number)) as Double")
    case .date(let seconds) where !seconds.isFinite:
      return (.nonfiniteReal, "the date is \(seconds) seconds from 2001, no moment")
    default: return nil
    }
  }
}

// MARK: - Members `fetchedAt` that are not a date in the style with which apps stamp feeds

/// Looks at members of stored dictionaries, of objects, and of NSDictionary.
enum MediumDateLint: IntegrityLint {
  static let lints: [Lint] = [.mediumDate]

  /// No moment of the style is longer, in bytes.
  private static let longest = 200

  static func check(_ input: CheckedInput, _ report: inout IntegrityReport) {
    for index in input.indexes where input.tree.contains(index) {
      guard let dictionary = input.dictionary(index) else { continue }
      for position in 0..<dictionary.count
      where isStamp(input.reference(dictionary, position), in: input) {
        check(dictionary, dictionary.count + position, in: input, &report)
      }
    }
    guard let archive = input.archive else { return }
    // Lists of keys that objects share are searched once.
    var stamps: [UInt32: Int?] = [:]
    for object in archive.instances
    where archive.record(of: object)?.family == NSDictionaryClass.self {
      guard let keys = archive.field(.keys, of: object.container).flatMap({ input.array($0) }),
        let values = archive.field(.objects, of: object.container).flatMap({ input.array($0) })
      else { continue }
      let position =
        stamps[keys.index]
        ?? (0..<keys.count).first { position in
          isStamp(input.reference(keys, position).flatMap { archive.follow($0) }, in: input)
        }
      stamps[keys.index] = .some(position)
      guard let position, position < values.count else { continue }
      check(values, position, in: input, &report)
    }
  }

  private static func isStamp(_ key: UInt32?, in input: CheckedInput) -> Bool {
    key.flatMap { input.text($0) }?.equals("fetchedAt") == true
  }

  private static func check(
    _ container: StoredContainer, _ position: Int, in input: CheckedInput,
    _ report: inout IntegrityReport
  ) {
    guard let reference = input.reference(container, position),
      let index = string(at: reference, in: input), let text = input.text(index),
      text.byteCount > longest || MediumDate.moment(in: text.string) == nil
    else { return }
    report.add(.mediumDate, in: input, at: index, location: .reference(container, position)) {
      "fetchedAt should be a moment as in 'Apr 6, 2019 at 12:50:00 PM', found '\(text.string.prefix(60))'"
    }
  }

  /// The string that a reference leads to, in an object of its own or not; nil for nil and all else.
  private static func string(at reference: UInt32, in input: CheckedInput) -> UInt32? {
    guard let archive = input.archive else { return reference }
    guard let index = archive.follow(reference), !archive.isNil(index) else { return nil }
    guard let object = input.dictionary(index) else { return index }
    return archive.field(.string, of: object)
  }
}

// MARK: - The outermost dictionary of a keyed archive: missing parts, or parts of the wrong type

/// Looks for `$archiver`, `$top` and `$objects`.
enum ArchivePartsLint: IntegrityLint {
  static let lints: [Lint] = [.missingArchiver, .missingTop, .missingObjects]

  static func check(_ input: CheckedInput, _ report: inout IntegrityReport) {
    let parts = input.parts
    // A missing part may be one with broken bytes, which was reported already.
    guard !parts.hasBrokenParts else { return }
    if parts.lacksArchiver(in: input) {
      add(.missingArchiver, "$archiver", "a string", parts.members.archiver, input, &report)
    }
    guard parts.isArchive(in: input) else { return }
    if parts.members.top.map({ isBroken($0, input) || input.dictionary($0) != nil }) != true {
      add(.missingTop, "$top", "a dictionary", parts.members.top, input, &report)
    }
    if parts.members.objects.map({ isBroken($0, input) || input.array($0) != nil }) != true {
      add(.missingObjects, "$objects", "an array", parts.members.objects, input, &report)
    }
  }

  private static func isBroken(_ index: UInt32, _ input: CheckedInput) -> Bool {
    !input.soundness.isWalkable(index)
  }

  private static func add(
    _ lint: Lint, _ name: String, _ kind: String, _ found: UInt32?, _ input: CheckedInput,
    _ report: inout IntegrityReport
  ) {
    guard let found else {
      let top = input.document.top
      return report.add(lint, in: input, at: top) {
        KeyedArchiveParts.missing(name, kind).message
      }
    }
    report.add(lint, in: input, at: found) {
      "\(KeyedArchiveParts.wrongKind(name, kind)), found \(input.phrase(found))"
    }
  }
}

// MARK: - What readers warn of

/// Reports the warnings of readers, and unusual headers of archives.
enum ReaderWarningLint: IntegrityLint {
  static let lints: [Lint] = [.oddity]

  static func check(_ input: CheckedInput, _ report: inout IntegrityReport) {
    for warning in input.warnings where warning.subject != .repeatedKey {
      report.add(.oddity, warning, in: input, location: .unknown)
    }
    guard !input.soundness.hasFaults, input.archive != nil else { return }
    let graph = ObjectGraph()
    do throws(ArchiveError) {
      // Of the faults that end this each has its own lint.
      _ = try KeyedArchiveParts(document: graph.add(input.document), in: graph)
    } catch {}
    for warning in graph.warnings { report.add(.oddity, warning, in: input, location: .unknown) }
  }
}
