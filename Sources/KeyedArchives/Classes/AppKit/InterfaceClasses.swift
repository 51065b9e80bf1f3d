// The objects of compiled interface files: what connects them, and what is seen.
//
// Keys and bits: GNUstep, GSNibLoading.m, GSCodingFlags.h, NSCell.m, NSButtonCell.m, NSView.m; ibtool, constants.py.

import ArchiveBasics
import ArchiveGraph

// MARK: - NSIBObjectData: what a file has, in parallel lists

enum NSIBObjectDataClass: InterfaceClass {
  static let classNames = ["NSIBObjectData"]
  static let shown = "its objects with their parents, names, numbers and classes, row by row"

  private static let lists = [
    ("NSObjects", "objects", "object", "parent"), ("NSNames", "names", "object", "name"),
    ("NSOids", "oids", "object", "id"), ("NSClasses", "classes", "object", "class"),
    ("NSAccessibilityOids", "accessibilityOids", "object", "id"),
  ]

  static func value(of object: ArchivedObject) -> Value? {
    if let named = object.namedFields() { return named }
    let known = lists.compactMap { key, name, first, second -> (String, String, SyntheticValue)? in
      guard let keys = object.elements("\(key)Keys"), let values = object.elements("\(key)Values"),
        keys.count == values.count
      else { return nil }
      let rows = zip(keys, values).map {
        SyntheticValue.members([(first, .node($0)), (second, .node($1))])
      }
      return (key, name, .list(rows))
    }
    if known.isEmpty { return nil }
    return object.derivedObject(of: known.flatMap { ["\($0.0)Keys", "\($0.0)Values"] }) {
      known.map { (name: $0.1, value: $0.2) }
    }
  }

  static func summary(of object: ArchivedObject) -> String? {
    let owner = object.field("NSRoot").map { object.interfaceName($0) }
    let framework = object.clipped("NSFramework")
    return SummaryText.joined([owner.map { "of \($0)" }, framework])
  }

  static let storedForm = StoredForm.never(
    shown: Set(lists.map(\.1)), reason: "each of its rows is in two lists")
}

// MARK: - Connections

/// The connections of AppKit's and UIKit's interface files.
enum NSNibConnectorClass: InterfaceClass {
  static let classNames = [
    "NSNibConnector", "NSNibOutletConnector", "NSNibControlConnector", "NSNibBindingConnector",
    "NSIBConnector", "NSIBOutletConnector", "NSIBControlConnector", "NSIBHelpConnector",
    "NSIBUserDefinedRuntimeAttributesConnector", "NSNibAuxiliaryActionConnector",
    "UIRuntimeOutletConnection", "UIRuntimeOutletCollectionConnection", "UIRuntimeEventConnection",
  ]
  static let shown =
    "what it connects, as in 'outlet window: Controller → NSWindow', before its fields"

  private static let nouns = [
    "NSNibOutletConnector": "outlet", "NSIBOutletConnector": "outlet",
    "UIRuntimeOutletConnection": "outlet", "UIRuntimeOutletCollectionConnection": "outlets",
    "NSNibControlConnector": "action", "NSIBControlConnector": "action",
    "NSNibAuxiliaryActionConnector": "action", "UIRuntimeEventConnection": "action",
    "NSNibBindingConnector": "binding", "NSIBHelpConnector": "help",
  ]

