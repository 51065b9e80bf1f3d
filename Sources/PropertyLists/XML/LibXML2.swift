// libxml2, loaded when the first XML is read.
//
// Debian's libxml2 brings ICU and the C++ library with it. Bound at start, the three take longer to load than
// a small binary archive takes to be dumped. So CLibXML2 gives its types at build time, and its functions are
// looked up when they are needed; `make build` links no libxml2 at all.

internal import CLibXML2
import ObjectGraph

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The functions of libxml2 that are called.
struct LibXML2: @unchecked Sendable {
  let createMemoryParser: @convention(c) (UnsafePointer<CChar>?, Int32) -> xmlParserCtxtPtr?
  let freeParser: @convention(c) (xmlParserCtxtPtr?) -> Void
  let freeDocument: @convention(c) (xmlDocPtr?) -> Void
  let useOptions: @convention(c) (xmlParserCtxtPtr?, Int32) -> Int32
  let parseDocument: @convention(c) (xmlParserCtxtPtr?) -> Int32
  let stopParser: @convention(c) (xmlParserCtxtPtr?) -> Void
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
    guard let library = dlopen(Self.fileName, RTLD_NOW | RTLD_LOCAL),
      let createMemoryParser = dlsym(library, "xmlCreateMemoryParserCtxt"),
      let freeParser = dlsym(library, "xmlFreeParserCtxt"),
      let freeDocument = dlsym(library, "xmlFreeDoc"),
      let useOptions = dlsym(library, "xmlCtxtUseOptions"),
      let parseDocument = dlsym(library, "xmlParseDocument"),
      let stopParser = dlsym(library, "xmlStopParser"),
      let setErrorListener = dlsym(library, "xmlSetStructuredErrorFunc"),
      let lookUp = dlsym(library, "xmlDictLookup")
    else { return nil }
    self.createMemoryParser = Self.function(createMemoryParser)
    self.freeParser = Self.function(freeParser)
    self.freeDocument = Self.function(freeDocument)
    self.useOptions = Self.function(useOptions)
    self.parseDocument = Self.function(parseDocument)
    self.stopParser = Self.function(stopParser)
    self.setErrorListener = Self.function(setErrorListener)
    self.lookUp = Self.function(lookUp)
  }

  /// A symbol as the function that libxml2's headers declare it to be.
  private static func function<Signature>(_ symbol: UnsafeMutableRawPointer) -> Signature {
    unsafeBitCast(symbol, to: Signature.self)
  }
}
