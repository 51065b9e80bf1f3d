// The numbers that tables of contents have for keys, and their names (mac_alias: bookmark.py).

import Basics

/// Names of a bookmark's keys.
enum BookmarkKey {
  private static let names: [UInt32: String] = [
    0x1003: "url", 0x1004: "path", 0x1005: "fileIDs", 0x1010: "fileProperties",
    0x1020: "fileName", 0x1030: "fileID", 0x1040: "fileCreationDate", 0x2000: "tocPath",
    0x2002: "volumePath", 0x2005: "volumeURL", 0x2010: "volumeName", 0x2011: "volumeUUID",
    0x2012: "volumeSize", 0x2013: "volumeCreationDate", 0x2020: "volumeProperties",
    0x2030: "volumeIsRoot", 0x2040: "volumeBookmark", 0x2050: "volumeMountPoint",
    0xC001: "containingFolder", 0xC011: "userName", 0xC012: "userID",
    0xD001: "wasFileReference", 0xD010: "creationOptions", 0xE003: "urlLengths",
    0xF017: "displayName", 0xF020: "iconData", 0xF021: "iconReference",
    0xF022: "typeBindingData", 0xF030: "creationTime", 0xF080: "securityExtension",
    0xF081: "securityExtensionReadOnly", 0xFE00: "aliasData",
  ]

  /// The name of a key; its number in hexadecimal if it is not known.
  static func name(_ key: UInt32) -> String {
    names[key] ?? hexadecimal(key)
  }

  /// A number as `0xf017`.
  static func hexadecimal(_ number: UInt32) -> String {
    "0x" + String(number, radix: 16, width: 4)
  }
}