  static func summary(of object: ArchivedObject) -> String? {
    func end(_ key: String) -> String? {
      (object.field("NS\(key)") ?? object.field("UI\(key)")).map { object.interfaceName($0) }
    }
    if let paths = object.elements("NSKeyPaths") {
      let names = paths.prefix(4).map { object.brief($0) }.joined(separator: ", ")
      let target = object.field("NSObject").map { ": \(object.interfaceName($0))" } ?? ""
      return "attributes \(names)\(paths.count > 4 ? ", …" : "")\(target)"
    }
    let noun = nouns[object.className]
    if let marker = object.string("NSMarker") {
      return "\(noun ?? "text") \(SummaryText.quoted(marker))"
        + (end("Destination").map { ": \($0)" } ?? "")
    }
    let label = object.string("NSBinding") ?? object.string("NSLabel") ?? object.string("UILabel")
    guard label != nil || noun == nil, let source = end("Source") else { return nil }
    let words = [noun, label.map { SummaryText.clipped($0) }].compactMap { $0 }.joined(
      separator: " ")
    let target = end("Destination") ?? (noun == "action" ? "first responder" : "nil")
    let path = object.string("NSKeyPath").map { " \(SummaryText.clipped($0))" } ?? ""
    let mark = words.isEmpty ? "" : words.hasSuffix(":") ? " " : ": "
    return "\(words)\(mark)\(source) → \(target)\(path)"
  }
}

// MARK: - Objects of classes that only the application has

/// The objects that take the class of an application when a file is loaded.
enum NSCustomObjectClass: InterfaceClass, SimpleClass {
  static let classNames = [
    "NSCustomObject", "NSCustomView", "NSCustomResource", "NSClassSwapper", "UIClassSwapper",
    "UIProxyObject", "NSTextViewTemplate", "NSTextTemplate", "NSViewTemplate",
    "NSButtonImageSource",
  ]
  static let shown = "the class, picture or proxy that it represents, before its fields"

  static func summary(of object: ArchivedObject) -> String? {
    let name = [
      "NSResourceName", "NSClassName", "NSImageName", "UIClassName", "UIProxiedObjectIdentifier",
    ].lazy.compactMap { object.string($0) }.first
    let original = object.string("NSOriginalClassName") ?? object.string("UIOriginalClassName")
    return name.map {
      SummaryText.clipped($0) + (original.map { " (\(SummaryText.clipped($0)))" } ?? "")
    }
  }
}

// MARK: - Windows and menus

enum NSWindowTemplateClass: InterfaceClass, SimpleClass {
  static let classNames = ["NSWindowTemplate"]
  static let shown = "its title, class, rectangle and style, before its fields"

  private static let styles: FlagNames = [
    (1, "titled"), (2, "closable"), (4, "miniaturizable"), (8, "resizable"), (0x10, "utility"),
    (0x100, "textured"), (0x1000, "unified title and toolbar"), (0x2000, "HUD"),
  ]

  static func summary(of object: ArchivedObject) -> String? {
    SummaryText.joined([
      SummaryText.joined(
        [
          object.quoted("NSWindowTitle"), object.clipped("NSWindowClass"),
          object.clipped("NSWindowRect"),
        ], separator: " "),
      object.flags("NSWindowStyleMask", styles),
    ])
  }
}

enum NSMenuClass: InterfaceClass, SimpleClass {
  static let classNames = ["NSMenu"]
  static let shown = "its title and name, before its fields"

  static func summary(of object: ArchivedObject) -> String? {
    SummaryText.joined([object.quoted("NSTitle"), object.clipped("NSName")], separator: " ")
  }
}

enum NSMenuItemClass: InterfaceClass, SimpleClass {
  static let classNames = ["NSMenuItem"]
  static let shown = "its title and key, before its fields"

  static func summary(of object: ArchivedObject) -> String? {
    // Typedstreams have both flags in one word.
    let flags = object.integer("flags") ?? 0
    if object.flag("NSIsSeparator") == true || flags & 0x4000_0000 != 0 { return "separator" }
    let key = object.string("NSKeyEquiv").flatMap {
      KeyText.line($0, object.integer("NSKeyEquivModMask") ?? 0)
    }
    let isDisabled = object.flag("NSIsDisabled") == true || flags & 0x8000_0000 != 0
    let line = [object.quoted("NSTitle"), key]
    return SummaryText.joined([
      SummaryText.joined(line, separator: " "), isDisabled ? "disabled" : nil,
      object.integer("NSState") == 1 ? "on" : nil,
    ])
  }
}

// MARK: - Views and cells

