// The fields of AppKit's and NeXTSTEP's classes in typedstreams, where values have numbers and no names.
//
// Layouts: python-typedstream, types/appkit.py and nextstep.py, and nibs of one window in both forms; a field that has the
// value of a key there has its name. GNUstep: GSNibLoading.m and the headers of NSMenuTemplate.

import ArchiveBasics
import ArchiveGraph
import ArchiveTypedStreams

/// What classes write after what their superclasses do, in the notation of `FieldLayout`.
enum StreamFields {
  /// Versions below a number have a row of their own, `NAME<NUMBER`.
  private static let rows: [String: String] = [
    "NSObject": "", "NSFormatter": "", "NSImageRep": "",
    "NSIBObjectData":
      "@:NSRoot {:objects @:object @:parent } {:names @:object @:name } @:NSVisibleWindows @:NSConnections @:NSFontManager {:oids @:object n:id } n:NSNextOid {:classes @:object @:class } [100] @:NSFramework",
    "NSCustomObject": "@:NSClassName @", "NSCustomView": "@:NSClassName @:NSExtension",
    "NSCustomResource": "@:NSClassName @:NSResourceName",
    "NSClassSwapper": "@:NSClassName #:NSOriginalClass &",
    "NSNibConnector": "@:NSSource @:NSDestination @:NSLabel", "NSNibOutletConnector": "",
    "NSNibControlConnector": "", "NSIBConnector": "@:NSSource @:NSDestination @:NSLabel",
    "NSIBOutletConnector": "", "NSIBControlConnector": "",
    "NSNibBindingConnector": "@:NSBinding @:NSKeyPath @:NSOptions @:NSPreviousConnector",
    "NSIBHelpConnector": "= @:NSDestination @:NSFile @:NSMarker",
    "NSFont": "n U:NSName f:NSSize n*3 n:role",
    "NSResponder": "@:NSNextResponder",
    "NSView":
      "n:flags @:NSSubviews @:drawMatrix @ @:NSDragTypes R:NSFrame R:NSBounds @:NSSuperview @ @:NSNextKeyView @",
    "NSControl": "n:NSTag n:NSEnabled n @:NSCell",
    "NSCell": "n:NSCellFlags n:NSCellFlags2 @:NSContents @:NSSupport @:NSFormatter @",
    "NSActionCell": "n:NSTag s:NSAction @:NSTarget @:NSControlView",
    "NSTextFieldCell": "n:flags @:NSBackgroundColor @:NSTextColor", "NSTableHeaderCell": "",
    "NSButtonCell<60":
      "n:NSPeriodicDelay n:NSPeriodicInterval n:modifiers n:NSButtonFlags @:NSAlternateContents @:NSKeyEquivalent @:NSNormalImage @:NSAlternateImage @",
    "NSButtonCell":
      "n:NSPeriodicDelay n:NSPeriodicInterval n:NSButtonFlags2 n:NSButtonFlags @:NSAlternateContents @:NSKeyEquivalent @:NSNormalImage @:NSAlternateImage @",
    "NSButtonImageSource": "@:NSImageName", "NSImageCell": "n:NSAlign n:NSScale n:NSStyle",
    "NSMenuCell": "", "NSMenuItemCell": "@:NSMenuItem @",
    "NSPopUpButtonCell": "n:flags @:NSMenu n:NSSelectedIndex",
    "NSTextField": "@:NSDelegate s:errorAction", "NSComboBox": "", "NSButton": "",
    "NSPopUpButton<100": "s @ n", "NSPopUpButton": "", "NSSlider": "", "NSStepper": "n*4",
    "NSImageView": "n:NSEditable",
    "NSSliderCell":
      "f:NSMaxValue f:NSMinValue f:NSValue f:NSAltIncValue n:NSNumberOfTickMarks n:NSTickMarkPosition n:NSAllowsTickMarkValuesOnly",
    "NSStepperCell": "f f f:NSMaxValue f:NSIncrement n:flags n*4", "NSSearchField": "n*4",
    "NSSearchFieldCell": "@*4 n n:NSMaximumRecents n*4",
    "NSComboBoxCell":
      "n:NSVisibleItemCount n:NSHasVerticalScroller n n @:NSPopUpListData @:NSDelegate @:buttonCell @:NSTableView",
    "NSFormCell": "f:NSTitleWidth @:NSTitleCell", "NSForm": "",
    "NSMatrix":
      "#:NSCellClass n:NSSelectedRow n:NSSelectedCol n:NSNumRows n:NSNumCols s*3 S:NSCellSize S:NSIntercellSpacing n:NSMatrixFlags @:NSCells @ @ @:NSFont @:NSProtoCell @ @ @:NSSelectedCell",
    "NSBox":
      "S:NSOffsets @:NSTitleCell @:NSContentView n:borderAndType n:NSTitlePosition n:NSTransparent @",
    "NSClipView": "@:NSDocView @:NSBGColor @:NSCursor n n n:drawsBackground", "_NSCornerView": "",
    "NSScrollView":
      "@:NSVScroller @:NSHScroller @:NSContentView @:NSHeaderClipView @:NSCornerView f*4 n:flags",
    "NSScroller": "@:NSTarget f f s:NSAction n:isHorizontal n",
    "NSTableView":
      "@:NSHeaderView @:NSCornerView @:NSTableColumns S:NSIntercellSpacing @ @ f:NSRowHeight s:NSAction s:NSDoubleAction n:NSTvFlags @*3",
    "NSOutlineView": "", "NSComboTableView": "", "NSTableHeaderView": "@:NSTableView",
    "NSTableColumn":
      "@:NSIdentifier f:NSWidth f:NSMinWidth f:NSMaxWidth @:NSHeaderCell @:NSDataCell n:NSIsResizeable n:NSIsEditable @:NSTableView",
    "NSTabView":
      "@:NSTabViewItems @:NSSelectedTabViewItem @:NSFont n:NSTvFlags n:NSAllowTruncatedLabels n:NSDrawsBackground @",
    "NSTabViewItem": "@:NSIdentifier @:NSView @:NSLabel @:NSColor @ @ @:NSTabView",
    "NSMenu": "n:flags @:NSTitle @:NSMenuItems @:NSName",
    "NSMenuItem<100":
      "@:NSMenu n:flags @:NSTitle @:NSKeyEquiv n:NSKeyEquivModMask n:NSMnemonicLoc n:NSState @:NSImage @:NSOnImage @:NSOffImage @:NSMixedImage s:NSAction n:NSTag @ @:NSTarget @:NSSubmenu @",
    "NSMenuItem":
      "@:NSMenu n:flags @:NSTitle @:NSKeyEquiv n:NSKeyEquivModMask n:NSMnemonicLoc n:NSState @:NSImage @:NSOnImage @:NSOffImage @:NSMixedImage s:NSAction n:NSTag @ @:NSTarget @:NSSubmenu",
    "NSMenuTemplate":
      "P:location n:isWindowsMenu n:isServicesMenu n:isFontMenu @:NSTitle @:NSClassName @:cellMatrix @:owner @:parent",
    "NSWindowTemplate<100":
      "n:NSWindowStyleMask n:NSWindowBacking R:NSWindowRect n:NSWTFlags @:NSWindowTitle @:NSWindowClass @:NSViewClass @:NSWindowView @ n R:NSScreenRect n",
    "NSWindowTemplate":
      "n:NSWindowStyleMask n:NSWindowBacking R:NSWindowRect n:NSWTFlags @:NSWindowTitle @:NSWindowClass @:NSViewClass @:NSWindowView @ n R:NSScreenRect n ?S:NSMinSize @:NSFrameAutosaveName n ?S:NSMaxSize",
    "NSProgressIndicator": "n n f:NSMinValue f:NSMaxValue n:flags",
    "NSNumberFormatter":
      "@:NS.positiveformat @:NS.negativeformat @:NS.negativeattrs @:NS.positiveattrs @*3 @:NS.min @:NS.max @ @:NS.decimal @:NS.thousand n:NS.hasthousands n:NS.localized n:NS.allowsfloats",
    "NSDateFormatter": "@:NS.format n:NS.natural", "NSCursor": "P:NSHotSpot @:NSImage n n",
    "NSImage": "@:NSName n*14 S:NSSize n n @:NSRepresentation @:NSColor @",
    "NSBitmapImageRep": "n A:NSTIFFRepresentation",
    "NSDrawer":
      "S:NSContentSize S:NSMinContentSize S:NSMaxContentSize n:NSPreferredEdge n f:NSLeadingOffset f:NSTrailingOffset @*3",
    "NSSplitView": "@:NSDelegate n:flags", "NSPSMatrix": "A:matrix n*3",
    "NSColorWell": "n*3 @:NSColor", "NSViewTemplate": "@:NSClassName",
    "NSTextViewTemplate": "@ @:NSBackgroundColor @ @ S S:NSSize S:NSMaxSize @ n*14 @",
  ]

