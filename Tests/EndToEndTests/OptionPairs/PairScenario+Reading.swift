// The scenarios of the commands that read archives.

extension PairScenario {
  /// Every command but `help`, which has no options of its own that are shown.
  static let all = reading + rewriting + editing + others

  static let selection: [String: String?] = [
    "recursive": nil, "include": "*b*", "exclude": "b-[ft]*", "files-from": "@/list", "null": nil,
    "color": "always", "quiet": nil,
  ]

  static let listing = AllowedPairs(
    ["null"], with: ["files-from"], "a list of one path has no ends")

  private static let mixed = [
    "@/in/movie", "@/in/blob-broken", "@/in/broken", "@/in/five.json", "@/in/b-five.json",
    "@/in/twice.plist", "@/in/b-twice.plist", "@/in/blob", "@/in/trip", "@/in/b-trip",
    "@/in/blob-trip", "@/in/sub", "@/in/z.gz",
  ]

  private static let judged = [
    "@/in/errors.json", "@/in/b-errors.json", "@/in/format.json", "@/in/b-format.json",
    "@/in/five.json", "@/in/b-five.json", "@/in/movie", "@/in/b-orphan", "@/in/b-faults",
    "@/in/x.png", "@/in/sub", "@/in/broken",
  ]
  private static let inner = [
    "@/in/blob-wrong", "@/in/blob-lint", "@/in/blob-format", "@/in/blob", "@/in/blob-faults",
  ]

  /// The options of every run over many files.
  static let batch: [String: String?] = [
    "jobs": "1", "fail-fast": nil, "report": "@/report", "no-progress": nil,
  ]

  /// The options for records.
  static let records: [String: String?] = ["records": nil, "data-key": "archive"]

  /// Options that do not concern records.
  static let answered = AllowedPairs(
    ["records", "data-key"], with: ["color", "quiet"], "answers are data; nothing else is said")

  private static let meant = AllowedPairs(
    ["format"], with: ["records", "data-key"], "these mean the format")

  /// Those of them that change no result.
  static let hidden = [
    "jobs": "the results are the same", "skip": "no byte is skipped, since no input begins later",
    "no-progress": "there is progress only after seconds, or on a terminal",
  ]