enum NSViewClass: InterfaceClass, SimpleClass {
  static let classNames = ["NSView"]
  static let shown = "its rectangle, how it is resized, and whether it is hidden, before its fields"

  private static let names: FlagNames = [
    (1, "flexible left"), (2, "flexible width"), (4, "flexible right"), (8, "flexible bottom"),
    (0x10, "flexible height"), (0x20, "flexible top"), (0x1000, "no focus ring"),
    (0x2000, "exterior focus ring"), (0x8000_0000, "hidden"),
  ]

  static func summary(of object: ArchivedObject) -> String? {
    let size = object.string("NSFrameSize").map { "{{0, 0}, \($0)}" }
    // In typedstreams the mask is the upper byte, and bit 11 hides.
    let stream = object.integer("flags").map { ($0 >> 24) & 0x3F | ($0 & 0x800) << 20 }
    return SummaryText.joined([
      (object.string("NSFrame") ?? size).map { SummaryText.clipped($0) },
      object.flags("NSvFlags", names) ?? stream.flatMap { FlagText.line($0, names) },
    ])
  }
}

/// NSCell and its subclasses but buttons.
enum NSCellClass: InterfaceClass, SimpleClass {
  static let classNames = ["NSCell"]
  static let shown = "its contents and flags, before its fields"

  static let names: FlagNames = [
    (0x1000_0000, "editable"), (0x20_0000, "selectable"), (0x10_0000, "scrollable"),
    (0x40_0000, "bezeled"), (0x80_0000, "bordered"), (0x2000_0000, "disabled"),
    (0x4000_0000, "highlighted"), (0x8_0000, "continuous"), (0x8000_0000, "on"),
  ]

  static func summary(of object: ArchivedObject) -> String? {
    SummaryText.joined([object.quoted("NSContents"), object.flags("NSCellFlags", names)])
  }
}

enum NSButtonCellClass: InterfaceClass, SimpleClass {
  static let classNames = ["NSButtonCell"]
  static let shown = "its title, key and flags, before its fields"

  private static let names: FlagNames = [
    (0x80_0000, "bordered"), (0x8000_0000, "pushes in"), (0x4000_0000, "changes contents"),
    (0x2000_0000, "changes background"), (0x1000_0000, "changes gray"), (0x8000, "transparent"),
  ]

  static func summary(of object: ArchivedObject) -> String? {
    // GNUstep has a field of their own for the modifiers; up to version 2 of the class these are shifted.
    let own = object.integer("modifiers").map { $0 < 0x1000 ? $0 << 16 : $0 }
    let modifiers = own ?? object.integer("NSButtonFlags2").map { ($0 >> 8) & 0xFF_FFFF } ?? 0
    let key = object.string("NSKeyEquivalent").flatMap { KeyText.line($0, modifiers) }
    let title = object.quoted("NSContents")
    let states: FlagNames = [(0x2000_0000, "disabled"), (0x8000_0000, "on")]
    return SummaryText.joined([
      SummaryText.joined([title, key], separator: " "), object.flags("NSButtonFlags", names),
      object.flags("NSCellFlags", states),
    ])
  }
}

enum NSTableColumnClass: InterfaceClass, SimpleClass {
  static let classNames = ["NSTableColumn"]
  static let shown = "its identifier and width, before its fields"

  static func summary(of object: ArchivedObject) -> String? {
    SummaryText.joined(
      [
        object.quoted("NSIdentifier"),
        object.number("NSWidth").map { "width \(ColorText.short($0))" },
      ], separator: " ")
  }
}

/// The other classes with fields by number in typedstreams.
enum StreamedClass: InterfaceClass, SimpleClass {
  static let classNames: [String] = {
    let families: [any InterfaceClass.Type] = [
      NSIBObjectDataClass.self, NSNibConnectorClass.self, NSCustomObjectClass.self,
      NSWindowTemplateClass.self, NSMenuClass.self, NSMenuItemClass.self, NSViewClass.self,
      NSCellClass.self, NSButtonCellClass.self, NSTableColumnClass.self, NSFontClass.self,
      NSImageClass.self, NSImageRepClass.self,
    ]
    let others = families.flatMap { $0.classNames } + ["NSObject"]
    return StreamFields.classNames.filter { !others.contains($0) }
  }()
  static let shown =
    "a view's rectangle or a cell's contents, and the names of fields that typedstreams have by number"

