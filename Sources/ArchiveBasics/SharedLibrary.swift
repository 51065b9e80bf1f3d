// A library of the system that is loaded when it is first needed, so that a start does not wait for it.

/// A library that was found, and stays loaded.
package struct SharedLibrary {
  private let handle: UnsafeMutableRawPointer

  /// Loads the library from where the loader looks, or from where Homebrew puts what macOS does not have.
  ///
  /// - Parameters:
  ///   - linux: its file name on Linux.
  ///   - darwin: its file name on macOS.
  package init?(linux: String, darwin: String) {
    #if canImport(Darwin)
      let paths = [darwin, "/opt/homebrew/lib/" + darwin, "/usr/local/lib/" + darwin]
    #else
      let paths = [linux]
    #endif
    for path in paths {
      if let handle = dlopen(path.asPath, RTLD_NOW | RTLD_LOCAL) {
        self.handle = handle
        return
      }
    }
    return nil
  }

  /// Functions of the library, in a structure of pointers to them that its C module declares.
  ///
  /// - Parameter names: their names in the order of the pointers, up to nil; then, up to another nil, the names of those
  ///   that the library may lack, whose pointers may be nil.
  /// - Returns: nil if the library lacks one of the others.
  package func functions<Pointers>(_ names: UnsafePointer<UnsafePointer<CChar>?>) -> Pointers? {
    withUnsafeTemporaryAllocation(of: Pointers.self, capacity: 1) { pointers in
      var position = 0
      for isNeeded in [true, false] {
        while let name = names[position + (isNeeded ? 0 : 1)] {
          let function = dlsym(handle, name)
          if function == nil, isNeeded { return nil }
          UnsafeMutableRawBufferPointer(pointers).storeBytes(
            of: function, toByteOffset: position * MemoryLayout<UnsafeMutableRawPointer?>.stride,
            as: UnsafeMutableRawPointer?.self)
          position += 1
        }
      }
      return pointers[0]
    }
  }

  /// What was found of a library.
  ///
  /// - Throws: `ArchiveError` with code `unsupported` if it is not installed, with what needs it.
  package static func needed<Pointers>(
    _ pointers: Pointers?, _ need: String
  ) throws(ArchiveError) -> Pointers {
    guard let pointers else { throw ArchiveError(.unsupported, "\(need), which is not installed") }
    return pointers
  }
}
