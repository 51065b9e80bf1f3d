// libxml2, loaded when the first XML is read.
//
// Debian's libxml2 brings ICU and the C++ library with it. Bound at start, the three take longer to load than
// a small binary archive takes to be dumped. So CLibXML2 gives its types at build time, and its functions are
// looked up when they are needed; `make build` links no libxml2 at all.

import ArchiveBasics
internal import CLibXML2

/// The functions of libxml2 that are called.
typealias LibXML2 = archtool_libxml2

extension LibXML2 {
  private static let loaded: LibXML2? = {
    let names = archtool_libxml2_names()
    let library: LibXML2? = SharedLibrary(linux: fileName, darwin: fileName)?.functions(names)
    // Before several threads make parsers: older versions initialize themselves without a lock.
    library?.initialize()
    return library
  }()

  /// The library.
  ///
  /// - Throws: `ArchiveError` with code `unsupported` if it is not installed.
  static func load() throws(ArchiveError) -> LibXML2 {
    try SharedLibrary.needed(loaded, "XML needs libxml2 (\(fileName))")
  }

  /// The library that the types are of.
  private static var fileName: String {
    #if canImport(Darwin)
      "libxml2.2.dylib"
    #else
      String(cString: archtool_libxml2_name)
    #endif
  }
}
