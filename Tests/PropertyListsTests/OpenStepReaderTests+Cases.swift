// The inputs for the tests of the OpenStep reader.

import ArchiveBasics
import ArchiveGraph
import Foundation
import TestSupport

extension OpenStepReaderTests {
  /// What Foundation reads, and archtool reads the same.
  static let shared = [
    "a", "\"a\"", "'single'", "\"a b\"", "(a, b)", "(a, b,)", "( )", "()", "{}", "{ }", " (a)",
    "(\u{0B}a\u{0C})", "{a=b;}", "{ a = b; c = (1, 2, {d = e;}); }", "{ \"a b\" = 'c d'; }",
    "( \"\" )", "{\"\"=\"\";}", "/", "(/)", "(a//b)", "{a=b;a=c;}", "{a=\"b\nc\";}", "((((()))))",
    "(a/b, a.b, a:b, a-b, a_b, $a, -1, 1.5)",
    // Keys without values, and pairs without braces.
    "{a;}", "{a;b=c;}", "{a;a;}", "a = b;", "a;", "a;a;", "a = b; a;", "a = b; c;", "\"a\";b=c;",
    "\"a\" = \"b\"; \"c\" = \"d\";", "a = {b = c;}; d = (e);",
    // Dictionaries that only look like UIDs.
    "{CF$UID=x;}", "{CF$UID=\"-5\";}", "{CF$UID=\"\";}", "{CF$UID=5;a=b;}",
    "{CF$UID=99999999999999999999;}",
    // Comments, and the separators of Unicode.
    "/* nothing */", "// nothing", "/**/", "/* c */ \"a\" = \"b\"; // end", "// c\na = b;",
    "{ /* only */ }", "( /* only */ )", "(a, /* c */ b // d\n)", "(a, // d\r b)", "(a/ /**/)",
    "(a,\u{2028}b)", "(a,\u{2029}b)", "(a // c\u{2028} ,b)", "(\"/* a */\", '// b')",
    // Data.
    "<>", "<0a0b>", "<0a 0b>", "<0A0b 0C>", "(<00>, <ff>)", "{a = <0123 4567>;}",
    // Escapes.
    #""\a\b\f\n\r\t\v""#, #""\"\\\'""#, #"'\'"'"#, #""\q\8\e\x41\u0041""#, "\"\\\n\"",
    "(\"\\n\\\n\")", #""\101\102""#, #""\341\200\375""#, #""\0\1\12\1234""#, #""\U00e9\u00e9""#,
    #""\Ue9\UE\U0""#, #""\UD83D\UDE00\U1F600""#, #"{"\U00e9" = "\Ue9 ";}"#,
    // What is beyond ASCII stands as it is.
    "\"ü東🌦\"", "\"\\ü\\東\\🌦\\n\"", "{'ü' = \"e\u{301}\";}", "\u{FEFF}(a)",
  ]

  /// What archtool refuses, the code, and the byte that it names; Foundation refuses it too.
  static let refused: [(String, ArchiveError.Code, Int)] = [
    ("(a/*c*/b)", .malformed, 3), ("{a=;}", .malformed, 3),
    ("{=b;}", .malformed, 1), ("{a=b}", .malformed, 4), ("{a=b", .truncated, 4),
    ("(a b)", .malformed, 3), ("(a,,b)", .malformed, 3), ("(,)", .malformed, 1),
    ("(a", .truncated, 2), ("(", .truncated, 1), ("{", .truncated, 1), ("{a", .truncated, 2),
    ("{a=", .truncated, 3), ("(a,", .truncated, 3), ("<0a", .truncated, 0), ("<", .truncated, 0),
    ("<0a0>", .malformed, 4), ("<0g>", .malformed, 2), ("\"abc", .truncated, 0),
    ("(\"abc')", .truncated, 1), ("'a\\", .truncated, 0), ("('\\n", .truncated, 1),
    ("\"a\" = \"b\"", .truncated, 9), ("a = b", .truncated, 5), ("(a) b", .malformed, 4),
    ("(a))", .malformed, 3), ("{a=b;} c", .malformed, 7), ("{(a)=b;}", .malformed, 1),
    ("{<00>=b;}", .malformed, 1), ("a b", .malformed, 2), ("\"a\" \"b\"", .malformed, 4),
    ("{a = \"x\";;}", .malformed, 9), ("(\u{A0}a)", .malformed, 1), ("{a b}", .malformed, 3),
    (")", .malformed, 0), ("}", .malformed, 0), (";", .malformed, 0), ("=", .malformed, 0),
    ("{a)", .malformed, 2), ("(a}", .malformed, 2),
    // Scalars of GNUstep that are none: Foundation knows not one of them.
    ("<*I>", .malformed, 3), ("<*Ix>", .malformed, 3), ("<*I1.5>", .malformed, 3),
    ("<*I18446744073709551616>", .malformed, 3), ("<*I-9223372036854775809>", .malformed, 3),
    ("<*R>", .malformed, 3), ("<*Rx>", .malformed, 3),
    ("<*R1,5>", .malformed, 3), ("<*R0x1p3>", .malformed, 3), ("<*BX>", .malformed, 3),
    ("<*BYES>", .malformed, 3), ("<*B>", .malformed, 3), ("<*D2019>", .malformed, 3),
    ("<*D2019-13-01 00:00:00 +0000>", .malformed, 3), ("<*D2019-01-01 24:00:00>", .malformed, 3),
    ("<*D2019-01-01 00:00:00 +00>", .malformed, 3), ("<*D2019-01-01 00:00:00.>", .malformed, 3),
    ("<*Z5>", .malformed, 2), ("<*>", .malformed, 2), ("<*", .truncated, 0),
    ("<*I5", .truncated, 0), ("(<*I\"5>)", .truncated, 1), ("<*I\"5\"", .truncated, 6),
    ("<*I\"5\")", .malformed, 6), ("<[AQI=", .truncated, 0), ("<[AQI=]", .truncated, 7),
    ("<[AQI=])", .malformed, 7), ("<[A*Q]>", .malformed, 3),
    ("(<*R" + String(repeating: "1", count: 3000) + ">)", .malformed, 1),
  ]

