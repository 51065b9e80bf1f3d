// The scenarios of the commands that edit values.

extension PairScenario {
  private static let common: [String: String?] = [
    "color": "always", "quiet": nil, "shared": nil, "copy": nil, "check": nil,
    "schema": "Movie@v1", "schema-file": "@/wide.json", "schemas": "@/schemas",
    "assert-formats": nil, "output": "@/old", "in-place": nil, "backup": ".bak", "dry-run": nil,
    "force": nil, "keep-times": nil, "journal": "@/new.journal", "no-journal": nil,
    "backup-dir": "@/kept", "wait": nil, "at": "$.blob",
  ]

  private static let unseen = [
    "wait": "no other run holds the folder",
    "schemas": "the schema that is detected is built in",
    "assert-formats": "the schemas of the inputs have no formats",
  ]

  /// The types of a value that is the same JSON in each.
  private static let types: [String: String?] = [
    "string": nil, "integer": nil, "real": nil, "bool": nil, "date": nil, "data": nil, "json": nil,
    "from": "@/in/cast",
  ]

  /// A command with operands for a movie that stays one, one that becomes invalid, an archive in which an object is
  /// shared, and a path that leads nowhere.
  private static func editing(
    _ command: String, file: String = "@/in/movie", valid: [String], invalid: [String],
    shared: [String], missing: [String],
    staysValid: Bool = true, _ more: [String: String?] = [:], contexts: [[String]] = []
  ) -> PairScenario {
    let operands = [
      [file] + valid, [file] + invalid, ["@/in/shared"] + shared,
      [file] + missing, ["@/in/nowhere"] + valid, ["@/in/blob"] + valid,
    ]
    let places = [
      [], ["--output=@/old"], ["--output=@/new"], ["--force"], ["--in-place"], ["--dry-run"],
      ["--check"], ["--check", "--in-place"], ["--check", "--dry-run"],
      ["--check", "--force"], ["--check", "--output=@/new"], ["--shared", "--in-place"],
      ["--output=@/old", "--check", "--schema=Movie@v2"],
      ["--output=@/old", "--check", "--schema-file=@/narrow.json"],
      ["--output=@/old", "--check", "--schema-file=@/wide.json"],
      ["--in-place", "--check", "--schema-file=@/wide.json"],
      ["--in-place", "--no-journal", "--check", "--schema-file=@/wide.json"],
      ["--dry-run", "--check", "--schema-file=@/wide.json"],
      ["--check", "--schema=Movie@v2"], ["--check", "--schema=Movie@v2", "--in-place"],
      ["--check", "--schema=Movie@v2", "--force"], ["--check", "--schema=Movie@v2", "--dry-run"],
      ["--check", "--schema=Movie@v2", "--output=@/new"],
      ["--check", "--schema-file=@/narrow.json"],
      ["--check", "--schema-file=@/narrow.json", "--in-place"],
      ["--check", "--schema-file=@/narrow.json", "--force"],
      ["--check", "--schema-file=@/narrow.json", "--dry-run"],
      ["--check", "--schema-file=@/narrow.json", "--output=@/new"],
      ["--in-place", "--no-journal"], ["--in-place", "--journal=@/other.journal"],
    ]
    return PairScenario(
      command: command, options: common.merging(more) { $1 },
      contexts: places.flatMap { place in operands.map { place + $0 } } + contexts,
      invisible: unseen.merging(more.isEmpty ? [:] : same) { $1 },
      allowed: (staysValid ? [] : [neverValid]) + [
        AllowedPairs(["dry-run"], with: ["quiet"], "what would change is data"),
        AllowedPairs(
          ["at"], with: ["quiet"], "the result is data, or there is no list to append to"),
        AllowedPairs(
          ["schema", "schema-file"], with: ["shared", "copy"],
          "the archive with a shared object has no schema"),
        AllowedPairs(
          Set(types.keys).union(["edits"]),
          with: [
            "check", "schema", "schema-file", "schemas", "assert-formats", "shared", "copy",
            "color", "at",
          ], "the movie has no values of these types, and what is shared is no matter of type"),
      ])
  }

  private static let neverValid = AllowedPairs(
    ["schema", "check"], with: Set(common.keys).union(types.keys),
    "after this edit the movie fits none of its versions")

  private static let same = [
    "json": "it is the default", "integer": "JSON says the same", "bool": "JSON says the same",
  ]

  private static let typed = [
    ["--string"], ["--integer"], ["--real"], ["--bool"], ["--data"], ["--date"], [],
  ].flatMap { type in
    ["1", "12345678", "true", "\"x\"", "2020-01-01T00:00:00Z"].flatMap { value in
      [[], ["--dry-run"], ["--output=@/new"], ["--in-place"], ["--force"]].map { place in
        type + place + ["@/in/movie", "name", value]
      }
    }
  }

  private static let parts = [[], ["--dry-run"], ["--output=@/new"], ["--in-place"], ["--force"]]
    .map {
      ["--from=@/in/movie"] + $0 + ["@/in/movie", "name"]
    }

  /// The same command lines for another path.
  private static func at(_ path: String) -> [[String]] {
    (typed + parts).map { words in words.map { $0 == "name" ? path : $0 } }
  }

  static let editing = [
    editing(
      "set", valid: ["name", "\"x\""], invalid: ["releaseYear", "\"x\""],
      shared: ["0.k", "\"w\""], missing: ["a.b", "1"],
      types.merging(["edits": "@/in/edits"]) { $1 },
      contexts: at("name") + [
        ["@/in/movie"], ["--in-place", "@/in/movie"], ["--dry-run", "@/in/movie"],
      ]),
    editing(
      "insert", valid: ["other", "\"x\""], invalid: ["other", "\"x\""], shared: ["0.l", "1"],
      missing: ["a.b", "1"], staysValid: false, types, contexts: at("other")),
    editing(
      "append", file: "@/in/cast", valid: ["cast", "\"x\""], invalid: ["cast", "\"x\""],
      shared: ["0.list", "1"], missing: ["a.b", "1"], staysValid: false, types,
      contexts: at("cast").map { words in words.map { $0 == "@/in/movie" ? "@/in/cast" : $0 } }),
    editing(
      "remove", valid: ["name"], invalid: ["name"], shared: ["0.k"], missing: ["a.b"],
      staysValid: false),
    editing(
      "rename-key", valid: ["name", "title"], invalid: ["name", "title"], shared: ["0.k", "l"],
      missing: ["a.b", "c"], staysValid: false),
    editing(
      "patch", valid: ["@/in/patch"], invalid: ["@/in/bad-patch"], shared: ["@/in/shared-patch"],
      missing: ["@/in/failing-patch"]),
    // What an editor does is tried in a test of its own.
    PairScenario(
      command: "edit", options: common, contexts: [["@/in/movie"]],
      invisible: Dictionary(uniqueKeysWithValues: common.keys.map { ($0, "there is no editor") })),
  ]
}