  private static let layouts: [String: (below: (version: Int64, FieldLayout)?, all: FieldLayout)] =
    {
      var layouts: [String: (below: (version: Int64, FieldLayout)?, all: FieldLayout)] = [:]
      for (key, notation) in rows where key.utf8.firstIndex(of: UInt8(ascii: "<")) == nil {
        layouts[key] = (nil, FieldLayout(notation))
      }
      for (key, notation) in rows {
        let parts = key.split(separator: "<").map(String.init)
        guard parts.count == 2, let version = Int64(parts[1]) else { continue }
        layouts[parts[0]]?.below = (version, FieldLayout(notation))
      }
      return layouts
    }()

  static var classNames: [String] { layouts.keys.sorted() }

  /// What objects of a class write, as far as the classes from the root on are known.
  ///
  /// - Parameters:
  ///   - chain: the class and its superclasses.
  ///   - versions: their versions; 0 where there are fewer.
  static func steps(_ chain: [String], _ versions: [Int64]) -> [FieldLayout.Step] {
    var steps: [FieldLayout.Step] = []
    for (position, name) in chain.enumerated().reversed() {
      guard let known = layouts[name] else { break }
      let version = position < versions.count ? versions[position] : 0
      let layout = known.below.flatMap { version < $0.version ? $0.1 : nil } ?? known.all
      if layout.replacesSuperclass { steps = [] }
      steps += layout.steps(version: version)
    }
    return steps
  }
}

