// zlib, loaded when the first gzip-compressed input is read, as libxml2 is for XML.

internal import CZLib
import ObjectGraph

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The functions of zlib that are called.
struct ZLib: @unchecked Sendable {
  let begin:
    @convention(c) (UnsafeMutablePointer<z_stream>?, Int32, UnsafePointer<CChar>?, Int32) -> Int32
  let inflate: @convention(c) (UnsafeMutablePointer<z_stream>?, Int32) -> Int32
  let reset: @convention(c) (UnsafeMutablePointer<z_stream>?) -> Int32
  let end: @convention(c) (UnsafeMutablePointer<z_stream>?) -> Int32

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
    guard let library = dlopen(Self.fileName, RTLD_NOW | RTLD_LOCAL),
      let begin = dlsym(library, "inflateInit2_"), let inflate = dlsym(library, "inflate"),
      let reset = dlsym(library, "inflateReset"), let end = dlsym(library, "inflateEnd")
    else { return nil }
    self.begin = Self.function(begin)
    self.inflate = Self.function(inflate)
    self.reset = Self.function(reset)
    self.end = Self.function(end)
  }

  /// A symbol as the function that zlib's header declares it to be.
  private static func function<Signature>(_ symbol: UnsafeMutableRawPointer) -> Signature {
    unsafeBitCast(symbol, to: Signature.self)
  }
}
