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
    for place in paths {
      if let handle = dlopen(place.asPath, RTLD_NOW | RTLD_LOCAL) {
        self.handle = handle
        return
      }
    }
    return nil
  }

  /// A symbol as the function that the library's header declares it to be; nil if it is not there.
  package func function<Signature>(_ name: String) -> Signature? {
    dlsym(handle, name).map { unsafeBitCast($0, to: Signature.self) }
  }

  /// A symbol that a library is useless without.
  ///
  /// - Throws: `ArchiveError` with code `unsupported` if it is not there.
  package func needed<Signature>(_ name: String) throws(ArchiveError) -> Signature {
    guard let function: Signature = function(name) else {
      throw ArchiveError(.unsupported, "a library lacks the function \(name)")
    }
    return function
  }
}