/// A class whose objects have fields by number in typedstreams; its value is made of these.
protocol InterfaceClass: FrameworkClass {}

extension InterfaceClass {
  /// The fields by name, if a typedstream has them by number.
  static func value(of object: ArchivedObject) -> Value? { object.namedFields() }
}

extension ArchivedObject {
  /// Whether the values of the object have numbers, after the key with their types.
  private var hasNumbers: Bool {
    let pairs = graph.storedPairs(of: node)
    return (0..<min(pairs.count, 2)).contains { position in
      graph.text(of: graph.key(pairs, position))?.equals("$types") == true
    }
  }

  /// The object with the names of its fields; nil for one whose values have names.
  ///
  /// Fields that are nil are left out. Values that no name is known of keep their numbers, and with them their types if they
  /// are those of a class that is not known.
  func namedFields() -> Value? {
    guard hasNumbers, let owner = graph.classIndex(of: node) else { return nil }
    return graph.derivedValue(of: node, class: owner) { members(ofClass: owner) }
  }

  /// The field with a name that the stored object has under a number.
  func namedField(_ name: String) -> Node? {
    guard hasNumbers, archive.family(of: node) is any InterfaceClass.Type,
      case .object(_, let pairs)? = namedFields()
    else { return nil }
    return graph.member(name, of: pairs)
  }

