// zlib, loaded when the first gzip-compressed input is read, as libxml2 is for XML.

import Basics
internal import CZLib

/// The functions of zlib that are called.
struct ZLib: @unchecked Sendable {
  let begin:
    @convention(c) (UnsafeMutablePointer<z_stream>?, Int32, UnsafePointer<CChar>?, Int32) -> Int32
  let inflate: @convention(c) (UnsafeMutablePointer<z_stream>?, Int32) -> Int32
  let reset: @convention(c) (UnsafeMutablePointer<z_stream>?) -> Int32
  let end: @convention(c) (UnsafeMutablePointer<z_stream>?) -> Int32
  let beginDeflate:
    @convention(c) (
      UnsafeMutablePointer<z_stream>?, Int32, Int32, Int32, Int32, Int32, UnsafePointer<CChar>?,
      Int32
    ) -> Int32
  let deflate: @convention(c) (UnsafeMutablePointer<z_stream>?, Int32) -> Int32
  let endDeflate: @convention(c) (UnsafeMutablePointer<z_stream>?) -> Int32

  private static let loaded = ZLib()

  #if canImport(Darwin)
    private static let fileName = "libz.1.dylib"
  #else
    private static let fileName = "libz.so.1"
  #endif

  /// The library.
  ///
  /// - Throws: `ArchiveError` with code `unsupported` if it is not installed.
  static func load() throws(ArchiveError) -> ZLib {
    guard let loaded else {
      throw ArchiveError(.unsupported, "gzip needs zlib (\(fileName)), which is not installed")
    }
    return loaded
  }

  private init?() {
    guard let library = SharedLibrary(linux: Self.fileName, darwin: Self.fileName) else {
      return nil
    }
    do {
      begin = try library.needed("inflateInit2_")
      inflate = try library.needed("inflate")
      reset = try library.needed("inflateReset")
      end = try library.needed("inflateEnd")
      beginDeflate = try library.needed("deflateInit2_")
      deflate = try library.needed("deflate")
      endDeflate = try library.needed("deflateEnd")
    } catch {
      return nil
    }
  }
}
