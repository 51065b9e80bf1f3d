// The parts that every keyed archive has, added to a table that is being built.

import ObjectGraph

extension GraphBuilder {
  /// Adds a class record.
  ///
  /// - Parameters:
  ///   - name: `$classname`.
  ///   - chain: `$classes`; left out if it is empty, as archivers do under a mapped name.
  mutating func classRecord(_ name: String, chain: [String]) -> UInt32 {
    let names = chain.map { add($0) }
    let nameKey = add("$classname")
    let nameValue = add(name)
    let chainKey = add("$classes")
    open()
    for name in names { append(name) }
    let list = close()
    open()
    append(nameKey)
    append(nameValue)
    if !chain.isEmpty {
      append(chainKey)
      append(list)
    }
    return closeDictionary()
  }

  /// Ends building with the outermost dictionary of a keyed archive.
  ///
  /// - Parameters:
  ///   - objects: the stored objects, `$null` first.
  ///   - root: the stored value of the top-level key `root`, a UID.
  consuming func finish(archive objects: [UInt32], root: UInt32) -> Document {
    finish(archive: objects, tops: [("root", root)])
  }

  /// The same with top-level keys of any names.
  consuming func finish(archive objects: [UInt32], tops: [(String, UInt32)]) -> Document {
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
    append(add(Int64(100_000)))
    append(add("$archiver"))
    append(add("NSKeyedArchiver"))
    append(add("$top"))
    append(top)
    append(add("$objects"))
    append(table)
    let archive = closeDictionary()
    return finish(top: archive)
  }
}