  private func members(ofClass owner: ClassIndex) -> SyntheticValue? {
    let pairs = graph.storedPairs(of: node)
    var types: String?
    var others: [(name: String, value: SyntheticValue)] = []
    var numbered: [Int: Node] = [:]
    for position in 0..<pairs.count {
      let value = graph.value(pairs, position)
      guard let key = graph.text(of: graph.key(pairs, position))?.string, key != "$class" else {
        continue
      }
      if key == "$types" {
        types = graph.text(of: value)?.string
      } else if key.hasPrefix("$"), let number = Int(key.dropFirst()) {
        numbered[number] = value
      } else {
        others.append((key, .node(value)))
      }
    }
    guard let types, let letters = NamedField.letters(ofTypes: types) else { return nil }
    let nodes = letters.indices.compactMap { numbered[$0] }
    guard nodes.count == letters.count, numbered.count == nodes.count else { return nil }
    let description = graph.classes[owner]
    let (fields, count) = NamedField.fields(
      StreamFields.steps(description.chain, description.versions), letters,
      integer: { integer(nodes[$0]) }, classFields: { classFields(nodes[$0]) })
    guard fields.contains(where: { $0.name != nil }) else { return nil }
    var members = fields.enumerated().compactMap { member($1, nodes, at: $0) }
    if count < nodes.count {
      members.insert(("$types", .string(types)), at: 0)
      members += nodes.indices[count...].map { ("$\($0)", .node(nodes[$0])) }
    }
    return .members(members + others)
  }

  /// A field with its name; nil if it is nil.
  private func member(
    _ field: NamedField, _ nodes: [Node], at position: Int
  ) -> (name: String, value: SyntheticValue)? {
    switch field.content {
    case .value(let number):
      if case .null? = flat(nodes[number]) { return nil }
      return (field.name ?? "$\(number)", .node(nodes[number]))
    case .geometry(let first, let count, let isStructure):
      let parts = isStructure ? numbers(nodes[first]) : nodes[first...].prefix(count).map(number)
      let numbers = parts.compactMap { $0 }
      guard numbers.count == count, let text = geometryText(numbers) else {
        return (field.name ?? "$\(first)", .list(nodes[first...].prefix(count).map { .node($0) }))
      }
      return (field.name ?? "$\(first)", .string(text))
    case .text(let number):
      let text = oldText(nodes[number]).map { SyntheticValue.string($0) }
      return (field.name ?? "$\(number)", text ?? .node(nodes[number]))
    case .rows(let rows):
      let forms = rows.map { row -> SyntheticValue in
        .members(row.enumerated().compactMap { member($1, nodes, at: $0) })
      }
      return (field.name ?? "rows", .list(forms))
    }
  }

  /// The numbers of a structure, also of structures within it.
  private func numbers(_ node: Node) -> [Double?] {
    guard case .array(let elements) = graph.value(of: node), elements.count <= 4 else { return [] }
    return (0..<elements.count).flatMap { position -> [Double?] in
      let element = graph.node(elements, position)
      guard case .array(let inner) = graph.value(of: element), inner.count <= 4 else {
        return [number(element)]
      }
      return (0..<inner.count).map { number(graph.node(inner, $0)) }
    }
  }

  /// The string of a property list of NeXTSTEP: a type, a length, a byte order mark and UTF-16.
  private func oldText(_ node: Node) -> String? {
    guard case .data(let bytes)? = flat(node), bytes.count >= 10, bytes.count % 2 == 0 else {
      return nil
    }
    let isBig = bytes[8] == 0xFE && bytes[9] == 0xFF
    guard isBig || bytes[8] == 0xFF && bytes[9] == 0xFE else { return nil }
    let units = stride(from: 10, to: bytes.count, by: 2).map { offset in
      let (first, second) = (UInt16(bytes[offset]), UInt16(bytes[offset + 1]))
      return isBig ? first << 8 | second : second << 8 | first
    }
    // NeXTSTEP ends a string with a zero.
    return String(validating: units.last == 0 ? units.dropLast() : units[...], as: UTF16.self)
  }

  /// What objects of a class write whose record a value leads to, or a dictionary that was made of such a record.
  private func classFields(_ node: Node) -> [FieldLayout.Step] {
    guard case .dictionary(let pairs) = graph.value(of: node) else { return [] }
    var chain: [String] = []
    var versions: [Int64] = []
    for position in 0..<pairs.count {
      guard case .array(let list) = graph.value(of: graph.value(pairs, position)),
        list.count <= 64
      else { continue }
      for index in 0..<list.count {
        switch graph.value(of: graph.node(list, index)) {
        case .string(let text): chain.append(text.string)
        case .integer(let version): versions.append(version)
        default: break
        }
      }
    }
    return StreamFields.steps(chain, versions)
  }
}
