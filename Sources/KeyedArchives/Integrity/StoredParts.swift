// The outermost dictionary of a keyed archive, some of whose parts may be missing.

import ObjectGraph

/// The parts of a keyed archive, by their stored indexes.
struct StoredParts {
  private(set) var archiver: UInt32?
  private(set) var version: UInt32?
  private(set) var top: UInt32?
  private(set) var objects: UInt32?
  /// Whether a key or a value of the dictionary cannot be read, so that any part may be hidden.
  private(set) var hasBrokenParts = false

  /// Looks for the parts, where the encoding may hold an archive.
  init(_ input: CheckedInput) {
    guard input.document.encoding.mayHoldArchive,
      let outermost = input.dictionary(input.document.top)
    else { return }
    for position in 0..<outermost.count {
      guard let keyIndex = input.reference(outermost, position), input.kind(keyIndex) != nil,
        let value = input.reference(outermost, outermost.count + position)
      else {
        hasBrokenParts = true
        continue
      }
      guard let key = input.text(keyIndex), KeyedArchiveParts.mayName(key) else { continue }
      switch key.string {
      case "$archiver": archiver = value
      case "$version": version = value
      case "$top": top = value
      case "$objects": objects = value
      default: continue
      }
    }
  }

  /// Whether the input means to be a keyed archive, as readers see it.
  func isArchive(in input: CheckedInput) -> Bool {
    guard let archiver, input.text(archiver) != nil else { return false }
    return objects != nil || top != nil || version != nil
  }

  /// Whether the input could be nothing else than a keyed archive, were it not for `$archiver`.
  func lacksArchiver(in input: CheckedInput) -> Bool {
    guard let objects, let top, !isArchive(in: input) else { return false }
    return input.array(objects) != nil && input.dictionary(top) != nil
  }
}
