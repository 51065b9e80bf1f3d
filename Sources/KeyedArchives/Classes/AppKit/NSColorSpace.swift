// NSColorSpace: `NSID` of a space that older systems know, `NSSpaceID` of a newer one, and a profile in `NSICC`
// (keys and numbers as AppKit archives them).

/// NSColorSpace.
enum NSColorSpaceClass: FrameworkClass {
  static let classNames = ["NSColorSpace"]
  static let shown = "its name or number and the size of its profile, before its fields"
  static let isSimple = true

  /// The numbers under `NSID`.
  private static let names: [Int64: String] = [
    1: "generic RGB", 2: "generic gray", 3: "generic CMYK", 4: "device RGB", 5: "device gray",
    6: "device CMYK", 7: "sRGB", 8: "Adobe RGB (1998)", 9: "generic gray gamma 2.2",
  ]

  /// The numbers under `NSSpaceID`.
  private static let newerNames: [Int64: String] = [
    12: "Display P3", 13: "DCI P3", 14: "extended sRGB", 15: "extended gray gamma 2.2",
    16: "linear sRGB", 17: "extended linear sRGB",
  ]

  /// The name of the space, nil for unknown numbers.
  static func name(of object: ArchivedObject) -> String? {
    object.integer("NSID").flatMap { names[$0] }
      ?? object.integer("NSSpaceID").flatMap { newerNames[$0] }
  }

  static func summary(of object: ArchivedObject) -> String? {
    let number = object.integer("NSID") ?? object.integer("NSSpaceID")
    let profile = object.bytes("NSICC").map {
      "ICC profile of \(SummaryText.count($0.count, "byte"))"
    }
    let parts = [name(of: object) ?? number.map { "color space \($0)" }, profile].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}
