// Valid and invalid texts for formats: names of hosts, URIs, IRIs and templates.

import ArchiveSchemas

extension StringFormatTests {
  private static func run(_ text: String, _ count: Int) -> String {
    String(repeating: text, count: count)
  }

  /// 253 characters, the most that a name has.
  private static let longest = [run("a", 63), run("b", 63), run("c", 63), run("d", 61)]
    .joined(separator: ".")

  static let names = [
    Table(
      format: .hostname,
      accepted: [
        "a", "localhost", "www.example.com", "EXAMPLE.Com", "1.2.3.4", "3com.com", "a-b.c--d.e",
        "ab--cd.com", run("a", 63), longest, "xn--fsq470a.com", "XN--Fsq470a",
        "xn--4gbwdl.xn--wgbh1c",
        "xn--ihqwcrb4cv8a8dqg056pqjye",
      ],
      refused: [
        "", ".", "a.", ".a", "a..b", "-a", "a-", "a.-b", "a-.b", "a_b", "a b", "a/b", "a:80", "*.a",
        "é.com", "a。b", "\u{212A}elvin", run("a", 64), longest + "e", "[::1]", "xn--", "xn--X",
        "xn---", "xn--abc-", "xn--aa---o47jg78q", "xn--hello-txk", "xn--al-0ea", "xn--l-fda",
        "xn--11b2er09f", "xn--wva3j", "xn--vek", "xn--a", "a.xn--X.b",
      ]),
    Table(
      format: .internationalizedHostname,
      accepted: [
        "a", "www.example.com", "실례.테스트", "例え.jp", "ß.de", "ßς་〇", "faß.de", "παράδειγμα",
        "a。b．c｡d",
        "l·l", "α͵β", "͵β", "א׳ב", "א״ב", "・ぁ", "・ァ", "・丈", "ab・ア", "ب٠ب", "ب۰ب", "۰0", "क्‍ष", "क्‌ष",
        "بي‌بي", "۽۾", "xn--fsq470a.例え", "אב.com", "a.אב", "א1", run("a", 63), longest, "ab--cd",
      ],
      refused: [
        "", ".", "。", "a.", "a。", ".a", "｡a", "a..b", "a。.b", "-é", "é-", "ab--é", "é_", "é é", "É",
        "É.com",
        "ﬁ", "℡.com", "a·l", "·l", "l·a", "l·", "α͵S", "α͵", "׳ב", "a׳ב", "״ב", "・",
        "def・abc",
        "ب٠۰", "क‍ष", "‍ष", "क‌ष", "‌ष", "ـߺ", "〱〲〳〴〵〮〯〻", "〮한", "\u{301}a", "ःhello", "e\u{301}",
        "😀", "\u{378}", "é\u{0}", "xn--X", "xn--hello-txk", "אa", "aא", "1א", "1.א", "0a.א",
        "é1.1é.א",
        run("é", 63), run("a", 64), longest + "e", run("é.", 100) + "é" + run(".abcdefg", 10),
        "http://é.com", "é/b", "é:80",
      ]),
  ]

  private static let plainURIs = [
    "http://foo.bar/?baz=qux#quux", "http://foo.com/blah_(wikipedia)_blah#cite-1", "a:", "a:b",
    "A1+-.:",
    "http://foo.bar/?q=Test%20URL-encoded%20stuff", "http://xn--nw2a.xn--j6w193g/", "urn:a:b;c=d",
    "http://-.~_!$&'()*+,;=:%40:80%2f::::::@example.com", "http://223.255.255.254",
    "tel:+1-816-555-1212",
    "ftp://ftp.is.co.za/rfc/rfc1808.txt", "http://www.ietf.org/rfc/rfc2396.txt",
    "file:///etc/hosts",
    "ldap://[2001:db8::7]/c=GB?objectClass?one", "mailto:John.Doe@example.com", "http://a:80/",
    "http://a:",
    "http://", "http:///a", "news:comp.infosystems.www.servers.unix", "telnet://192.0.2.16:80/",
    "a:?#",
    "urn:oasis:names:specification:docbook:dtd:xml:4.1.2", "http://[v1.a:b]/", "http://[V1F.~]",
    "a:/b//c",
    "http://[::ffff:1.2.3.4]:8080/", "http://u:p@[::1]:1/", "http://a?b", "http://a#b",
    "http://999.1.1.1",
    "a://b@c?d@e:f/g?h#i?/j", "a:%41", "http://%41.com", "a:@:!$&'()*+,;=-._~",
  ]