  static let reading = [
    PairScenario(
      command: "dump",
      options: selection.merging(
        [
          "at": "$.blob", "format": "json", "typed": nil, "raw": nil, "depth": "1",
          "references": nil, "max-items": "1", "width": "1",
          "time-zone": "+02:00", "no-nested": nil, "compact": nil, "offsets": nil,
          "hex": "$.blob.name", "recover": nil,
          "unreachable": nil,
          "json5": nil, "skip": "0", "output": "@/old", "output-dir": "@/out", "extension": "new",
          "force": nil,
          "archives-only": nil,
        ].merging(batch) { $1 }.merging(records) { $1 }
      ) { $1 },
      contexts: [
        ["-r", "@/dates"] + mixed, ["@/dates/dates.plist", "@/in/sub"], ["@/dates/dates.plist"],
        ["--output=@/old", "@/dates/dates.plist"], ["--files-from=@/list0", "@/dates/dates.plist"],
        mixed, ["--output-dir=@/out"] + mixed, ["--output-dir=@/in", "@/in/movie", "@/in/blob"],
        ["--output-dir=@/in/sub", "--force", "@/in/sub"],
        ["@/in/blob", "@/in/blob-cut", "@/in/blob-twice", "@/in/blob-nested", "@/in/sub"],
        ["@/in/blob-nested", "@/in/movie", "@/in/stream"],
        ["@/in/attributed", "@/in/b-attributed", "@/in/sub"],
        ["--files-from=@/list-attributed", "@/in/b-attributed"], ["@/in/blob", "@/in/sub"],
        ["--files-from=@/folders0"], ["--output=@/old"] + mixed, ["--force"] + mixed,
        ["--files-from=@/list0"],
        ["--files-from=@/list0", "--output=@/old"], ["@/in/z.gz", "@/in/b-z.gz"],
        ["@/in/x.png", "@/in/b-x.png", "@/in/blob", "@/in/blob-nested"],
        ["@/in/stray", "@/in/b-stray"], ["@/in/blob-orphan", "@/in/b-orphan"],
        ["--records"],
        ["--records", "--at=$.blob"],
        ["--records", "--unreachable"],
        ["--records", "--no-nested"],
        ["--records", "--recover"],
      ],
      invisible: hidden,
      allowed: [
        answered, meant,
        AllowedPairs(
          ["format"], with: ["typed", "compact", "references"], "these mean the format"),
      ]),
    PairScenario(
      command: "info",
      options: selection.merging(
        [
          "at": "$.blob", "schemas": "@/schemas", "json5": nil, "skip": "0", "format": "json",
          "archives-only": nil, "recover": nil,
        ]
        .merging(batch) { $1 }.merging(records) { $1 }
      ) { $1 },
      contexts: [
        mixed, ["--files-from=@/folders0"], ["@/in/sub"], ["@/in/blob-trip"],
        ["--files-from=@/list0"],
        ["@/in/x.png", "@/in/b-x.png", "@/in/sub/b-x.png", "@/in/b-trip", "@/in/twice.plist"],
        ["@/in/x.png", "@/in/b-x.png", "@/in/sub/x.png", "@/in/b-five.json"],
        ["@/in/blob-trip", "@/in/blob-twice", "@/in/x.png", "@/in/b-x.png"],
        ["@/in/b-trip", "@/in/broken", "@/in/movie"],
        ["--records"],
        ["--records", "--at=$.blob"],
      ], invisible: hidden,
      allowed: [
        answered, meant,
      ]),
    PairScenario(
      command: "query",
      options: selection.merging(
        [
          "format": "json", "typed": nil, "all-paths": nil, "first": nil, "count": nil,
          "exists": nil, "column": "a=@.*", "csv-plain": nil, "time-zone": "+02:00",
          "recover": nil, "json5": nil, "skip": "0", "archives-only": nil,
        ].merging(batch) { $1 }.merging(records) { $1 }
      ) { $1 },
      contexts: [
        ["$..*", "-r", "@/dates"] + mixed, ["$..*", "@/dates/dates.plist"],
        ["$..*", "--format=csv", "@/dates/dates.plist", "@/in/sub"], ["$", "@/dates/dates.plist"],
        ["--files-from=@/list0", "$..*", "@/dates/dates.plist"],
        ["$..*"] + mixed, ["--files-from=@/folders0", "$..*"], ["$..*", "@/in/movie"],
        ["$..*", "@/in/five.json", "@/in/b-five.json", "@/in/sub"],
        ["$.a", "@/in/five.json"], ["--files-from=@/list0", "$..*"], ["$..*", "@/graphs/nib"],
        ["$..*", "@/in/x.png", "@/in/b-x.png", "@/in/blob", "@/in/b-trip", "@/in/sub/b-x.png"],
        ["--records", "$..*"],
        ["--records", "$.a"],
        ["--records", "--data-key=archive", "$..*"],
      ], invisible: hidden,
      allowed: [
        answered, meant,
        AllowedPairs(["format"], with: ["typed", "column", "csv-plain"], "these mean the format"),
      ]),
    PairScenario(
      command: "find",
      options: selection.merging(
        [
          "class": "NS*", "key": "[ab]*", "text": "a", "ignore-case": nil, "value": "1",
          "type": "dictionary",
          "between": "..2010-01-01", "time-zone": "+02:00", "csv-plain": nil, "typed": nil,
          "format": "json", "all-paths": nil, "files-with-matches": nil, "count": nil,
          "recover": nil, "json5": nil, "skip": "0", "archives-only": nil,
        ].merging(batch) { $1 }.merging(records) { $1 }
      ) { $1 },
      contexts: [
        ["--type=date", "-r", "@/dates"] + mixed, ["--key=*", "@/dates/dates.plist"],
        ["--between=..2010-01-01", "--type=date", "@/dates/dates.plist", "@/in/sub"],
        ["--between=2009-01-01..", "@/dates/dates.plist", "@/dates/sub/z.plist"],
        ["--files-from=@/list0", "--key=*", "@/dates/dates.plist"],
        ["--type=string"] + mixed, ["--class=*"] + mixed, ["--key=*", "@/in/movie"],
        ["--type=integer", "@/in/five.json", "@/in/b-five.json", "@/in/sub"],
        ["--files-from=@/folders0", "--key=*"], ["--files-from=@/list0", "--key=*"],
        ["--class=UI*", "@/graphs/nib"], ["--text=A", "@/in/movie"],
        ["--records", "--type=string"],
        ["--records", "--class=*"],
        ["--records", "--key=*"],
        ["--records", "--type=integer"],
      ], invisible: hidden,
      allowed: [
        answered, meant,
        AllowedPairs(["format"], with: ["typed", "csv-plain"], "these mean the format"),
        AllowedPairs(
          ["time-zone"], with: ["format", "typed", "count", "files-with-matches"],
          "days of --between are days of the zone"),
        AllowedPairs(
          ["between", "time-zone"], with: ["class", "text", "value"],
          "all conditions count, and no date of these files meets the others"),
      ]),
    PairScenario(
      command: "classes",
      options: selection.merging(
        [
          "format": "json", "allow": "@/classes", "recover": nil, "json5": nil,
          "skip": "0", "archives-only": nil,
        ].merging(batch) { $1 }.merging(records) { $1 }
      ) { $1 },
      contexts: [
        mixed, ["@/in/lint", "@/in/b-lint", "@/in/wrong", "@/in/b-wrong", "@/in/blob", "@/in/sub"],
        ["--files-from=@/folders0"],
        ["--files-from=@/list0"], ["@/in/five.json", "@/in/b-five.json"],
        ["--records"],
      ], invisible: hidden,
      allowed: [
        answered, meant,
        AllowedPairs(["quiet"], with: ["include"], "the files that are included have no notes"),
      ]),
    PairScenario(
      command: "scan",
      options: selection.merging(
        [
          "only": "binary*", "extract": "@/extracted", "schemas": "@/schemas",
          "format": "json", "csv-plain": nil,
        ].merging(batch) { $1 }
      ) { $1 },
      contexts: [
        mixed, ["@/formula"], ["@/in"], ["--files-from=@/folders0"], ["--files-from=@/list0"],
        ["@/in/x.png", "@/in/b-x.png", "@/in/blob-trip", "@/in/b-trip", "@/in/broken", "@/in/sub"],
        ["@/in/nothing", "@/in/movie"], ["--files-from=@/list0", "@/in/nothing"],
      ], invisible: hidden.merging(["recursive": "folders are read anyway"]) { $1 }),
    PairScenario(
      command: "diff",
      options: [
        "color": "always", "quiet": nil, "format": "json", "stat": nil, "ignore": "$..a",
        "tolerance": "100", "key-by": "a", "json5": nil, "recursive": nil, "max-lines": "1",
        "strict": nil, "include": "*.json", "exclude": "b*",
      ].merging(batch) { $1 },
      contexts: [
        ["-r", "@/diff/old", "@/diff/new"], ["@/diff/old/rows.json", "@/diff/new/rows.json"],
        ["@/diff/old/a-five.json", "@/diff/new/a-five.json"], ["@/diff/old", "@/diff/new"],
        ["@/diff/old/number.json", "@/diff/new/number.json"],
      ], invisible: hidden),
    PairScenario(
      command: "get",
      options: selection.merging(
        [
          "format": "json", "typed": nil, "compact": nil, "bytes": nil, "type": nil,
          "expect": "array", "default": "x", "json5": nil, "skip": "0", "output": "@/old",
          "force": nil, "at": "$.blob", "archives-only": nil,
        ].merging(batch) { $1 }.merging(records) { $1 }
      ) { $1 },
      contexts: [
        ["-r", "@/dates"] + mixed + ["$"], ["--output=@/new", "@/in/z.gz", "$"],
        mixed + ["name"], mixed + ["$"], ["@/in/sub", "$"], ["-r", "@/dates", "$"],
        ["--files-from=@/folders0", "$"], ["--files-from=@/list0", "$"], ["@/in/sub", "name"],
        ["@/in/five.json", "@/in/b-five.json", "a"], ["@/in/blob", "@/in/b-trip", "name"],
        ["@/in/blob", "@/in/b-trip", "$"], ["@/in/blob-twice", "@/in/blob", "nowhere"],
        ["@/in/movie", "name"], ["@/in/movie", "$"], ["@/in/movie", "nowhere"],
        ["@/in/five.json", "a"], ["--output=@/old", "@/in/movie", "name"],
        ["--force", "@/in/movie", "name"], ["--output=@/new", "@/in/movie", "nowhere"],
        ["@/in/twice.plist", "$"], ["@/in/sub/current", "$"], ["@/in/blob", "name"],
        ["@/in/blob", "$"], ["@/in/blob", "nowhere"], ["--output=@/old", "@/in/blob", "name"],
        ["--force", "@/in/blob", "name"], ["--output=@/new", "@/in/blob", "nowhere"],
        ["--records", "$"],
        ["--records", "name"],
        ["--records", "nowhere"],
        ["--records", "--at=$.blob", "name"], ["--records", "blob"],
        ["--records", "a"],
      ],
      invisible: hidden,
      allowed: [
        answered, meant,
        AllowedPairs(["format"], with: ["typed", "compact"], "these mean the format"),
      ]),
    PairScenario(
      command: "validate",
      options: selection.merging(
        [
          "at": "$.blob", "schema": "Itinerary@v3", "schema-file": "@/any.schema.json",
          "schemas": "@/schemas", "assert-formats": nil, "require-schema": nil, "format-only": nil,
          "lint": nil, "rule": "unreachable-object=note", "fail-on": "note",
          "allow-classes": "@/classes", "format": "ndjson", "structure": "detailed", "explain": nil,
          "max-errors": "3", "json5": nil, "allow-empty": nil,
          "archives-only": nil, "recover": nil,
        ].merging(batch) { $1 }.merging(records) { $1 }
      ) { $1 },
      contexts: [
        [
          "@/in/b-errors.json", "@/in/movie", "@/in/broken", "@/in/five.json", "@/in/b-five.json",
          "@/in/twice.plist", "@/in/b-twice.plist", "@/in/blob", "@/in/wrong", "@/in/b-wrong",
          "@/in/lint", "@/in/b-lint", "@/in/b-trip", "@/in/trip", "@/in/sub",
        ],
        [
          "--schemas=@/schemas", "--schemas=@/schemas", "--schema-file=@/any.schema.json",
          "@/in/b-errors.json", "@/in/errors.json",
          "@/in/format.json", "@/in/b-format.json", "@/in/five.json", "@/in/b-five.json",
          "@/in/movie", "@/in/b-twice.plist", "@/in/sub",
        ],
        [
          "--schema-file=@/ref.schema.json", "@/in/b-errors.json", "@/in/movie", "@/in/lint",
          "@/in/five.json", "@/in/sub",
        ],
        ["@/in/blob-wrong", "@/in/blob-lint", "@/in/blob-twice", "@/in/movie", "@/in/blob-trip"],
        [
          "--schemas=@/schemas", "--schema-file=@/any.schema.json", "@/in/blob-wrong",
          "@/in/blob-lint",
          "@/in/blob-format",
        ],
        ["--include=none", "@/in/movie"],
        ["--schema-file=@/ref.schema.json", "--include=none", "@/in/movie"],
        ["@/in/lint", "@/in/movie", "@/in/b-lint"], ["@/in/sub"],
        ["--lint", "@/in/lint", "@/in/movie", "@/in/b-lint"],
        ["--schemas=@/schemas", "--lint", "@/in/twofold-trip"],
        ["--schemas=@/schemas", "--format=ndjson", "--schema-file=@/any.schema.json"] + judged,
        ["--schema-file=@/any.schema.json"] + judged, ["--format=ndjson"] + judged,
        ["--format=ndjson", "--schemas=@/schemas"] + judged,
        ["--format=ndjson", "--include=none", "--schemas=@/schemas", "@/in/errors.json"],
        ["--format=ndjson", "--schema-file=@/any.schema.json", "--at=$.blob"] + inner,
        [
          "--schemas=@/schemas", "--format=ndjson", "--schema-file=@/any.schema.json",
          "--at=$.blob",
        ]
          + inner,
        ["--schemas=@/schemas", "--format=ndjson", "--schema-file=@/any.schema.json"]
          + ["--files-from=@/list0"],
        ["--schemas=@/schemas"] + judged,
        ["--schemas=@/schemas", "--at=$.blob", "@/in/blob-trip"] + inner,
        ["--at=$.blob"] + inner, ["--files-from=@/folders0"],
        ["--files-from=@/list0"], ["--files-from=@/list0", "--include=none"], ["--include=none"],
        ["--schemas=@/schemas", "--files-from=@/list0", "--schema-file=@/any.schema.json"],
        ["--format-only", "@/in/b-faults", "@/in/movie"], ["--format-only", "@/in/broken"],
        ["@/in/b-faults", "@/in/movie"],
        ["@/in/trip", "@/in/b-trip"], ["@/in/sub/current", "@/in/b-five.json", "@/in/movie"],
        ["--schema=Itinerary", "@/in/trip", "@/in/movie"],
        ["--schemas=@/schemas", "--schema=Itinerary", "@/in/trip", "@/in/movie"],
        ["--records"], ["--records", "--schemas=@/schemas", "--schema-file=@/any.schema.json"], [],
        ["--schemas=@/schemas"], ["--schemas=@/schemas", "--schema-file=@/any.schema.json"],
      ],
      invisible: hidden,
      allowed: [
        answered,
        AllowedPairs(["jobs"], with: ["color", "quiet"], "as with records"),
        AllowedPairs(
          ["schema", "schemas"], with: ["assert-formats", "structure"],
          "whether the schema that is chosen has a format or alternatives is its own matter"),
        AllowedPairs(
          ["allow-classes"], with: ["assert-formats", "structure"], "each is about another fault"),
      ]),
  ]
}
