// The parts that every keyed archive has, added to a table that is being built.

import ObjectGraph

extension GraphBuilder {
  /// Adds a class record.
  ///
  /// - Parameters:
  ///   - name: `$classname`.
  ///   - chain: `$classes`; left out if it is empty, as archivers do under a mapped name.
  ///   - hints: `$classhints`; left out if it is empty.
  ///   - versions: `$versions`; left out if it is empty.
  mutating func classRecord(
    _ name: String, chain: [String], hints: [String] = [], versions: [Int64] = []
  ) -> UInt32 {
    var members = [(add("$classname"), add(name))]
    if !chain.isEmpty { members.append((add("$classes"), list(chain.map { add($0) }))) }
    if !hints.isEmpty { members.append((add("$classhints"), list(hints.map { add($0) }))) }
    if !versions.isEmpty { members.append((add("$versions"), list(versions.map { add($0) }))) }
    open()
    for (key, value) in members {
      append(key)
      append(value)
    }
    return closeDictionary()
  }

  private mutating func list(_ values: [UInt32]) -> UInt32 {
    open()
    for value in values { append(value) }
    return close()
  }

  /// Ends building with the outermost dictionary of a keyed archive.
  ///
  /// - Parameters:
  ///   - objects: the stored objects, `$null` first.
  ///   - root: the stored value of the top-level key `root`, a UID.
  consuming func finish(
    archive objects: [UInt32], root: UInt32, archiver: String = "NSKeyedArchiver",
    version: Int64 = 100_000
  ) -> Document {
    finish(archive: objects, tops: [("root", root)], archiver: archiver, version: version)
  }

  /// The same with top-level keys of any names.
  consuming func finish(
    archive objects: [UInt32], tops: [(String, UInt32)], archiver: String = "NSKeyedArchiver",
    version: Int64 = 100_000
  ) -> Document {
    open()
    for object in objects { append(object) }
    let table = close()
    open()
    for (key, value) in tops {
      append(add(key))
      append(value)
    }
    let top = closeDictionary()
    open()
    append(add("$version"))
    append(add(version))
    append(add("$archiver"))
    append(add(archiver))
    append(add("$top"))
    append(top)
    append(add("$objects"))
    append(table)
    let archive = closeDictionary()
    return finish(top: archive)
  }
}
