// libxml2, loaded when the first XML is read.
//
// Debian's libxml2 brings ICU and the C++ library with it. Bound at start, the three take longer to load than
// a small binary archive takes to be dumped. So CLibXML2 gives its types at build time, and its functions are
// looked up when they are needed; `make build` links no libxml2 at all.

import ArchiveBasics
internal import CLibXML2

/// The functions of libxml2 that are called.
struct LibXML2: @unchecked Sendable {
  let createMemoryParser: @convention(c) (UnsafePointer<CChar>?, Int32) -> xmlParserCtxtPtr?
  let createInputParser:
    @convention(c) (
      xmlSAXHandlerPtr?, UnsafeMutableRawPointer?, xmlInputReadCallback?, xmlInputCloseCallback?,
      UnsafeMutableRawPointer?, xmlCharEncoding
    ) -> xmlParserCtxtPtr?
  let freeParser: @convention(c) (xmlParserCtxtPtr?) -> Void
  let freeDocument: @convention(c) (xmlDocPtr?) -> Void
  let useOptions: @convention(c) (xmlParserCtxtPtr?, Int32) -> Int32
  let parseDocument: @convention(c) (xmlParserCtxtPtr?) -> Int32
  let stopParser: @convention(c) (xmlParserCtxtPtr?) -> Void
  /// Frees the allowed values of an attribute; nil if the library has no such function.
  let freeEnumeration: (@convention(c) (xmlEnumerationPtr?) -> Void)?
  /// Sets who hears of problems that belong to no parser, on this thread.
  let setErrorListener: @convention(c) (UnsafeMutableRawPointer?, ErrorListener?) -> Void
  let lookUp:
    @convention(c) (xmlDictPtr?, UnsafePointer<xmlChar>?, Int32) -> UnsafePointer<xmlChar>?

  typealias ErrorListener =
    @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void

  private static let loaded = LibXML2()

  /// The library.
  ///
  /// - Throws: `ArchiveError` with code `unsupported` if it is not installed.
  static func load() throws(ArchiveError) -> LibXML2 {
    guard let loaded else {
      throw ArchiveError(.unsupported, "XML needs libxml2 (\(fileName)), which is not installed")
    }
    return loaded
  }

  /// The library that the types are of.
  private static var fileName: String {
    #if canImport(Darwin)
      "libxml2.2.dylib"
    #else
      String(cString: archtool_libxml2_name)
    #endif
  }

  private init?() {
    guard let library = SharedLibrary(linux: Self.fileName, darwin: Self.fileName) else {
      return nil
    }
    do {
      createMemoryParser = try library.needed("xmlCreateMemoryParserCtxt")
      createInputParser = try library.needed("xmlCreateIOParserCtxt")
      freeParser = try library.needed("xmlFreeParserCtxt")
      freeDocument = try library.needed("xmlFreeDoc")
      useOptions = try library.needed("xmlCtxtUseOptions")
      parseDocument = try library.needed("xmlParseDocument")
      stopParser = try library.needed("xmlStopParser")
      freeEnumeration = library.function("xmlFreeEnumeration")
      setErrorListener = try library.needed("xmlSetStructuredErrorFunc")
      lookUp = try library.needed("xmlDictLookup")
      // Before several threads make parsers: older versions initialise themselves without a lock.
      let initialise: @convention(c) () -> Void = try library.needed("xmlInitParser")
      initialise()
    } catch {
      return nil
    }
  }
}
