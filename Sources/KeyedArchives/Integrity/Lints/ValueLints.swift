// The lints about single values, the parts of an archive, and what its reader warns of.

import ArchiveBasics
import ArchiveGraph

// MARK: - Values of a binary property list that are not well formed, each by its kind of fault

extension CheckedInput {
  /// Looks at every stored value that the first pass did not find sound.
  func checkStoredValues() {
    guard soundness.hasFaults else { return }
    for index in indexes where !soundness.isSound(index) {
      // A container that cannot be walked may refer to anything.
      let isReachable = tree.contains(index) || !tree.isComplete
      if let container = container(index) {
        checkReferences(of: container, isReachable)
      } else if let fault = table.tableFault(at: index) {
        add(
          isReachable ? lint(of: fault.kind) : .unreachableFault,
          fault.error.shifted(by: document.fileOffset), location: .value(index))
      }
    }
  }

  /// In a container of valid extent each dangling reference is reported.
  private func checkReferences(of container: StoredContainer, _ isReachable: Bool) {
    for position in 0..<container.childCount where reference(container, position) == nil {
      let number = rawReference(container, position)
      add(
        isReachable ? .badReference : .unreachableFault,
        table.badReference(number, at: table.offset(of: container.index))
          .shifted(by: document.fileOffset),
        location: .reference(container, position),
        byteCount: byteCount(of: container.index))
    }
  }

  private func lint(of kind: TableFault.Kind) -> Lint {
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

extension CheckedInput {
  /// Checks every number once, at any location.
  func checkNumbers() {
    for index in indexes where tree.contains(index) {
      guard let kind = kind(index), (Marker.integer...Marker.date).contains(kind),
        let (lint, message) = objection(to: index)
      else { continue }
      add(lint, at: index) { message }
    }
  }

  private func objection(to index: UInt32) -> (Lint, String)? {
    switch table.scalar(at: index) {
    case .wide:
      return (.wideInteger, "the integer has more than 64 bits; Foundation keeps the low ones")
    case .integer(let number) where number < 0 && table.marker(of: index) == 0x14:
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

extension CheckedInput {
  /// No moment of the style is longer, in bytes.
  private static let longestMoment = 200

  /// Looks at members of stored dictionaries, of objects, and of NSDictionary.
  func checkMediumDates() {
    for dictionary in dictionaries {
      for position in 0..<dictionary.count
      where isStamp(reference(dictionary, position)) {
        checkMoment(dictionary, dictionary.count + position)
      }
    }
    guard let archive else { return }
    // Lists of keys that objects share are searched once.
    var stamps: [UInt32: Int?] = [:]
    for object in archive.dictionaries {
      guard let keys = archive.array(.keys, of: object),
        let values = archive.array(.objects, of: object)
      else { continue }
      let position =
        stamps[keys.index]
        ?? (0..<keys.count).first { isStamp(archive.element(keys, $0)) }
      stamps[keys.index] = .some(position)
      guard let position, position < values.count else { continue }
      checkMoment(values, position)
    }
  }

  private func isStamp(_ key: UInt32?) -> Bool {
    key.flatMap { text($0) }?.equals("fetchedAt") == true
  }

  private func checkMoment(_ container: StoredContainer, _ position: Int) {
    guard let reference = reference(container, position),
      let index = string(at: reference), let text = self.text(index),
      text.byteCount > Self.longestMoment || MediumDate.moment(in: text.string) == nil
    else { return }
    add(.mediumDate, at: index, location: .reference(container, position)) {
      "fetchedAt should be a moment as in 'Apr 6, 2019 at 12:50:00 PM', found '\(text.string.prefix(60))'"
    }
  }

  /// The string that a reference leads to, in an object of its own or not; nil for nil and all else.
  private func string(at reference: UInt32) -> UInt32? {
    guard let archive else { return reference }
    guard let index = archive.follow(reference), !archive.isNil(index) else { return nil }
    guard let object = dictionary(index) else { return index }
    return archive.field(.string, of: object)
  }
}

// MARK: - The outermost dictionary of a keyed archive: missing parts, or parts of the wrong type

extension CheckedInput {
  /// Looks for `$archiver`, `$top` and `$objects`.
  func checkArchiveParts() {
    // A missing part may be one with broken bytes, which was reported already.
    guard !parts.hasBrokenParts else { return }
    if parts.lacksArchiver(in: self) {
      addMissing(.missingArchiver, "$archiver", "a string", parts.members.archiver)
    }
    guard parts.isArchive(in: self) else { return }
    if parts.members.top.map({ !soundness.isWalkable($0) || dictionary($0) != nil }) != true {
      addMissing(.missingTop, "$top", "a dictionary", parts.members.top)
    }
    if parts.members.objects.map({ !soundness.isWalkable($0) || array($0) != nil }) != true {
      addMissing(.missingObjects, "$objects", "an array", parts.members.objects)
    }
  }

  private func addMissing(_ lint: Lint, _ name: String, _ kind: String, _ found: UInt32?) {
    guard let found else {
      return add(lint, at: document.top) {
        KeyedArchiveParts.missing(name, kind).message
      }
    }
    add(lint, at: found) {
      "\(KeyedArchiveParts.wrongKind(name, kind)), found \(phrase(found))"
    }
  }
}

// MARK: - What readers warn of

extension CheckedInput {
  /// Reports the warnings of readers, and unusual headers of archives.
  func checkReaderWarnings() {
    for warning in warnings where warning.subject != .repeatedKey {
      add(.oddity, warning, location: .unknown)
    }
    guard !soundness.hasFaults, archive != nil else { return }
    let graph = ObjectGraph()
    do throws(ArchiveError) {
      // Of the faults that end this each has its own lint.
      _ = try KeyedArchiveParts(document: graph.add(document), in: graph)
    } catch {}
    for warning in graph.warnings { add(.oddity, warning, location: .unknown) }
  }
}
