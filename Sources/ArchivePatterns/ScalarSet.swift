// Sets of Unicode scalars, as the classes of a regular expression name them.

/// Scalars in ranges and by property.
struct ScalarSet: Equatable {
  var ranges: [ClosedRange<UInt32>]
  var properties: [UnicodeProperty] = []
  var isNegated = false

  static let last: UInt32 = 0x10_FFFF
  /// Code points that no text contains: UTF-8 has no surrogates.
  private static let surrogates: ClosedRange<UInt32> = 0xD800...0xDFFF

  init(_ ranges: [ClosedRange<UInt32>]) { self.ranges = ranges }

  init(_ property: UnicodeProperty) {
    ranges = []
    properties = [property]
  }

  static let all = ScalarSet([0...last])

  /// `\d`: ECMA-262, CharacterClassEscape.
  static let digits = ScalarSet([0x30...0x39])

  /// `\w`.
  static let word = ScalarSet([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])

  /// What matches `\w` if case is ignored: U+017F folds to s, U+212A to k.
  static let wordIgnoringCase = ScalarSet(word.ranges + [0x17F...0x17F, 0x212A...0x212A])

  /// `\s`: ECMA-262's WhiteSpace (with U+FEFF and the category Zs) and LineTerminator.
  static let space = ScalarSet([
    0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029,
    0x202F...0x202F, 0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
  ])

  /// ECMA-262's LineTerminator.
  static let lineTerminators = ScalarSet([0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029])

  /// The scalars that are not in the set; its ranges are in order and by no property.
  var complement: ScalarSet {
    var gaps: [ClosedRange<UInt32>] = []
    var next: UInt32 = 0
    for range in ranges {
      if range.lowerBound > next { gaps.append(next...range.lowerBound - 1) }
      next = range.upperBound + 1
    }
    if next <= Self.last { gaps.append(next...Self.last) }
    return ScalarSet(gaps)
  }

  mutating func formUnion(_ other: ScalarSet) {
    ranges += other.ranges
    properties += other.properties
  }

  /// The set in PCRE2's syntax.
  var translation: String {
    var items = ""
    for range in ranges.compactMap(Self.withoutSurrogates) {
      items += Self.escape(range.lowerBound)
      if range.count > 1 { items += "-" + Self.escape(range.upperBound) }
    }
    for property in properties { items += property.translation }
    if items.isEmpty {
      // An empty class is written as one that excludes, or includes, everything.
      return isNegated ? "[\\x{0}-\\x{10ffff}]" : "[^\\x{0}-\\x{10ffff}]"
    }
    return (isNegated ? "[^" : "[") + items + "]"
  }

  /// A scalar so that it means itself, in a class and out of it.
  static func escape(_ scalar: UInt32) -> String {
    switch scalar {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A:
      Unicode.Scalar(scalar).map { String(Character($0)) } ?? ""
    default: "\\x{" + String(scalar, radix: 16) + "}"
    }
  }

  /// PCRE2 takes no surrogate as an end of a range.
  private static func withoutSurrogates(_ range: ClosedRange<UInt32>) -> ClosedRange<UInt32>? {
    let lower = surrogates.contains(range.lowerBound) ? 0xE000 : range.lowerBound
    let upper = surrogates.contains(range.upperBound) ? 0xD7FF : range.upperBound
    return lower <= upper ? lower...upper : nil
  }
}

// MARK: - The properties of `\p{…}`

struct UnicodeProperty: Equatable {
  /// The name as PCRE2 knows it.
  let name: String
  var isNegated = false

  /// The property in PCRE2's syntax.
  var translation: String { (isNegated ? "\\P{" : "\\p{") + name + "}" }

