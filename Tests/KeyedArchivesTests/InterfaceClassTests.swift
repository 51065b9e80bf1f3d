// Objects of interface files, of Xcode's user states, of Core Data models and of scenes, as Apple's frameworks archive them.

import Foundation
import TestSupport
import Testing

@Suite struct InterfaceClassTests {
  private static let owner = ArchivedSample.object("NSCustomObject", ["NSClassName": "Controller"])
  private static let window = ArchivedSample.object(
    "NSWindowTemplate",
    [
      "NSWindowTitle": "Panel", "NSWindowClass": "NSPanel", "NSWindowStyleMask": 7,
      "NSWindowRect": "{{1, 2}, {3, 4}}",
    ])
  private static let quit = ArchivedSample.object(
    "NSMenuItem", ["NSTitle": "Quit", "NSKeyEquiv": "q", "NSKeyEquivModMask": 1_048_576])
  private static let button = ArchivedSample.instance(
    ["NSButton", "NSControl", "NSView", "NSResponder", "NSObject"],
    [
      ("NSFrame", "{{20, 30}, {96, 32}}"), ("NSvFlags", .inline(.integer(0x8000_0112))),
      ("NSCell", cell("Cancel", "\u{1B}", 0)),
    ])

  private static func cell(_ title: String, _ key: String, _ flags: Int64) -> ArchivedSample {
    .instance(
      ["NSButtonCell", "NSActionCell", "NSCell", "NSObject"],
      [
        ("NSContents", .stored(.string(title))), ("NSKeyEquivalent", .stored(.string(key))),
        ("NSButtonFlags2", .inline(.integer(flags))),
        ("NSButtonFlags", .inline(.integer(-2_139_095_040))),
        ("NSCellFlags", .inline(.integer(0x2000_0000))),
      ])
  }

  private static func item(_ key: String, _ modifiers: Int64) -> ArchivedSample {
    .object(
      "NSMenuItem",
      [
        "NSTitle": "Go", "NSKeyEquiv": .stored(.string(key)),
        "NSKeyEquivModMask": .inline(.integer(modifiers)),
      ])
  }

  static let interfaces: [ClassLayout] = [
    ClassLayout(
      .object(
        "NSNibOutletConnector",
        ["NSSource": owner, "NSDestination": window, "NSLabel": "window"]),
      "NSNibOutletConnector outlet window: Controller → NSPanel \"Panel\""),
    ClassLayout(
      .object(
        "NSNibControlConnector",
        [
          "NSSource": quit, "NSLabel": "terminate:",
          "NSDestination": .object("NSCustomObject", ["NSClassName": "NSApplication"]),
        ]),
      "NSNibControlConnector action terminate: NSMenuItem \"Quit\" → NSApplication"),
    ClassLayout(
      .object("NSNibControlConnector", ["NSSource": quit, "NSLabel": "cut:"]),
      "NSNibControlConnector action cut: NSMenuItem \"Quit\" → first responder"),
    ClassLayout(
      .object(
        "NSNibBindingConnector",
        [
          "NSSource": button, "NSDestination": owner, "NSLabel": "value: selection.name",
          "NSBinding": "value", "NSKeyPath": "selection.name",
        ]),
      "NSNibBindingConnector binding value: NSButton \"Cancel\" → Controller selection.name"),
    ClassLayout(
      .object("NSIBHelpConnector", ["NSDestination": owner, "NSMarker": "Helps"]),
      "NSIBHelpConnector help \"Helps\": Controller"),
    ClassLayout(
      .object(
        "NSIBUserDefinedRuntimeAttributesConnector",
        ["NSObject": owner, "NSKeyPaths": .array(["a", "b.c"]), "NSValues": .array([1, 2])]),
      "NSIBUserDefinedRuntimeAttributesConnector attributes \"a\", \"b.c\": Controller"),
    ClassLayout(
      .object(
        "UIRuntimeEventConnection",
        [
          "UILabel": "pressed:",
          "UISource": .object("UIProxyObject", ["UIProxiedObjectIdentifier": "IBFilesOwner"]),
          "UIDestination": .object(
            "UIClassSwapper", ["UIClassName": "Main", "UIOriginalClassName": "UIView"]),
        ]), "UIRuntimeEventConnection action pressed: IBFilesOwner → Main (UIView)"),
    ClassLayout(owner, "NSCustomObject Controller"),
    ClassLayout(
      window,
      "NSWindowTemplate \"Panel\" NSPanel {{1, 2}, {3, 4}}, titled, closable, miniaturizable"),
    ClassLayout(quit, "NSMenuItem \"Quit\" ⌘Q"),
    ClassLayout(item("Z", 0x10_0000), "NSMenuItem \"Go\" ⇧⌘Z"),
    ClassLayout(item("\u{F700}", 0xC_0000), "NSMenuItem \"Go\" ⌃⌥↑"),
    ClassLayout(item("\u{F704}", 0), "NSMenuItem \"Go\" F1"),
    ClassLayout(item("", 0x10_0000), "NSMenuItem \"Go\""),
    ClassLayout(.object("NSMenuItem", ["NSIsSeparator": true]), "NSMenuItem separator"),
    ClassLayout(
      button, "NSButton {{20, 30}, {96, 32}}, flexible width, flexible height, hidden"),
    ClassLayout(
      cell("OK", "\r", 0x1000_0001), "NSButtonCell \"OK\" ⌘↩, bordered, pushes in, disabled"),
    ClassLayout(
      .instance(
        ["NSTextFieldCell", "NSActionCell", "NSCell", "NSObject"],
        [("NSContents", "Name"), ("NSCellFlags", .inline(.integer(0x1040_0000)))]),
      "NSTextFieldCell \"Name\", editable, bezeled"),
    ClassLayout(
      .object("NSTableColumn", ["NSIdentifier": "name", "NSWidth": 80.5]),
      "NSTableColumn \"name\" width 80.5"),
    ClassLayout(
      .object("NSMenu", ["NSTitle": "File", "NSName": "_NSMainMenu"]), "NSMenu \"File\" _NSMainMenu"
    ),
    ClassLayout(
      .object(
        "NSIBObjectData",
        [
          "NSRoot": owner, "NSObjectsKeys": .array([window, quit]),
          "NSObjectsValues": .array([owner, owner]), "NSNextOid": 9,
        ]), "NSIBObjectData of Controller",
      members: ["NSRoot: NSCustomObject (1) Controller", "NSNextOid: 9", "objects: array (2)"]),
    ClassLayout(
      .object(
        "NSColorList",
        [
          "NSName": "Mine", "NSKeys": .array(["Red"]),
          "NSColors": .array([.object("NSColor", ["NSColorSpace": 1, "NSRGB": .data("1 0 0")])]),
        ]), "NSColorList \"Mine\", 1 color", members: ["colors: dictionary (1)"]),
  ]