  /// What archtool refuses where Foundation makes something up: an escape past \377 or without digits becomes
  /// U+0000, a comment without end is left out, and behind pairs without braces the rest is left out.
  static let refusedAlone: [(String, ArchiveError.Code, Int)] = [
    (#""\400""#, .malformed, 1), (#"("ab\777")"#, .malformed, 4), (#""\U""#, .malformed, 3),
    (#""\Ug""#, .malformed, 3), ("/* abc", .truncated, 0), ("a = b; }", .malformed, 7),
    ("a = b; ;", .malformed, 7),
  ]

  /// What archtool reads where Foundation does not, or not so.
  static let alone: [(String, SampleValue)] = [
    // GNUstep allows white space between any two digits; archtool comments as well.
    ("< 0 a >", .data([10])), ("<0a /* c */ 0b>", .data([10, 11])),
    // Two bytes have no character in NeXTSTEP's encoding: Foundation makes U+0000 of them.
    (#""\376\377""#, .string("\u{FFFD}\u{FFFD}")),
    // go-plist and GNUstep spell UIDs so.
    ("{CF$UID=5;}", .uid(5)), ("{\"CF$UID\" = <*I5>;}", .uid(5)),
    ("(a, {CF$UID=\"0\";})", .array([.string("a"), .uid(0)])),
    ("{CF$UID=4294967296;}", .uid(1 << 32)),
    // The types of GNUstep.
    ("<*I5>", .integer(5)), ("<*I-5>", .integer(-5)), ("<*I 5>", .integer(5)),
    ("<*I\"5\">", .integer(5)),
    ("<*I18446744073709551615>", .unsigned(.max)), ("<*I-9223372036854775808>", .integer(.min)),
    ("<*BY>", .boolean(true)), ("<*BN>", .boolean(false)), ("<*R1.5>", .real(1.5)),
    ("<*R-2>", .real(-2)), ("<*R1e300>", .real(1e300)), ("<*R\"0.1\">", .real(0.1)),
    ("<*Rnan>", .real(.nan)), ("<*R-inf>", .real(-.infinity)), ("<[AQI=]>", .data([1, 2])),
    ("<[]>", .data([])), ("<[AQ ID\n]>", .data([1, 2, 3])),
    (
      "{a=<*I5>;b=(<*BY>,<*BN>);}",
      .dictionary([
        ("a", .integer(5)), ("b", .array([.boolean(true), .boolean(false)])),
      ])
    ),
  ]

  /// Dates of GNUstep, and the same dates as Foundation's formatter spells them.
  static let dates: [(String, String)] = [
    ("2019-04-06 04:30:00 +0000", "2019-04-06T04:30:00Z"),
    ("2019-04-06 04:30:00", "2019-04-06T04:30:00Z"),
    ("2019-04-06T04:30:00Z", "2019-04-06T04:30:00Z"),
    ("2019-04-06 04:30:00 +0130", "2019-04-06T03:00:00Z"),
    ("2019-04-06 04:30:00 -01:30", "2019-04-06T06:00:00Z"),
    ("2000-02-29 23:59:59 +0000", "2000-02-29T23:59:59Z"),
    ("1969-12-31 23:59:59 +0000", "1969-12-31T23:59:59Z"),
    ("1582-12-31 00:00:00 +0000", "1582-12-31T00:00:00Z"),
    ("9999-12-31 23:59:59 +0000", "9999-12-31T23:59:59Z"),
  ]
}