  /// Looks up the text between the braces; nil if ECMA-262 has no such property.
  ///
  /// Names are exact: other than Unicode's loose matching, case and underscores count.
  init?(_ expression: String) {
    let parts = expression.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
    guard let last = parts.last, parts.count <= 2 else { return nil }
    switch parts.count == 2 ? parts[0] : nil {
    case nil where last == "Assigned": (name, isNegated) = ("Cn", true)
    case nil where Self.binary.contains(last): name = last
    case nil, "General_Category", "gc":
      guard let category = Self.categories[last] else { return nil }
      name = category
    case "Script", "sc":
      guard Self.scripts.contains(last) else { return nil }
      name = "sc:" + last
    case "Script_Extensions", "scx":
      guard Self.scripts.contains(last) else { return nil }
      name = "scx:" + last
    default: return nil
    }
  }

  /// The general categories with all their names; PCRE2 knows the first of each.
  private static let categories: [String: String] = {
    var table: [String: String] = [:]
    let lines = """
      C/Other Cc/Control/cntrl Cf/Format Cn/Unassigned Co/Private_Use Cs/Surrogate L/Letter
      L&/LC/Cased_Letter Ll/Lowercase_Letter Lm/Modifier_Letter Lo/Other_Letter
      Lt/Titlecase_Letter Lu/Uppercase_Letter M/Mark/Combining_Mark Mc/Spacing_Mark
      Me/Enclosing_Mark Mn/Nonspacing_Mark N/Number Nd/Decimal_Number/digit Nl/Letter_Number
      No/Other_Number P/Punctuation/punct Pc/Connector_Punctuation Pd/Dash_Punctuation
      Pe/Close_Punctuation Pf/Final_Punctuation Pi/Initial_Punctuation Po/Other_Punctuation
      Ps/Open_Punctuation S/Symbol Sc/Currency_Symbol Sk/Modifier_Symbol Sm/Math_Symbol
      So/Other_Symbol Z/Separator Zl/Line_Separator Zp/Paragraph_Separator Zs/Space_Separator
      """
    for entry in lines.split(whereSeparator: \.isWhitespace) {
      let names = entry.split(separator: "/").map(String.init)
      for name in names where name != "L&" { table[name] = names[0] }
    }
    return table
  }()

  /// The binary properties, long names and short; `Assigned` apart.
  private static let binary = names(
    """
    ASCII ASCII_Hex_Digit AHex Alphabetic Alpha Any Bidi_Control Bidi_C Bidi_Mirrored Bidi_M
    Case_Ignorable CI Cased Changes_When_Casefolded CWCF Changes_When_Casemapped CWCM
    Changes_When_Lowercased CWL Changes_When_NFKC_Casefolded CWKCF Changes_When_Titlecased CWT
    Changes_When_Uppercased CWU Dash Default_Ignorable_Code_Point DI Deprecated Dep Diacritic Dia
    Emoji Emoji_Component EComp Emoji_Modifier EMod Emoji_Modifier_Base EBase
    Emoji_Presentation EPres Extended_Pictographic ExtPict Extender Ext Grapheme_Base Gr_Base
    Grapheme_Extend Gr_Ext Hex_Digit Hex IDS_Binary_Operator IDSB IDS_Trinary_Operator IDST
    ID_Continue IDC ID_Start IDS Ideographic Ideo Join_Control Join_C Logical_Order_Exception LOE
    Lowercase Lower Math Noncharacter_Code_Point NChar Pattern_Syntax Pat_Syn
    Pattern_White_Space Pat_WS Quotation_Mark QMark Radical Regional_Indicator RI
    Sentence_Terminal STerm Soft_Dotted SD Terminal_Punctuation Term Unified_Ideograph UIdeo
    Uppercase Upper Variation_Selector VS White_Space space XID_Continue XIDC XID_Start XIDS
    """)

