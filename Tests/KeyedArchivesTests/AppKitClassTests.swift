// Fonts, images, paragraph styles, shadows and similar classes, and locations, as Apple's frameworks archive them.

import TestSupport
import Testing

@Suite struct AppKitClassTests {
  private static let descriptor = ArchivedSample.object(
    "NSFontDescriptor",
    [
      "NSFontDescriptorAttributes": .dictionary([
        "NSFontNameAttribute": "Helvetica-Bold", "NSFontSizeAttribute": .stored(.real(13.5)),
      ]), "NSFontDescriptorOptions": 2_147_483_651,
    ])

  private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  static let fonts: [ClassLayout] = [
    ClassLayout(
      .object("NSFont", ["NSName": "Menlo-Regular", "NSSize": 13.0, "NSfFlags": 16]),
      "NSFont Menlo-Regular 13 pt",
      members: ["NSName: \"Menlo-Regular\"", "NSSize: 13.0", "NSfFlags: 16"]),
    ClassLayout(
      .object("NSFont", ["NSName": "Menlo", "NSSize": 12.5, "NSDescriptor": descriptor]),
      "NSFont Menlo 12.5 pt"),
    ClassLayout(.object("NSFont", ["NSDescriptor": descriptor]), "NSFont Helvetica-Bold 13.5 pt"),
    ClassLayout(
      .object("NSFont", ["NSSize": 9.0, "NSDescriptor": descriptor]), "NSFont Helvetica-Bold 9 pt"),
    ClassLayout(
      .object(
        "UIFont",
        ["UIFontName": ".SFUI-Regular", "UIFontPointSize": 17.0, "UIFontTraits": 0]),
      "UIFont .SFUI-Regular 17 pt"),
    ClassLayout(
      .object(
        "UIFont",
        [
          "UIFontDescriptor": .object(
            "UIFontDescriptor",
            [
              "UIFontDescriptorAttributes": .dictionary([
                "NSFontFamilyAttribute": "Georgia", "NSFontSizeAttribute": .stored(.integer(20)),
              ])
            ])
        ]), "UIFont Georgia 20 pt"),
    ClassLayout(descriptor, "NSFontDescriptor Helvetica-Bold 13.5 pt"),
  ]

  static let images: [ClassLayout] = [
    ClassLayout(
      .object("NSImage", ["NSName": "NSFolder", "NSImageFlags": 0]), "NSImage \"NSFolder\""),
    ClassLayout(
      .object(
        "NSImage",
        [
          "NSImageFlags": 545_259_520, "NSSize": "{16, 12.5}",
          "NSReps": .array([
            .array([
              .stored(.integer(0)),
              .object("NSBitmapImageRep", ["NSTIFFRepresentation": .stored(.data(png))]),
            ])
          ]),
          "NSColor": .object("NSColor", ["NSColorSpace": 3, "NSWhite": .data("0 0")]),
        ]), "NSImage 16 × 12.5, PNG of 8 bytes"),
    ClassLayout(
      .object("UIImage", ["UIImageData": .stored(.data([0xFF, 0xD8, 0xFF, 0xE0]))]),
      "UIImage JPEG of 4 bytes"),
    ClassLayout(
      .object("NSPDFImageRep", ["NSPDFRepresentation": .data("%PDF-1.4")]),
      "NSPDFImageRep PDF of 8 bytes"),
    ClassLayout(
      .object(
        "NSTextAttachment",
        [
          "NSFileWrapper": .object(
            "NSFileWrapper", ["NSFileWrapperData": .data([0x47, 0x49, 0x46])])
        ]),
      "NSTextAttachment GIF of 3 bytes"),
    ClassLayout(
      .object(
        "NSBezierPath", ["NSLineWidth": 1.5, "NSSegments": .data([1, 2])]),
      "NSBezierPath line width 1.5, segments of 2 bytes"),
  ]

  static let styles: [ClassLayout] = [
    ClassLayout(.object("NSParagraphStyle", ["NSTabStops": .null]), "NSParagraphStyle default"),
    ClassLayout(
      .object(
        "NSMutableParagraphStyle",
        [
          "NSAlignment": 4, "NSLineSpacing": 2.5, "NSFirstLineHeadIndent": 36.0,
          "NSTabStops": .array([
            .object("NSTextTab", ["NSLocation": 28.0]), .object("NSTextTab", ["NSLocation": 56.0]),
          ]),
        ]),
      "NSMutableParagraphStyle natural, line spacing 2.5, first indent 36, 2 tab stops"),
    ClassLayout(
      .object("NSParagraphStyle", ["NSAlignment": 2]),
      "NSParagraphStyle alignment 2 (center on macOS, right on iOS)"),
    ClassLayout(.object("NSTextTab", ["NSLocation": 28.0]), "NSTextTab left at 28 pt"),
    ClassLayout(
      .object("NSTextList", ["NSMarkerFormat": "{decimal}.", "NSStart": 3]),
      "NSTextList {decimal}. from 3"),
    // The vertical offset is archived with its sign turned.
    ClassLayout(
      .object(
        "NSShadow",
        [
          "NSShadowHoriz": 1.0, "NSShadowVert": 2.0, "NSShadowBlurRadius": 3.5,
          "NSShadowColor": .object("NSColor", ["NSColorSpace": 3, "NSWhite": .data("0 0.33")]),
        ]), "NSShadow offset {1, -2}, blur 3.5, #000000 calibrated white, alpha 0.33"),
    ClassLayout(.object("NSShadow"), "NSShadow offset {0, 0}, blur 0"),
  ]

  static let places: [ClassLayout] = [
    ClassLayout(
      .object(
        "CLLocation",
        [
          "kCLLocationCodingKeyCoordinateLatitude": 52.5, "kCLLocationCodingKeyAltitude": 34.0,
          "kCLLocationCodingKeyCoordinateLongitude": -13.25,
          "kCLLocationCodingKeyHorizontalAccuracy": 65.0, "kCLLocationCodingKeyTimestamp": 86400.0,
          "kCLLocationCodingKeyFloor": 2,
        ]), "CLLocation 52.5, -13.25 ± 65 m at 2001-01-02T00:00:00Z",
      members: [
        "latitude: 52.5", "longitude: -13.25", "altitude: 34.0", "horizontalAccuracy: 65.0",
        "timestamp: 2001-01-02T00:00:00Z", "kCLLocationCodingKeyFloor: 2",
      ]),
    ClassLayout(
      .object(
        "CLCircularRegion",
        [
          "kCLRegionCodingKeyIdentifier": "Work", "kCLCircularRegionCodingKeyRadius": 50.5,
          "kCLCircularRegionCodingKeyCenterLatitude": -1.5,
          "kCLCircularRegionCodingKeyCenterLongitude": 2.25,
        ]), "CLCircularRegion \"Work\" -1.5, 2.25 radius 50.5 m"),
    ClassLayout(
      .object(
        "CLCircularRegion",
        [
          "kCLRegionCodingKeyIdentifier": "Home", "kCLRegionCodingKeyCenterLatitude": 1.5,
          "kCLRegionCodingKeyCenterLongitude": 2.0, "kCLRegionCodingKeyRadius": 100.0,
        ]), "CLCircularRegion \"Home\" 1.5, 2.0 radius 100 m"),
  ]

  @Test(arguments: fonts + images + styles + places)
  func isShownAsWhatItMeans(_ layout: ClassLayout) throws { try layout.check() }
}