  static let others: [ClassLayout] = [
    ClassLayout(
      .object(
        "DVTTextDocumentLocation",
        [
          "documentURL": "file:///Users/me/My%20App/ISO%20Date.m", "timestamp": 86400.0,
          "startingLineNumber": 203, "startingColumnNumber": 64,
        ]), "DVTTextDocumentLocation ISO Date.m:203:64 at 2001-01-02T00:00:00Z"),
    ClassLayout(
      .object(
        "DVTTextDocumentLocation",
        ["documentURL": "file:///a/b.swift", "startingLineNumber": .inline(.integer(.max))]),
      "DVTTextDocumentLocation b.swift"),
    ClassLayout(
      .object("IDEArchivableStringIndexPair", ["Identifier": "main.m", "Index": 3]),
      "IDEArchivableStringIndexPair \"main.m\", 3"),
    ClassLayout(
      .object(
        "IDEArchivableStringIndexPair", ["Identifier": "x", "Index": .inline(.integer(.max))]),
      "IDEArchivableStringIndexPair \"x\""),
    ClassLayout(.object("DVTFilePath", ["pathString": "/a/b"]), "DVTFilePath \"/a/b\""),
    ClassLayout(
      .object(
        "NSAttributeDescription",
        ["NSPropertyName": "age", "NSAttributeType": 100, "NSIsOptional": true]),
      "NSAttributeDescription age: Integer 16, optional"),
    ClassLayout(
      .object("NSAttributeDescription", ["NSPropertyName": "odd", "NSAttributeType": 77]),
      "NSAttributeDescription odd: type 77"),
    ClassLayout(
      .object(
        "NSRelationshipDescription",
        [
          "NSPropertyName": "pets", "_NSDestinationEntityName": "Pet", "NSDeleteRule": 2,
          "NSMaxCount": 0,
        ]), "NSRelationshipDescription pets → Pet, to many, cascade on delete"),
    ClassLayout(
      .object("NSEntityDescription", ["NSEntityName": "Pet", "NSClassNameForEntity": "Animal"]),
      "NSEntityDescription Pet (Animal)"),
    ClassLayout(
      .object(
        "SCNNode",
        [
          "name": "ship", "position": .data([0, 0, 128, 63, 0, 0, 0, 64, 0, 0, 64, 192]),
          "scale": .data([10, 215, 163, 60, 10, 215, 163, 60, 10, 215, 163, 60]),
        ]), "SCNNode \"ship\", at {1, 2, -3}, scale {0.02, 0.02, 0.02}"),
  ]