  static func summary(of object: ArchivedObject) -> String? {
    guard let type = object.graph.classDescription(of: object.node) else { return nil }
    for name in type.chain {
      if name == "NSCell" { return NSCellClass.summary(of: object) }
      if name == "NSView" { return NSViewClass.summary(of: object) }
    }
    // A NIBArchive does not name superclasses.
    if object.has("NSCellFlags") { return NSCellClass.summary(of: object) }
    return object.has("NSvFlags") ? NSViewClass.summary(of: object) : nil
  }
}

// MARK: - Parts of lines

/// Bits and what they mean.
typealias FlagNames = [(bit: Int64, name: String)]

enum FlagText {
  /// The names of the bits that are set; nil if none is.
  static func line(_ flags: Int64, _ names: FlagNames) -> String? {
    SummaryText.joined(names.map { flags & $0.bit != 0 ? $0.name : nil })
  }
}

extension ArchivedObject {
  func flags(_ name: String, _ names: FlagNames) -> String? {
    integer(name).flatMap { FlagText.line($0, names) }
  }

  /// An object of an interface: its class, or that of the application, and its title in quotes.
  func interfaceName(_ node: Node) -> String {
    guard let object = object(at: node) else { return brief(node) }
    if let known = archive.interfaceNames[node.index] { return known }
    let name = name(of: object, node)
    archive.interfaceNames[node.index] = name
    return name
  }

  private func name(of object: ArchivedObject, _ node: Node) -> String {
    let family = archive.family(of: node)
    if family == NSCustomObjectClass.self, let name = NSCustomObjectClass.summary(of: object) {
      return name
    }
    let title =
      object.string("NSTitle") ?? object.string("NSWindowTitle")
      ?? object.object("NSCell")?.string("NSContents") ?? object.string("UITitle")
      ?? object.string("UIText")
    let name = object.string("NSWindowClass") ?? object.className
    guard let title, !title.isEmpty else { return SummaryText.clipped(name) }
    return "\(SummaryText.clipped(name)) \(SummaryText.quoted(title))"
  }
}

/// Keys of menus and buttons as menus show them.
enum KeyText {
  private static let modifiers: FlagNames = [
    (0x4_0000, "⌃"), (0x8_0000, "⌥"), (0x2_0000, "⇧"), (0x10_0000, "⌘"),
  ]

  private static let names: [Unicode.Scalar: String] = [
    "\u{03}": "⌤", "\u{08}": "⌫", "\t": "⇥", "\n": "↩", "\r": "↩", "\u{1B}": "⎋", " ": "Space",
    "\u{7F}": "⌫", "\u{F700}": "↑", "\u{F701}": "↓", "\u{F702}": "←", "\u{F703}": "→",
    "\u{F728}": "⌦", "\u{F729}": "↖", "\u{F72B}": "↘", "\u{F72C}": "⇞", "\u{F72D}": "⇟",
  ]

  /// `⌘Q`; nil without a key.
  static func line(_ key: String, _ mask: Int64) -> String? {
    guard let first = key.unicodeScalars.first, key.unicodeScalars.count == 1 else {
      return key.isEmpty ? nil : SummaryText.quoted(key)
    }
    // A capital letter stands for the shift key, too.
    let isCapital = (0x41...0x5A).contains(first.value)
    let mask = isCapital ? mask | 0x2_0000 : mask
    let name =
      names[first]
      ?? ((0xF704...0xF726).contains(first.value) ? "F\(first.value - 0xF703)" : key.uppercased())
    return modifiers.map { mask & $0.bit != 0 ? $0.name : "" }.joined() + name
  }
}
