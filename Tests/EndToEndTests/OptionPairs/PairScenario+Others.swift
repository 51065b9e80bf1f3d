// The scenarios of the commands about parts, journals and schemas.

extension PairScenario {
  private static let told: [String: String?] = ["color": "always", "quiet": nil]
  private static let placed: [String: String?] = ["output": "@/old", "force": nil]
  /// Of commands that say nothing but errors.
  private static let silent = ["quiet": "there are no notes"]

  static let others = [
    PairScenario(
      command: "extract",
      options: selection.merging(placed) { $1 }.merging([
        "resources": "@/extracted", "output-dir": "@/out", "archives-only": nil,
        "fail-fast": nil, "report": "@/report", "no-progress": nil,
      ]) { $1 },
      contexts: [
        ["--output-dir=@/out", "$.name", "@/in/movie", "@/in/broken", "@/in/sub"],
        ["--output-dir=@/out", "$", "@/in/sub"], ["--output-dir=@/in", "$", "@/in/movie"],
        ["--output-dir=@/out", "$", "--files-from=@/folders0"],
        ["--output-dir=@/out", "$", "--files-from=@/list0"], ["-r", "$", "@/in/sub"],
        ["--resources=@/extracted", "$", "@/in/movie"],
        ["--output=@/old", "$.name", "@/in/movie"], ["--force", "$.name", "@/in/movie"],
        ["--output=-", "$.nowhere", "@/in/movie"],
        ["--output-dir=@/out", "$", "@/in/movie", "@/in/x.png", "@/in/b-x.png", "@/in/b-trip"],
        ["--output-dir=@/out", "-r", "$", "@/in/sub", "@/in/x.png", "@/in/b-trip"],
      ], invisible: hidden,
      allowed: [AllowedPairs(["resources"], with: ["force"], "the movie is no web archive")]),
    PairScenario(
      command: "merge", options: told.merging(placed) { $1 },
      contexts: [
        ["--output=@/old", "a=@/in/movie"], ["--force", "a=@/in/movie"],
        ["--output=-", "a=@/in/broken"],
      ], invisible: silent),
    PairScenario(
      command: "create",
      options: told.merging(placed) { $1 }.merging([
        "schema": "Movie@v0", "schemas": "@/schemas", "fetched-at": "now", "class": "App.Film",
      ]) { $1 },
      contexts: [
        ["--schema=Movie@v2", "--output=@/old", "@/in/model.json"],
        ["--schema=Movie@v2", "--output=@/new", "@/in/model.json"],
        ["--schema=Movie@v2", "--force", "@/in/model.json"],
        ["--schema=Movie@v0", "--output=@/new", "@/in/model.json"],
        ["--schema=Movie@v0", "--force", "--output=@/old", "@/in/model.json"],
        ["--schema=Movie@v0", "--output=@/old", "@/in/model.json"],
        ["--schema=Movie@v0", "--output=@/new", "@/in/errors.json"],
        ["--schema=WeatherFeed@v2", "--fetched-at=then", "--output=@/old", "@/in/feed.json"],
        ["--schema=WeatherFeed@v2", "--fetched-at=then", "--output=@/new", "@/in/errors.json"],
        ["--schema=WeatherFeed@v2", "--fetched-at=then", "--output=@/new", "@/in/feed.json"],
        [
          "--schema=WeatherFeed@v2", "--fetched-at=then", "--force", "--output=@/old",
          "@/in/feed.json",
        ],
        ["--schema=Itinerary@v3", "--output=@/new", "@/in/model.json"],
        ["--schema=Itinerary@v3", "--force", "--output=@/old", "@/in/model.json"],
        ["--schema=Movie@v2", "--output=@/new", "@/in/errors.json"],
      ],
      allowed: [
        AllowedPairs(
          ["schemas"], with: ["schema", "fetched-at", "class"],
          "the schema that is chosen may be built in")
      ]),
    PairScenario(
      command: "undo",
      options: told.merging([
        "dry-run": nil, "force": nil, "trust": nil, "last": nil, "no-progress": nil,
      ]) {
        $1
      },
      contexts: [
        ["@/undone.journal"], ["@/foreign-undone.journal"],
        ["--trust", "@/foreign-undone.journal"],
      ],
      invisible: [
        "last": "the last run may be that of another test; JournalListTests undo it",
        "no-progress": "there is progress only on a terminal",
      ],
      allowed: [
        AllowedPairs(["color"], with: ["force"], "nothing is kept, so that there is no error"),
        AllowedPairs(["quiet"], with: ["dry-run"], "what would be done is data"),
      ]),
    PairScenario(
      command: "journal list", options: told.merging(["format": "json"]) { $1 },
      contexts: [["@/undone.journal"], ["@/undone.journal", "@/in/movie"], ["@/in/nothing"]],
      invisible: silent),
    PairScenario(
      command: "journal prune",
      options: told.merging(["older-than": "0d", "unfinished": nil, "dry-run": nil]) { $1 },
      contexts: [
        ["--older-than=0d", "@/undone.journal"], ["--older-than=1000w", "@/undone.journal"],
        ["--older-than=0d", "@/cut.journal"], ["--older-than=1000w", "@/cut.journal"],
        ["--older-than=0d", "@/undone.journal", "@/in/movie"],
      ],
      allowed: [AllowedPairs(["quiet"], with: ["dry-run"], "what would be removed is data")]),
    PairScenario(
      command: "journal show",
      options: ["color": "always", "format": "json", "files": nil, "quiet": nil],
      contexts: [["@/undone.journal"]], invisible: silent),
    PairScenario(
      command: "schema list",
      options: ["color": "always", "schemas": "@/schemas", "format": "json", "quiet": nil],
      contexts: [[], ["Itinerary"]],
      invisible: silent),
    PairScenario(
      command: "schema show",
      options: placed.merging([
        "color": "always", "meta": nil, "output-form": "info", "schemas": "@/schemas", "quiet": nil,
      ]) { $1 },
      contexts: [
        ["Movie@v2"], ["--output=@/old", "Movie@v2"], ["--force", "Movie@v2"], ["Itinerary@v1"],
        ["--force", "Itinerary@v1"], ["--force", "--output=@/old", "Itinerary@v1"], [],
        ["--output=@/old"], ["--force"],
      ], invisible: silent),
    PairScenario(
      command: "schema check",
      options: told.merging([
        "schemas": "@/schemas", "assert-formats": nil, "tries": "40", "seed": "7", "format": "json",
      ]) { $1 },
      contexts: [
        ["--tries=0", "@/tried"], ["--tries=30", "@/tried"], ["--tries=10", "@/schemas"],
        ["--tries=0", "@/checked"], ["--tries=10", "@/checked", "@/schemas"],
        ["--tries=0", "--schemas=@/schemas", "@/checked"],
        ["--tries=0", "--schemas=@/schemas", "--assert-formats", "@/checked"],
      ],
      allowed: [
        AllowedPairs(["quiet"], with: ["format"], "a report as JSON is data"),
        AllowedPairs(["quiet"], with: ["seed"], "a fault is shrunk to one value"),
        AllowedPairs(
          ["tries", "seed"], with: ["schemas", "assert-formats"],
          "what a folder or a format changes need not be tried"),
      ]),
    PairScenario(
      command: "schema sample",
      options: told.merging([
        "schemas": "@/schemas", "number": "2", "seed": "7", "output-dir": "@/elsewhere",
        "force": nil,
      ]) { $1 },
      contexts: [
        ["--output-dir=@/samples", "--schemas=@/schemas", "Itinerary@v1"],
        ["--output-dir=@/sampled", "--schemas=@/schemas", "Itinerary@v1"],
        ["--output-dir=@/sampled", "--schemas=@/schemas", "--force", "Itinerary@v1"],
        ["--output-dir=@/in/movie", "--schemas=@/schemas", "Itinerary@v1"],
        ["--output-dir=@/samples", "@/ref.schema.json"],
        ["--output-dir=@/sampled", "@/ref.schema.json"],
        ["--output-dir=@/sampled", "--force", "@/ref.schema.json"],
      ],
      allowed: [
        AllowedPairs(["quiet"], with: ["color"], "what is colored is an error"),
        AllowedPairs(
          ["color"], with: ["schemas"], "a family that is not there is an error of the command line"
        ),
      ]),
    PairScenario(
      command: "schema infer",
      options: selection.merging(placed) { $1 }.merging([
        "family": "G", "version": "v7", "title": "T", "output-dir": "@/elsewhere", "open": nil,
        "ranges": nil, "no-enums": nil, "no-formats": nil, "json5": nil, "at": "$.blob",
        "eras": nil, "files-from": "@/models", "archives-only": nil,
      ]) { $1 },
      contexts: inferContexts,
      allowed: [
        AllowedPairs(["quiet"], with: ["output"], "only a family is told of"),
        AllowedPairs(["include"], with: ["null"], "nothing else is in the list"),
      ]),
    PairScenario(
      command: "schema diff",
      options: told.merging([
        "family": "Wide", "models": nil, "compatibility": "backward", "notes": nil,
        "schemas": "@/schemas", "format": "json",
      ]) { $1 },
      contexts: [
        ["v1", "v2"], ["--schemas=@/schemas", "v1", "v2"], ["v1", "v9"],
        ["--schemas=@/wide", "v1", "v2"], ["--schemas=@/wide", "--family=Wide", "v1", "v2"],
        ["--schemas=@/wide", "v1", "v9"], ["--schemas=@/wide", "v1", "v3"],
        ["--schemas=@/wide", "--family=Wide", "v1", "v3"], ["Itinerary@v1", "Itinerary@v2"],
        ["--schemas=@/schemas", "Itinerary@v1", "Itinerary@v2"],
        ["@/narrow.json", "@/wide.json"], ["@/narrow.json", "@/titled.json"],
        ["@/narrow.json", "@/wrapped.json"], ["@/nowhere.json", "@/wide.json"],
        ["@/any.schema.json", "@/wide.json"], ["@/wide.json", "@/any.schema.json"],
      ], invisible: silent.merging(hidden) { $1 },
      allowed: [
        AllowedPairs(
          ["color"], with: ["family"],
          "a version that is not there is an error of the command line")
      ]),
    PairScenario(
      command: "schema derive",
      options: [
        "version": "v8", "envelope": "plist", "class": "App.Other", "class-of": "$.dates=App.Dates",
        "storage": "boxed", "like": "@/in/trip", "tries": "20", "schemas": "@/schemas",
        "color": "always", "force": nil, "quiet": nil,
      ],
      contexts: ["v9", "v2"].flatMap { version -> [[String]] in
        let objects = [
          "--version=\(version)", "--envelope=nscoding", "--class=A", "--class-of=$.dates=B",
          "--class-of=$.stops[*]=C", "--storage=inline",
        ]
        let plain = ["--version=\(version)", "--envelope=codable"]
        let open = ["--version=\(version)", "--envelope=nscoding"]
        return [plain + ["Itinerary@v1"], plain + ["--force", "Itinerary@v1"]]
          + [objects + ["Itinerary@v5"], objects + ["--force", "Itinerary@v5"]]
          + [open + ["Itinerary@v5"], open + ["--class=A", "Itinerary@v5"]]
      }.flatMap { [$0, ["--schemas=@/schemas"] + $0] },
      allowed: [
        AllowedPairs(
          ["like"], with: ["class", "class-of", "storage"], "what is named counts first"),
        AllowedPairs(
          ["like"], with: ["force", "version", "tries", "quiet"],
          "the example is no archive of objects"),
      ]),
    PairScenario(
      command: "schema lens",
      options: placed.merging([
        "samples": "@/in/trip", "interactive": nil, "tries": "20", "schemas": "@/schemas",
        "color": "always", "quiet": nil,
      ]) { $1 },
      contexts: [
        ["Itinerary", "v1", "v2"], ["--force", "Itinerary", "v3", "v4"],
        ["--force", "Itinerary", "v2", "v4"], ["--output=@/old", "Itinerary", "v3", "v5"],
        ["--output=@/old", "--force", "Itinerary", "v3", "v5"], ["Itinerary", "v3", "v5"],
      ].flatMap { [$0, ["--schemas=@/schemas"] + $0] } + [
        ["--schemas=@/wide", "Wide", "v2", "v3"],
        ["--schemas=@/wide", "--force", "Wide", "v2", "v3"],
      ],
      invisible: ["interactive": "there is no terminal"],
      allowed: [
        AllowedPairs(["quiet"], with: ["output"], "a lens in another place is not checked")
      ]),
    PairScenario(
      command: "schema swift",
      options: placed.merging([
        "type": "T", "migrating": nil, "schemas": "@/schemas", "quiet": nil,
        "tests": "@/elsewhere", "module": "M",
      ]) { $1 },
      contexts: [
        ["Movie@v2"], ["--output=@/old", "Movie@v2"], ["--force", "Movie@v2"], ["Itinerary@v1"],
        ["--force", "Itinerary@v1"], ["--force", "--output=@/old", "Itinerary@v1"],
        ["--migrating", "--schemas=@/schemas", "--tests=@/tested", "Itinerary"],
      ], invisible: silent),
    PairScenario(
      command: "completions", options: placed.merging(["quiet": nil]) { $1 },
      contexts: [["bash"], ["--output=@/old", "zsh"], ["--force", "--output=@/old", "fish"]],
      invisible: silent),
    PairScenario(
      command: "graph",
      options: [
        "format": "mermaid", "root": "$.blob", "depth": "1", "collapse": "NSDictionary",
        "classes": nil, "max-boxes": "1", "schema": "Movie", "schema-file": "@/any.schema.json",
        "schemas": "@/schemas", "assert-formats": nil, "diff": "@/in/five.json", "output": "@/old",
        "force": nil, "color": "always", "quiet": nil,
      ],
      contexts: [
        ["@/in/blob"], ["@/in/movie"], ["@/in/trip"], ["--force", "@/in/blob"],
        ["--output=@/old", "@/in/blob"], ["@/in/broken"],
        ["--force", "--output=@/old", "@/in/blob"],
        ["--schema=Itinerary", "@/in/trip"], ["--schema=Movie", "@/in/movie"],
        ["--schemas=@/schemas", "--schema-file=@/any.schema.json", "@/in/format.json"],
        ["--schemas=@/schemas", "--schema-file=@/any.schema.json", "@/in/b-format.json"],
        ["--schema-file=@/any.schema.json", "@/in/format.json"],
        ["--schemas=@/schemas", "--schema=Itinerary@v3", "@/in/trip"], ["@/in/z.gz"],
      ],
      allowed: [
        AllowedPairs(["format"], with: ["diff"], "--diff means the format"),
        AllowedPairs(["assert-formats"], with: ["schema"], "few schemas assert formats anyway"),
      ]),
    PairScenario(
      command: "explore", options: exploring, contexts: [["@/in/nowhere"]],
      invisible: Dictionary(
        uniqueKeysWithValues: exploring.keys.map { ($0, "there is no browser") })),
    PairScenario(
      command: "git diff",
      options: [
        "color": "always", "quiet": nil, "ignore": "$..a", "tolerance": "100", "key-by": "a",
        "max-lines": "1", "strict": nil,
      ],
      contexts: [
        ["p", "@/diff/old/rows.json", "0", "0", "@/diff/new/rows.json", "0", "0"],
        ["p", "@/diff/old/movie", "0", "0", "@/diff/new/movie", "0", "0"],
        ["p", "@/diff/old/number.json", "0", "0", "@/diff/new/number.json", "0", "0"],
      ], invisible: silent),
    PairScenario(
      command: "git merge", options: told.merging(["key-by": "a"]) { $1 },
      contexts: [["@/merge/base.json", "@/merge/ours.json", "@/merge/theirs.json"]]),
    PairScenario(
      command: "git text", options: ["quiet": nil, "ignore": "$.name"], contexts: [["@/in/movie"]],
      invisible: silent),
    PairScenario(command: "help", options: [:], contexts: []),
  ]