  static let layouts = interfaces + others + layouted

  @Test(arguments: layouts)
  func isShownAsWhatItMeans(_ layout: ClassLayout) throws { try layout.check() }

  /// A view has text and bounds, a constraint two sides; a NIBArchive names no superclasses.
  static let layouted: [ClassLayout] = [
    ClassLayout(
      .object(
        "UILabel", ["UIText": "Name", "UIBounds": "{{0, 0}, {170, 40}}", "UICenter": "{187, 65}"]),
      "UILabel \"Name\", {{0, 0}, {170, 40}}, center {187, 65}"),
    ClassLayout(
      .object("IBClassReference", ["IBClassName": "Window", "IBModuleName": "App"]),
      "IBClassReference App.Window"),
    ClassLayout(
      .object("NSButtonImageSource", ["NSImageName": "Check"]), "NSButtonImageSource Check"),
    ClassLayout(
      .instance(
        ["NSClipView"], [("NSFrame", "{{1, 1}, {9, 7}}"), ("NSvFlags", .inline(.integer(2)))]),
      "NSClipView {{1, 1}, {9, 7}}, flexible width"),
    ClassLayout(
      .object(
        "NSLayoutConstraint",
        [
          "NSFirstItem": .object("Label", ["NSTitle": "a"]), "NSFirstAttribute": 7,
          "NSRelation": 1, "NSConstant": 80.0,
        ]), "NSLayoutConstraint Label \"a\".width ≥ 80"),
    ClassLayout(
      .object(
        "NSLayoutConstraint",
        [
          "NSFirstItem": .object("A"), "NSFirstAttribute": 1, "NSSecondItem": .object("B"),
          "NSSecondAttribute": 2, "NSMultiplier": 0.5, "NSConstant": -8.0,
        ]), "NSLayoutConstraint A.left = B.right × 0.5 - 8"),
    ClassLayout(
      .object("NSLayoutConstraint", ["NSFirstItem": .object("A"), "NSFirstAttribute": 99]),
      "NSLayoutConstraint"),
  ]

  /// The fields of an object with many keys are looked up, not searched for.
  @Test(arguments: [["NSMenuItem", "NSObject"], ["MyItem", "NSMenuItem", "NSObject"]])
  func manyKeysChangeNoLine(_ classes: [String]) throws {
    let fields: [(String, ArchivedSample)] = [
      ("NSTitle", "Quit"), ("NSKeyEquiv", "q"), ("NSKeyEquivModMask", .inline(.integer(0x10_0000))),
    ]
    let many = (0..<300).map { ("NSk\($0)", ArchivedSample.inline(.integer($0))) }
    let line = try ShownTree(.instance(classes, fields)).meaning
    #expect(try ShownTree(.instance(classes, many + fields)).meaning == line)
    #expect(try ShownTree(.instance(classes, fields + many)).meaning == line)
    #expect(line.hasSuffix("\"Quit\" ⌘Q"))
  }

  /// The numbers of three floats are no text, although their bytes could be.
  @Test func vectorsAreNoText() throws {
    let bytes: [UInt8] = [10, 215, 163, 60, 10, 215, 163, 60, 10, 215, 163, 60]
    let tree = try ShownTree(ArchivedSample.object("Thing", ["scale": .data(bytes)]))
    #expect(tree.member("scale") == "data (12 bytes) 0ad7a33c0ad7a33c0ad7a33c")
  }

  /// Values with numbers have the names of their fields as far as their types are those of the class.
  @Test(
    arguments: [
      ("@@", ["Thing"], "NSClassName: \"Thing\""), ("@i", ["Thing"], "$types: \"@i\""),
      ("", [], ""), ("@@", [], "$types: \"@@\""), ("{x=", ["a"], "$types: \"{x=\""),
    ] as [(String, [String], String)])
  func numbersBecomeNamesWhereTheyFit(_ types: String, _ names: [String], _ member: String) throws {
    var fields: [(String, ArchivedSample)] = [("$types", .inline(.string(types)))]
    for (number, name) in names.enumerated() {
      fields.append(("$\(number)", .stored(.string(name))))
    }
    if names.count == 1 { fields.append(("$1", types == "@i" ? 3 : .null)) }
    let tree = try ShownTree(.instance(["NSCustomObject", "NSObject"], fields))
    #expect(member.isEmpty || tree.members.contains(member), "\(tree.text)")
  }
}
