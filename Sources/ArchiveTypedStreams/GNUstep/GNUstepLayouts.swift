// What the classes of gnustep-base and gnustep-gui write into archives, in the notation of `FieldLayout`.
//
// Sources: gnustep-base, NSArchiver.m, NSUnarchiver.m and the encodeWithCoder: of each class; gnustep-gui,
// GSGormLoading.m and the same; apps-gorm, GormFilePrefsManager.m. Fields that AppKit has, too, have its names.

enum GNUstepLayouts {
  /// The superclass of each class, and its fields.
  ///
  /// Versions below a number have a row of their own, `NAME<NUMBER`.
  private static let rows: [String: (superclass: String, notation: String)] = [
    "NSObject": ("", ""),
    // Foundation
    "NSString": ("NSObject", "n:length ?n:encoding ?A:characters"),
    "NSMutableString": ("NSString", ""), "GSMutableString": ("NSMutableString", ""),
    "NSArray": ("NSObject", "n:count ?A:elements"), "NSMutableArray": ("NSArray", ""),
    "NSDictionary": ("NSObject", "{:pairs @:key @:value }"),
    "NSMutableDictionary": ("NSDictionary", ""),
    "NSSet": ("NSObject", "{:elements @ }"), "NSMutableSet": ("NSSet", ""),
    "GSMutableSet": ("NSMutableSet", ""),
    "NSCountedSet": ("NSMutableSet", "= {:elements @:element n:count }"),
    "NSNumber": ("NSValue", "= n:type V:value"),
    "NSValue": ("NSObject", "n:length A:type V:value ?A:bytes"),
    "NSValue<2": ("NSObject", "@:data"),
    "NSDate": ("NSObject", "f:seconds"),
    "NSCalendarDate": ("NSDate", "= f:seconds @:format @:zone"),
    "NSTimeZone": ("NSObject", "@:name"), "NSData": ("NSObject", "n:length ?n:form ?A:bytes"),
    "NSMutableData": ("NSData", ""), "NSDataMalloc": ("NSData", ""),
    "NSDataStatic": ("NSData", ""), "NSMutableDataMalloc": ("NSMutableData", ""),
    "NSURL": ("NSObject", "@:NS.relative @:NS.base"), "NSNull": ("NSObject", ""),
    "NSDecimalNumber": ("NSNumber", "= @:text"), "NSCharacterSet": ("NSObject", "@:bitmap"),
    "NSBitmapCharSet": ("NSCharacterSet", ""),
    "NSError": ("NSObject", "n:NSCode @:NSDomain @:NSUserInfo"),
    "NSAttributedString": ("NSObject", "@:NSString ~:runs"),
    "NSMutableAttributedString": ("NSAttributedString", ""),
    "NSTextStorage": ("NSMutableAttributedString", ""),
    // Interface files
    "GSNibContainer<2": (
      "NSObject", "@:nameTable @:connections [1] @:topLevelObjects"
    ),
    "GSNibContainer": (
      "NSObject",
      "@:topLevelObjects @:visibleWindows @:deferredWindows @:nameTable @:connections @:customClasses"
    ),
    "GormFilePrefsManager": ("NSObject", "n:version @:targetVersionName @:archiveTypeName"),
    "NSNibConnector": ("NSObject", "@:NSSource @:NSDestination @:NSLabel"),
    "NSNibOutletConnector": ("NSNibConnector", ""), "NSNibControlConnector": ("NSNibConnector", ""),
    "GSClassSwapper": ("NSObject", "@:NSClassName #:NSOriginalClass &"),
    "GSWindowTemplate": (
      "GSClassSwapper", "n:defer [1] n:autoPositionMask R:NSScreenRect"
    ),
    "GSViewTemplate": ("GSClassSwapper", ""), "GSTextTemplate": ("GSClassSwapper", ""),
    "GSTextViewTemplate": ("GSClassSwapper", ""), "GSMenuTemplate": ("GSClassSwapper", ""),
    "GSControlTemplate": ("GSClassSwapper", ""), "GSObjectTemplate": ("GSClassSwapper", ""),
    "GSNibItem": ("NSObject", "@:NSClassName R:NSFrame [1] n:autoresizingMask"),
    "GSCustomView": ("GSNibItem", ""),
    // Views
    "NSResponder": ("NSObject", "n:interfaceStyle @:NSMenu"),
    "NSView": (
      "NSResponder",
      "R:NSFrame R:NSBounds n:isRotated n:isScaled n:postsFrameChanges n:autoresizesSubviews n:autoresizingMask @:NSNextKeyView @:previousKeyView @:NSSubviews [2] @:shadow"
    ),
    "NSControl": ("NSView", "n:NSTag @:NSCell n:ignoresMultiClick"), "NSButton": ("NSControl", ""),
    "NSPopUpButton": ("NSButton", ""), "NSSlider": ("NSControl", ""),
    "NSStepper": ("NSControl", ""), "NSForm": ("NSMatrix", ""), "NSText": ("NSView", ""),
    "NSTableHeaderView": ("NSView", ""), "GSTableCornerView": ("NSView", ""),
    "NSTextField": ("NSControl", "@:NSDelegate s:errorAction"),
    "NSImageView": ("NSControl", "@:NSTarget s:NSAction"),
    "NSColorWell": ("NSControl", "@:NSColor n:isActive n:isBordered @:NSTarget s:NSAction"),
    "NSBox": ("NSView", "@:NSTitleCell S:NSOffsets n:NSBorderType n:NSTitlePosition"),
    "NSClipView": ("NSView", "@:NSBGColor n:copiesOnScroll n:drawsBackground @:NSCursor"),
    "NSScrollView": (
      "NSView",
      "@:NSContentView n:NSBorderType n:scrollsDynamically n:rulersVisible f*4 n:hasHScroller ?@:NSHScroller n:hasVScroller ?@:NSVScroller n:hasHRuler ?@:horizontalRuler n:hasVRuler ?@:verticalRuler [2] n:hasHeader ?@:NSHeaderClipView n:hasCorner"
    ),
    "NSScroller": ("NSControl", "n:arrows n @:NSTarget s:NSAction"),
    "NSSplitView": ("NSView", "@:NSDelegate @*3 f:dividerWidth n:isVertical"),
    "NSProgressIndicator": ("NSView", "n*3 f*4 n"),
    "NSMatrix": (
      "NSControl",
      "n:mode n*4 S:NSCellSize S:NSIntercellSpacing @:NSBackgroundColor @:cellBackgroundColor n n @:NSCellClass @:NSProtoCell n:NSNumRows n:NSNumCols @:NSCells @:NSDelegate @:NSTarget s*3 n @:keyCell"
    ),
    "NSTabView": ("NSView", "@:NSTabViewItems @:NSFont n:type n n @:NSDelegate n:selectedItem"),
    "NSTabViewItem": (
      "NSObject",
      "@:NSIdentifier @:NSLabel @:NSView @:NSColor n:state @:firstResponder @:NSTabView"
    ),
    "NSTableView": (
      "NSControl",
      "@:NSDataSource @:NSTableColumns @:NSGridColor @:NSBackgroundColor @:NSHeaderView @:NSCornerView @:NSDelegate @:NSTarget n n n:drawsGrid f:NSRowHeight s:NSDoubleAction S:NSIntercellSpacing n*4 [3] n [2] n [4] n [5] @ [6] n"
    ),
    "NSTableColumn": (
      "NSObject",
      "@:NSIdentifier f:NSWidth f:NSMinWidth f:NSMaxWidth n:NSIsResizeable n:NSIsEditable @:NSHeaderCell @:NSDataCell [3] @:sortDescriptor [4] @ @"
    ),
    "NSTextView": (
      "NSText",
      "@:NSDelegate n*11 @:NSBackgroundColor S:NSMinSize S:NSMaxSize n n [3] n [2] @:insertionPointColor S:containerSize n n [4] @*3 n"
    ),
    "NSWindow": (
      "NSResponder",
      "R:contentRect n:NSWindowStyleMask n:NSWindowBacking P:topLeft @:NSWindowView @:backgroundColor @:representedFile @:miniTitle @:NSWindowTitle S:NSMinSize S:NSMaxSize n:level n*9 @:miniImage @:firstResponder [4] @:toolbar"
    ),
    "NSPanel": ("NSWindow", "n*3"),
    // Cells
    "NSCell": (
      "NSObject",
      "@:NSContents @:NSImage @:NSFont @:objectValue n:hasAttributedContents n:isHighlighted n:isDisabled n:isEditable n:isRichText n:importsGraphics n:showsFirstResponder n:refusesFirstResponder n:sendsActionOnEndEditing n:isBordered n:isBezeled n:isScrollable n:isSelectable n:isContinuous n:allowsMixedState n:wraps n:alignment n:type n:imagePosition n:entryType n:state n:mnemonicLocation n:mouseDownFlags n:actionMask @:NSFormatter @:NSMenu @:representedObject [3] n:allowsUndo n:lineBreakMode n:controlTint n:controlSize n:focusRingType n:writingDirection [4] n:isSingleLine"
    ),
    "NSActionCell": ("NSCell", "n:NSTag @:NSTarget s:NSAction @"),
    "NSTextFieldCell": (
      "NSActionCell", "@:NSBackgroundColor @:NSTextColor n:NSDrawsBackground"
    ),
    "NSTableHeaderCell": ("NSTextFieldCell", ""),
    "NSButtonCell": (
      "NSActionCell",
      "@:NSKeyEquivalent @:keyEquivalentFont @:NSAlternateContents @:NSAlternateImage n:isTransparent n:modifiers n:highlightsBy n:showsStateBy [2] @:sound @:NSBackgroundColor [4] @:tint [2] f:NSPeriodicDelay f:NSPeriodicInterval n:bezelStyle n:gradientType n:dimsWhenDisabled n:showsBorderOnlyWhileInside"
    ),
    "NSMenuItemCell<2": ("NSButtonCell", "@:NSMenuItem [1] @:NSMenu"),
    "NSMenuItemCell": ("NSButtonCell", "@:NSMenuItem"),
    "NSPopUpButtonCell": (
      "NSMenuItemCell",
      "@:NSMenu @:selectedItem n:pullsDown n:preferredEdge n:usesItemFromMenu n:altersStateOfSelectedItem n:arrowPosition"
    ),
    "NSImageCell": ("NSCell", "n*3 [1] S:imageSize"),
    "NSSliderCell": (
      "NSActionCell",
      "f*3 n @:titleCell @:knobCell [2] n:NSAllowsTickMarkValuesOnly n:NSNumberOfTickMarks n:NSTickMarkPosition"
    ),
    "NSStepperCell": ("NSActionCell", "f*3 n n"),
    "NSFormCell": ("NSActionCell", "f:NSTitleWidth @:NSTitleCell"),
    // What they draw with, and menus
    "NSFont<3": ("NSObject", "@:NSName A:matrix [2] n"),
    "NSFont": ("NSObject", "n:role !@:NSName !A:matrix !n %f:NSSize"),
    "NSColor<3": (
      "NSObject", "f:red f:green f:blue f:alpha n @*3 f*8 n n"
    ),
    "NSColor": ("NSObject", "@:space $:components"),
    "NSImage": (
      "NSObject", "n:isNamed ?@:NSName !S:NSSize !@:NSColor !n*9 !@:NSReps"
    ),
    "NSImageRep": ("NSObject", "@:colorSpace S:NSSize n*5"),
    "NSBitmapImageRep": ("NSImageRep", "@:NSTIFFRepresentation"),
    "NSMenu": ("NSObject", "@:NSTitle @:NSMenuItems n:autoenablesItems"),
    "NSMenuItem<2": (
      "NSObject",
      "@:NSTitle @:NSKeyEquiv n:NSKeyEquivModMask n:NSMnemonicLoc n:NSState n:isEnabled @:NSImage @:NSOnImage @:NSOffImage @:NSMixedImage n:changesState @ s:NSAction n:NSTag @:representedObject @:NSSubmenu"
    ),
    "NSMenuItem": (
      "NSObject",
      "@:NSTitle @:NSKeyEquiv n:NSKeyEquivModMask n:NSMnemonicLoc n:NSState n:isEnabled @:NSImage @:NSOnImage @:NSOffImage @:NSMixedImage n:changesState s:NSAction n:NSTag @:representedObject @:NSSubmenu [2] @:NSTarget [3] n:isAlternate n:indentationLevel @:toolTip"
    ),
  ]

