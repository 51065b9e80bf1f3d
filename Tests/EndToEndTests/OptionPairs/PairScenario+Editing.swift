// The scenarios of the commands that edit values.

extension PairScenario {
  private static let common: [String: String?] = [
    "color": "always", "quiet": nil, "shared": nil, "copy": nil, "check": nil,
    "schema": "Movie@v2", "schema-file": "@/narrow.json", "schemas": "@/schemas",
    "assert-formats": nil, "output": "@/old", "in-place": nil, "backup": ".bak", "dry-run": nil,
    "force": nil, "keep-times": nil, "journal": "@/new.journal", "no-journal": nil,
    "backup-dir": "@/kept", "wait": nil,
  ]

  private static let unseen = [
    "wait": "no other run holds the folder",
    "schemas": "the schema that is detected is built in",
    "assert-formats": "the schemas of the inputs have no formats",
  ]

  /// The types of a value that is the same JSON in each.
  private static let types: [String: String?] = [
    "string": nil, "integer": nil, "real": nil, "bool": nil, "date": nil, "data": nil, "json": nil,
    "from": "@/in/b-trip",
  ]

  /// A command with operands for a movie that stays one, one that becomes invalid, an archive in which an object is
  /// shared, and a path that leads nowhere.
  private static func editing(
    _ command: String, valid: [String], invalid: [String], shared: [String], missing: [String],
    _ more: [String: String?] = [:], contexts: [[String]] = []
  ) -> PairScenario {
    let operands = [
      ["@/in/movie"] + valid, ["@/in/movie"] + invalid, ["@/in/shared"] + shared,
      ["@/in/movie"] + missing, ["@/in/nowhere"] + valid,
    ]
    let places = [
      [], ["--output=@/old"], ["--output=@/new"], ["--force"], ["--in-place"], ["--dry-run"],
      ["--check"], ["--check", "--in-place"], ["--check", "--dry-run"],
      ["--check", "--force"], ["--check", "--output=@/new"], ["--shared", "--in-place"],
      ["--in-place", "--no-journal"], ["--in-place", "--journal=@/other.journal"],
    ]
    return PairScenario(
      command: command, options: common.merging(more) { $1 },
      contexts: places.flatMap { place in operands.map { place + $0 } } + contexts,
      invisible: unseen.merging(more.isEmpty ? [:] : ["json": "it is the default"]) { $1 },
      allowed: [
        AllowedPairs(["dry-run"], with: ["quiet"], "what would change is data"),
        AllowedPairs(
          ["schema", "schema-file"], with: ["shared", "copy"],
          "the archive that is shared has no schema"),
      ])
  }

  private static let typed = [
    ["--string"], ["--integer"], ["--real"], ["--bool"], ["--data"], ["--date"], [],
  ].flatMap { type in
    ["1", "true", "AAE=", "2020-01-01T00:00:00Z", "\"x\""].flatMap { value in
      [[], ["--dry-run"], ["--output=@/new"], ["--in-place"]].map { place in
        type + place + ["@/in/movie", "name", value]
      }
    }
  }

  static let editing = [
    editing(
      "set", valid: ["name", "\"x\""], invalid: ["releaseYear", "\"x\""],
      shared: ["0.k", "\"w\""], missing: ["a.b", "1"],
      types.merging(["edits": "@/in/edits"]) { $1 },
      contexts: typed + [
        ["@/in/movie"], ["--in-place", "@/in/movie"], ["--dry-run", "@/in/movie"],
      ]),
    editing(
      "insert", valid: ["other", "\"x\""], invalid: ["other", "\"x\""], shared: ["0.l", "1"],
      missing: ["a.b", "1"], types, contexts: typed),
    editing(
      "append", valid: ["name", "\"x\""], invalid: ["name", "\"x\""], shared: ["0.list", "1"],
      missing: ["a.b", "1"], types, contexts: typed),
    editing(
      "remove", valid: ["name"], invalid: ["name"], shared: ["0.k"], missing: ["a.b"]),
    editing(
      "rename-key", valid: ["name", "title"], invalid: ["name", "title"], shared: ["0.k", "l"],
      missing: ["a.b", "c"]),
    editing(
      "patch", valid: ["@/in/patch"], invalid: ["@/in/bad-patch"], shared: ["@/in/shared-patch"],
      missing: ["@/in/failing-patch"]),
  ]
}