  private static let exploring: [String: String?] = [
    "schema": "Movie", "schema-file": "@/any.schema.json", "schemas": "@/schemas",
    "assert-formats": nil, "diff": "@/in/movie", "color": "always", "quiet": nil,
  ]

  private static let inferContexts: [[String]] = {
    let inputs = [
      ["@/inferred/a.json", "@/inferred/b10.json", "@/inferred/c.json"],
      ["@/inferred/a.json", "@/inferred/b10.json", "@/inferred/c.json", "@/five/b-five.json"],
      ["@/inferred"], ["@/inferred", "@/inferred/a.json", "@/inferred/b10.json"],
      ["@/in/broken", "@/in/b-five.json"], ["@/inferred/b-two.json", "@/inferred/b10.json"],
      ["@/in/blob", "@/inferred/a.json"],
      ["@/inferred/b10.json", "@/inferred/a.json", "@/five/other.json"],
    ]
    let family = ["--family=F", "--version=v2"]
    let options: [[String]] = [
      [], ["--output=@/old"], ["--force"], family, ["--family=H", "--version=v1"], ["--family=F"],
      ["--family=F", "--version=v1"],
      ["--recursive"], ["--recursive"] + family, ["--recursive", "--family=H", "--version=v1"],
      ["--recursive", "--force"],
      ["--recursive", "--json5"], ["--family=F", "--eras"],
      ["--recursive", "--family=F", "--eras"], ["--recursive", "--family=F"],
    ]
    let all = inputs.flatMap { operands in options.map { $0 + operands } }
    let lists = options.flatMap {
      [$0 + ["--files-from=@/models0"], $0 + ["--files-from=@/models5"]]
    }
    return all + lists + [["--files-from=@/modelfolder0"]]
  }()
}