  private static let neverReferences = [
    "\\\\WINDOWS\\fileshare", "#a#b", "http:// a", "http://a b", "http://a/<b>", "http://a/\"b\"",
    "http://a/{b}", "http://a/^", "http://a/`", "http://a/|", "http://a/[b]", "http://a?[b]",
    "http://a#[",
    "http://a\\b", "http://a:b", "http://a:80b", "http://[::1", "http://::1]", "http://[::1]a",
    "http://[::1]80", "http://[1]", "http://[fe80::1%25en0]", "http://[v.a]", "http://[v1.]",
    "http://[v1]",
    "http://[vg.a]", "http://[]", "http://a@b@c", "http://2001:db8::1", "a:%", "a:%4", "a:%4g", "%",
    "/%zz",
    "http://[::ffff:192.168.0.01]", "1a:b", "a_b:c", ":", "://a", ":a", "-a:b", "bar,baz:foo",
    "a b",
    "http://a/\u{7F}", "a:\u{0}", "http://[a]b@c", "http://a[b", "é:a",
  ]

  private static let beyondASCII = [
    "http://ƒøø.ßår/?∂éœ=πîx#πîüx", "http://é@é:1/é?é#é", "a:é", "http://例え.テスト/😀", "a:\u{A0}",
    "a:?\u{E000}", "a:?\u{F0000}", "a:\u{EFFFD}",
  ]

  private static let relative = [
    "", "/", "//", "//a", "//a:1/b", "/abc", "abc", "abc/d:e", "./a:b", "../..", "?q", "#f", "?q#f",
    "a?b:c",
    "a#b:c", "//[::1]/", "%41", "a//b", "///", "/:", "@", ";a=b",
  ]

  private static let relativeBeyondASCII = ["é", "//é", "/é?é#é", "#ƒrägmênt", "âππ"]

  private static let neverIRIs = [
    "a:\u{80}", "a:\u{FFFE}", "a:" + String(decoding: [0xEF, 0xB7, 0x90], as: UTF8.self),
    "a:\u{1FFFF}", "a:\u{E0001}", "a:\u{10FFFE}",
    "a:\u{E000}",
    "a:#\u{E000}", "http://\u{E000}/", "/\\é", "http://é|", "a:?\u{FFFF}",
  ]

  static let references = [
    Table(
      format: .uri, accepted: plainURIs,
      refused: neverReferences + relative + beyondASCII + relativeBeyondASCII + neverIRIs),
    Table(
      format: .uriReference, accepted: plainURIs + relative,
      refused: neverReferences + beyondASCII + relativeBeyondASCII + neverIRIs),
    Table(
      format: .iri, accepted: plainURIs + beyondASCII,
      refused: neverReferences + relative + relativeBeyondASCII + neverIRIs),
    Table(
      format: .iriReference, accepted: plainURIs + relative + beyondASCII + relativeBeyondASCII,
      refused: neverReferences + neverIRIs),
    Table(
      format: .uriTemplate,
      accepted: [
        "", "http://example.com/dictionary/{term:1}/{term}", "http://example.com/dictionary", "{a}",
        "{a,b}",
        "dictionary/{term:1}/{term}", "{+a}", "{#a}", "{.a}", "{/a}", "{;a}", "{?a,b}", "{&a}",
        "{=a}",
        "{a*}", "{?list*}", "{a:9999}", "{a.b.c}", "{a_1}", "{%41b}", "{/a,b:3,c*}", "a%20b",
        "é{a}", "😀",
        "\u{E000}", "[a]", "#$&()*+,;=:@!~?/._-", "{1}", "{|a}", "{!a}", "{@a}", "{,a}",
      ],
      refused: [
        "{", "}", "{}", "{a", "a}", "{a}}", "{{a}}", "{a{b}}", "{a b}", "{a,}", "{,}", "{a,,b}",
        "{+}",
        "{-a}", "{$a}", "{a:}", "{a:0}", "{a:01}", "{a:10000}", "{a:x}", "{a:1*}", "{a**}", "{*}",
        "{:1}",
        "{.}", "{a.}", "{a..b}", "{a-b}", "{é}", "{a%}", "{a%4}", "{%zz}", "a b", "\"", "'", "<a>",
        "a\\b",
        "^", "`", "|", "%", "%4", "%zz", "\n", "\u{7F}", "\u{80}", "\u{FFFE}", "{++a}",
      ]),
  ]
}
