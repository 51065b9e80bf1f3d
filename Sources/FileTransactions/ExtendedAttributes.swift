// Extended attributes of open files; on Linux access control lists are among them (acl(5), xattr(7)).

import Basics
import CFileSystem

/// The extended attributes of a file, read and set through its descriptor.
enum ExtendedAttributes {
  /// The names and values, in the order of the names; empty if the file system has none.
  ///
  /// A name that is not UTF-8 is left out: no system makes such.
  static func all(of descriptor: Int32) -> [(name: String, value: [UInt8])] {
    let list = bytes { flistxattr(descriptor, $0, $1) }
    return (list ?? []).split(separator: 0).compactMap { String(validating: $0, as: UTF8.self) }
      .sorted().compactMap { name in
        value(of: name, descriptor).map { (name, $0) }
      }
  }

  /// The value of an attribute, or nil.
  static func value(of name: String, _ descriptor: Int32) -> [UInt8]? {
    bytes { fgetxattr(descriptor, name, $0, $1) }
  }

  /// The value of an attribute of a file, without following links, or nil.
  static func value(of name: String, path: String) -> [UInt8]? {
    let path = path.asPath
    #if canImport(Darwin)
      return bytes { Darwin.getxattr(path, name, $0, $1, 0, XATTR_NOFOLLOW) }
    #else
      return bytes { lgetxattr(path, name, $0, $1) }
    #endif
  }

  /// Sets an attribute.
  ///
  /// - Returns: whether the file has it now.
  static func set(_ name: String, to value: [UInt8], _ descriptor: Int32) -> Bool {
    #if canImport(Darwin)
      let result = Darwin.fsetxattr(descriptor, name, value, value.count, 0, 0)
    #else
      let result = fsetxattr(descriptor, name, value, value.count, 0)
    #endif
    // The system may refuse attributes that it sets by its own policy.
    return result == 0 || Self.value(of: name, descriptor) == value
  }

  /// Gets the size, then the bytes; nil if either fails.
  private static func bytes(_ call: (UnsafeMutablePointer<CChar>?, Int) -> Int) -> [UInt8]? {
    let size = call(nil, 0)
    guard size >= 0 else { return nil }
    var found = -1
    let bytes = [UInt8](unsafeUninitializedCapacity: max(size, 1)) { buffer, count in
      found = buffer.withMemoryRebound(to: CChar.self) { call($0.baseAddress, size) }
      count = max(found, 0)
    }
    return found < 0 ? nil : bytes
  }

  #if canImport(Darwin)
    private static func flistxattr(
      _ descriptor: Int32, _ names: UnsafeMutablePointer<CChar>?, _ size: Int
    ) -> Int { Darwin.flistxattr(descriptor, names, size, 0) }

    private static func fgetxattr(
      _ descriptor: Int32, _ name: String, _ value: UnsafeMutablePointer<CChar>?, _ size: Int
    ) -> Int { Darwin.fgetxattr(descriptor, name, value, size, 0, 0) }
  #endif
}