  /// The name of a class's superclass, which archives leave out once they have its record; nil of unknown classes.
  static func superclass(of name: String) -> String? { rows[name]?.superclass }

  /// What objects of a class write: the fields of the classes from the root on that are known, then that the next is not.
  static func steps(of number: Int, _ classes: [TypedClass]) -> [FieldLayout.Step] {
    var steps: [FieldLayout.Step] = []
    for type in classes.chain(of: number).reversed() {
      guard let row = row(type) else { return steps + [.unknown(type.name)] }
      let layout = FieldLayout(row)
      if layout.replacesSuperclass { steps = [] }
      steps += layout.steps(version: type.version)
    }
    return steps
  }

  private static func row(_ type: TypedClass) -> String? {
    for limit in 2...3 where type.version < limit {
      if let row = rows["\(type.name)<\(limit)"] { return row.notation }
    }
    return rows[type.name]?.notation
  }

  /// What a color writes after the name of its space.
  static func components(ofSpace name: String) -> [FieldLayout.Step] {
    let count =
      switch name {
      case "NSNamedColorSpace": 0
      case "NSPatternColorSpace": 1
      case "NSCalibratedWhiteColorSpace", "NSDeviceWhiteColorSpace",
        "NSCalibratedBlackColorSpace", "NSDeviceBlackColorSpace":
        2
      case "NSDeviceCMYKColorSpace": 5
      default: 7
      }
    return components[count]?.steps(version: 0) ?? []
  }

  /// The same by the types of the values.
  static func components(like letters: ArraySlice<UInt8>) -> [FieldLayout.Step] {
    let isText = letters.first == UInt8(ascii: "@")
    return components[isText ? 2 - letters.count : letters.count]?.steps(version: 0) ?? []
  }

  /// The components by their number, and the names of a color or a pattern.
  private static let components = [
    0: FieldLayout("@:NSCatalogName @:NSColorName"), 1: FieldLayout("@:NSImage"),
    2: FieldLayout("f:white f:alpha"),
    5: FieldLayout("f:cyan f:magenta f:yellow f:black f:alpha"),
    7: FieldLayout("f:red f:green f:blue f:hue f:saturation f:brightness f:alpha"),
  ]

  /// A run of an attributed string: where it ends, and its attributes; then the next.
  static let run = FieldLayout("n:end @:attributes ~:runs").steps(version: 0)
}