  /// The scripts of Unicode 15, short names and long.
  private static let scripts = names(
    """
    Zzzz Unknown
    Adlm Adlam Aghb Caucasian_Albanian Ahom Arab Arabic Armi Imperial_Aramaic Armn Armenian Avst
    Avestan Bali Balinese Bamu Bamum Bass Bassa_Vah Batk Batak Beng Bengali Bhks Bhaiksuki Bopo
    Bopomofo Brah Brahmi Brai Braille Bugi Buginese Buhd Buhid Cakm Chakma Cans
    Canadian_Aboriginal Cari Carian Cham Cher Cherokee Chrs Chorasmian Copt Coptic Qaac Cpmn
    Cypro_Minoan Cprt Cypriot Cyrl Cyrillic Deva Devanagari Diak Dives_Akuru Dogr Dogra Dsrt
    Deseret Dupl Duployan Egyp Egyptian_Hieroglyphs Elba Elbasan Elym Elymaic Ethi Ethiopic Geor
    Georgian Glag Glagolitic Gong Gunjala_Gondi Gonm Masaram_Gondi Goth Gothic Gran Grantha Grek
    Greek Gujr Gujarati Guru Gurmukhi Hang Hangul Hani Han Hano Hanunoo Hatr Hatran Hebr Hebrew
    Hira Hiragana Hluw Anatolian_Hieroglyphs Hmng Pahawh_Hmong Hmnp Nyiakeng_Puachue_Hmong Hung
    Old_Hungarian Ital Old_Italic Java Javanese Kali Kayah_Li Kana Katakana Khar Kharoshthi Khmr
    Khmer Khoj Khojki Kits Khitan_Small_Script Knda Kannada Kthi Kaithi Lana Tai_Tham Laoo Lao
    Latn Latin Lepc Lepcha Limb Limbu Lina Linear_A Linb Linear_B Lisu Lyci Lycian Lydi Lydian
    Mahj Mahajani Maka Makasar Mand Mandaic Mani Manichaean Marc Marchen Medf Medefaidrin Mend
    Mende_Kikakui Merc Meroitic_Cursive Mero Meroitic_Hieroglyphs Mlym Malayalam Modi Mong
    Mongolian Mroo Mro Mtei Meetei_Mayek Mult Multani Mymr Myanmar Nand Nandinagari Narb
    Old_North_Arabian Nbat Nabataean Newa Nkoo Nko Nshu Nushu Ogam Ogham Olck Ol_Chiki Orkh
    Old_Turkic Orya Oriya Osge Osage Osma Osmanya Ougr Old_Uyghur Palm Palmyrene Pauc Pau_Cin_Hau
    Perm Old_Permic Phag Phags_Pa Phli Inscriptional_Pahlavi Phlp Psalter_Pahlavi Phnx Phoenician
    Plrd Miao Prti Inscriptional_Parthian Rjng Rejang Rohg Hanifi_Rohingya Runr Runic Samr
    Samaritan Sarb Old_South_Arabian Saur Saurashtra Sgnw SignWriting Shaw Shavian Shrd Sharada
    Sidd Siddham Sind Khudawadi Sinh Sinhala Sogd Sogdian Sogo Old_Sogdian Sora Sora_Sompeng Soyo
    Soyombo Sund Sundanese Sylo Syloti_Nagri Syrc Syriac Tagb Tagbanwa Takr Takri Tale Tai_Le
    Talu New_Tai_Lue Taml Tamil Tang Tangut Tavt Tai_Viet Telu Telugu Tfng Tifinagh Tglg Tagalog
    Thaa Thaana Thai Tibt Tibetan Tirh Tirhuta Tnsa Tangsa Toto Ugar Ugaritic Vaii Vai Vith
    Vithkuqi Wara Warang_Citi Wcho Wancho Xpeo Old_Persian Xsux Cuneiform Yezi Yezidi Yiii Yi
    Zanb Zanabazar_Square Zinh Inherited Qaai Zyyy Common Kawi Nag_Mundari Nagm
    """)

  private static func names(_ list: String) -> Set<String> {
    Set(list.split(whereSeparator: \.isWhitespace).map(String.init))
  }
}
