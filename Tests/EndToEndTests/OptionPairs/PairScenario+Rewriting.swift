// The scenarios of the commands that rewrite archives.

extension PairScenario {
  private static let unwritten = AllowedPairs(
    ["dry-run", "plan"],
    with: [
      "in-place", "output", "output-dir", "backup", "force", "keep-times", "journal", "no-journal",
      "backup-dir", "apply",
    ], "with these nothing is written, whatever else is given, as the manual says")
  private static let empty = AllowedPairs(
    ["allow-empty"], with: ["force"], "where no file matched nothing is written")

  private static let databases = AllowedPairs(
    ["output-database"],
    with: Set(selection.merging(places) { $1 }.merging(substitutions) { $1 }.keys).union([
      "at", "from", "to", "via", "schema", "schemas", "class", "allow-loss", "strict", "class-of",
      "storage", "plain-containers", "keep-lost-inside", "format",
    ]), "no file of the bench is a database")

  private static let alone = hidden.merging(["wait": "no other run holds the folder"]) { $1 }

  private static let many = [
    "@/in/b-five.json", "@/in/movie", "@/in/b-current", "@/in/b-old", "@/in/b-spare", "@/in/broken",
    "@/in/b-wrong",
    "@/in/blob", "@/in/sub", "@/in/x.png",
  ]

  /// Migrations to objects whose schema leaves classes and storage open.
  private static let open = [
    ["@/in/open"], ["--dry-run", "@/in/open"], ["--plan", "@/in/open"],
    ["--in-place", "@/in/open"], ["--output=@/new", "@/in/open"],
    ["--output-dir=@/out", "@/in/open", "@/in/wrong"], ["--force", "@/in/open"],
  ].flatMap { run in
    [
      ["--class-of=$.opening=App.O", "--plain-containers"], ["--storage=inline"],
      ["--storage=inline", "--plain-containers"],
      ["--class-of=$.opening=App.O", "--storage=inline"], ["--class-of=$.opening=App.O"],
    ].map { ["--schemas=@/schemas", "--to=v7"] + $0 + run }
  }

  private static let places: [String: String?] = [
    "output": "@/old", "in-place": nil, "backup": ".bak", "output-dir": "@/taken", "dry-run": nil,
    "force": nil, "keep-times": nil, "journal": "@/new.journal", "no-journal": nil,
    "backup-dir": "@/kept", "wait": nil, "allow-empty": nil, "trust": nil,
  ].merging(batch) { $1 }

  private static let substitutions: [String: String?] = [
    "rename-class": "*.MovieClass=Cinema.MovieClass", "set-archiver": "X",
    "drop-class": "NSNull", "rename-key": "*.MovieClass.name=label", "rename-top": "root=top",
    "prune": nil, "unless": "Demo*",
  ]

  private static func contexts(_ own: [String]) -> [[String]] {
    [
      own + many, own + ["--files-from=@/list0"], own + ["--dry-run", "--include=none"],
      own + ["--dry-run", "--include=none", "--files-from=@/list0"],
      own + ["--in-place", "--include=none"], own + ["--dry-run", "@/in/movie", "@/in/sub"],
      own + ["--in-place", "--at=$.blob", "@/in/blob-old", "@/in/blob-spare"],
      own + ["--force", "@/in/b-spare"], own + ["--dry-run", "@/in/b-spare"],
      own + ["--in-place", "@/in/b-spare"], own + ["--output-dir=@/out", "@/in/b-spare"],
      own + ["--output-dir=@/out"] + many, own + ["--in-place"] + many,
      own + ["--dry-run"] + many,
      own + ["--output=@/old", "@/in/movie"], own + ["--force", "@/in/movie"],
      own + ["--output=@/old", "--at=$.blob", "@/in/blob"], own + ["--force", "@/in/old"],
      own + ["--force", "@/in/b-five.json"],
      own + ["--force", "--at=$.blob", "@/in/blob"], own + ["--force", "@/in/b-trip"],
      own + ["--force", "@/in/b-orphan"], own + ["--force", "--include=none", "@/in/movie"],
      own + ["--output=@/new", "@/in/b-trip"], own + ["--output-dir=@/taken", "@/in/b-current"],
      own + ["--force", "--output-dir=@/taken", "@/in/movie", "@/in/b-orphan", "@/in/b-current"],
      own + ["--force", "--files-from=@/list0"], own + ["--dry-run", "@/in/b-orphan"],
      own + ["--in-place", "@/in/b-orphan"], own + ["--output-dir=@/out", "@/in/b-orphan"],
      own + ["--dry-run", "--files-from=@/list0"],
      own + ["--dry-run", "--include=none", "@/in/movie"],
      own + ["--in-place", "--include=none", "@/in/movie"],
      own + ["--in-place", "--files-from=@/list0"],
      own + ["--in-place", "--files-from=@/folders0"],
      own + ["--output-dir=@/taken", "--files-from=@/folders0"],
      own + ["--in-place", "@/in/movie"], own,
      own + [
        "--in-place", "--at=$.blob", "@/in/blob", "@/in/blob-wrong", "@/in/blob-orphan",
        "@/in/blob-old", "@/in/sub",
      ],
    ]
  }

  /// One that gets a class, then all that other options are about.
  private static let objects = [
    "@/in/movie", "@/in/b-spare", "@/in/b-five.json", "@/in/b-current", "@/in/sub",
    "@/in/format.json", "@/in/trip",
  ]

  static let rewriting = [
    PairScenario(
      command: "migrate",
      options: selection.merging(places) { $1 }.merging(substitutions) { $1 }.merging([
        "at": "$.blob", "from": "v1", "to": "v1", "via": "v1", "schema": "Movie",
        "schemas": "@/schemas", "class": "App.MovieClass", "allow-loss": nil, "keep-lost": nil,
        "strict": nil, "class-of": "$.closing=App.X", "storage": "boxed", "plain-containers": nil,
        "keep-lost-inside": nil, "plan": nil, "apply": "@/foreign-plan", "format": "json",
        "resume": "@/foreign-failed.journal", "rename-top": "nothing=top", "records": nil,
        "data-key": "archive",
        "output-database": "@/copy.db",
      ]) { $1 },
      contexts: contexts(["--to=v2"]) + [
        ["--to=v2", "--records"], ["--to=v0", "--records"], ["--to=v4", "--records"],
        ["--to=v4", "--records", "--schemas=@/schemas"],
        ["--to=v2", "--records", "--rename-class=Demo.*=Cinema.*"],
        ["--to=v2", "--rename-class=*.MovieClass=Cinema.MovieClass", "--dry-run", "@/in/b-old"],
        ["--to=v2", "--rename-class=Demo.*=Cinema.*", "--allow-loss", "--force", "@/in/b-old"],
        ["--to=v2", "--rename-class=Demo.*=Cinema.*", "--output-dir=@/taken", "@/in/b-old"],
        ["--to=v2", "--rename-class=Demo.*=Cinema.*", "--in-place", "@/in/b-old"],
        ["--to=v2", "--rename-class=Demo.*=Cinema.*"],
        [
          "--to=v2", "--rename-class=Demo.*=Cinema.*", "--allow-loss", "--output=@/old",
          "@/in/b-old",
        ],
        ["--to=v2", "--rename-class=Demo.*=Cinema.*", "--allow-loss", "--in-place", "@/in/b-old"],
        ["--to=v2", "--allow-loss", "--dry-run", "--report=@/told", "@/in/old"],
        ["--to=v2", "--allow-loss", "--force", "--report=@/told", "@/in/old"],
        ["--to=v2", "--allow-loss", "--output=@/new", "--report=@/told", "@/in/old"],
        ["--to=v2", "--allow-loss", "--in-place", "--report=@/told", "@/in/old"],
        ["--to=v2", "--allow-loss", "--force", "@/in/old"], ["--to=v4", "--force", "@/in/trip"],
        ["--to=v4", "--schemas=@/schemas", "--allow-loss", "--force", "@/in/trip"],
        ["--to=v0", "--force", "@/in/movie"], ["--to=v0", "--allow-loss", "--force", "@/in/movie"],
        ["--to=v0", "--class=App.MovieClass", "--allow-loss", "--output=@/new", "@/in/movie"],
        ["--to=v0", "--allow-loss", "--output=@/new", "@/in/movie"],
        ["--to=v2", "--plan", "@/in/b-spare"],
        ["--to=v4", "--in-place", "@/in/trip"], ["--to=v4", "--plan", "@/in/trip"],
        ["--to=v4", "--dry-run", "@/in/trip"], ["--to=v4", "--in-place", "@/in/trip", "@/in/sub"],
        ["--to=v4", "--dry-run", "--at=$.blob", "@/in/blob-trip"],
        ["--to=v2", "--plan", "--at=$.blob", "@/in/blob-old"],
        ["--to=v0", "--dry-run", "--allow-loss", "--at=$.blob", "@/in/blob"],
        ["--to=v0", "--dry-run", "--allow-loss", "--files-from=@/list0"],
        ["--to=v2", "--plan", "--files-from=@/list0"], ["--to=v2", "--plan", "@/in/b-old"],
        ["--to=v2", "--in-place", "@/in/b-old"],
        ["--to=v2", "--rename-class=*.MovieClass=Cinema.MovieClass", "--dry-run"] + many,
        ["--to=v2", "--rename-class=*.MovieClass=Cinema.MovieClass", "--allow-loss"] + many,
        ["--to=v2", "--rename-class=*.MovieClass=Cinema.MovieClass", "--plan"] + many,
        ["--to=v2", "--rename-class=*.MovieClass=Cinema.MovieClass", "--dry-run"]
          + ["--files-from=@/list0"],
        ["--to=v2", "--rename-class=*.MovieClass=Cinema.MovieClass", "--dry-run", "@/in/sub"],
        ["--to=v2", "--rename-class=*.MovieClass=Cinema.MovieClass", "--dry-run", "--at=$.blob"]
          + ["@/in/blob-old"], ["--to=v4"], ["--to=v4", "--schemas=@/schemas"],
        ["--to=v2", "--plan"] + many, ["--to=v2", "--dry-run", "@/in/old"],
        ["--to=v2", "--plan", "@/in/old"], ["--to=v2", "--in-place", "@/in/old"],
        ["--to=v0", "--dry-run", "@/in/movie", "@/in/b-current"],
        ["--to=v0", "--allow-loss", "--dry-run", "@/in/movie", "@/in/b-current"],
        ["--to=v0", "--allow-loss", "--in-place", "@/in/movie"],
        ["--to=v0", "--allow-loss", "--plan", "@/in/b-current"],
        ["--to=v4", "--schemas=@/schemas", "--plan", "@/in/trip"],
        ["--to=v4", "--schemas=@/schemas", "--in-place", "@/in/trip"], [], ["--to=v0"], ["--trust"],
        ["--resume=@/foreign-failed.journal"],
        ["--to=v0", "--allow-loss"] + objects, ["--to=v0", "--allow-loss", "--in-place"] + objects,
        ["--to=v0", "--allow-loss", "--dry-run"] + objects,
        ["--to=v0", "--in-place", "@/in/movie"],
        ["--to=v0", "--allow-loss", "--output=@/old", "@/in/movie"],
      ] + open,
      invisible: alone.merging(
        ["output-database": "copies of databases have tests of their own"]) { $1 },
      allowed: [
        unwritten, answered, empty, databases,
        AllowedPairs(
          ["class-of", "plain-containers", "storage"],
          with: [
            "allow-empty", "allow-loss", "at", "class", "class-of", "drop-class", "force", "from",
            "include", "keep-lost", "keep-lost-inside", "null", "plain-containers", "prune",
            "data-key", "records", "rename-class", "rename-key", "rename-top", "schema",
            "set-archiver",
            "storage", "strict", "unless", "via",
          ],
          "the one model that leaves something open is JSON by itself, which loses nothing"),
        AllowedPairs(
          ["allow-loss", "strict"],
          with: [
            "allow-loss", "at", "class", "force", "from", "include", "null", "output",
            "rename-key", "schema", "unless",
          ], "what these inputs lose is lost without a question, and one of both tells it"),
        AllowedPairs(
          ["from"], with: ["allow-loss", "keep-lost", "keep-lost-inside", "via"],
          "a v1 of these inputs loses nothing, and has one way"),
        AllowedPairs(
          ["class"], with: ["allow-loss", "keep-lost", "keep-lost-inside"],
          "what these inputs would lose is their class"),
        AllowedPairs(["via", "class"], with: ["to", "unless"], "each is about another version"),
        AllowedPairs(["schemas"], with: ["schema", "unless"], "the family may be built in"),
        AllowedPairs(
          ["apply"], with: ["color", "fail-fast", "in-place"],
          "files are replaced unless a folder is named, and none fails"),
        AllowedPairs(
          ["allow-empty"], with: ["unless", "prune", "class"], "without files there is no class"),
        AllowedPairs(
          ["drop-class", "rename-top"], with: ["records"], "answers tell no rules without a match"),
      ]),
    PairScenario(
      command: "rename-class",
      options: selection.merging(places) { $1 }.merging(substitutions) { $1 }
        .merging([
          "at": "$.blob", "resume": "@/foreign-renamed.journal", "records": nil,
          "data-key": "archive",
        ]) { $1 },
      contexts: contexts(["--rename-class=NSDictionary=Dictionary"])
        + [
          ["--rename-class=Demo*=Emo*", "--records"], ["--rename-class=*=New*", "--records"],
          ["--rename-class=Demo*=Emo*", "--dry-run", "--at=$.blob", "@/in/blob-old"],
          ["--rename-class=Demo*=Emo*", "--dry-run", "--files-from=@/list0"],
          ["--rename-class=Demo*=Emo*", "--dry-run", "@/in/b-old", "@/in/broken", "@/in/movie"],
          [], ["--trust"], ["--resume=@/foreign-renamed.journal"], ["--set-archiver=Y"],
          ["--set-archiver=Y", "--in-place"] + many,
          ["--rename-class=Demo*=Emo*", "--output=@/new", "@/in/b-old"],
          ["--rename-class=Demo*=Emo*", "--force", "@/in/b-old"], ["--rename-class=Demo*=Emo*"],
          ["--rename-class=Demo*=Emo*", "--dry-run"] + many,
          ["--rename-class=Demo*=Emo*", "--output-dir=@/out"] + many,
          ["--rename-class=*Class=*Klass", "--in-place"] + many,
        ],
      invisible: alone,
      allowed: [
        unwritten, answered, empty,
        AllowedPairs(
          ["allow-empty"], with: ["unless", "prune"], "without files there is no class"),
      ]),
    PairScenario(
      command: "convert",
      options: selection.merging(places) { $1 }.merging(
        [
          "at": "$.blob", "to": "json", "typed": nil, "compact": nil, "no-tags": nil,
          "keys": "AppThing=name", "json5": nil, "skip": "0",
          "resume": "@/foreign-converted.journal",
          "plain": nil, "extension": "new", "recover": nil, "control-characters": "refuse",
        ].merging(records) { $1 }
      ) { $1 },
      contexts: convertContexts, invisible: alone,
      allowed: [
        unwritten, empty, answered,
        AllowedPairs(
          ["to"], with: ["typed", "compact", "control-characters"], "these mean the format"),
        AllowedPairs(["quiet"], with: ["output"], "a result alone is not told of"),
      ]),
  ]

  private static let converted = [
    "@/in/movie", "@/in/b-tags.json", "@/in/tags.json", "@/in/five.json", "@/in/b-five.json",
    "@/in/stream", "@/in/blob", "@/in/twice.plist", "@/in/escape.plist", "@/in/b-escape.plist",
    "@/in/broken",
    "@/in/five-tags.json",
    "@/in/sub",
    "@/in/x.png",
  ]

  private static let convertContexts: [[String]] = {
    let single = [
      "tags.json", "b-tags.json", "five-tags.json", "b-five.json", "stream", "blob", "blob-tags",
      "movie",
    ]
    let options = [
      ["--to=xml1"], ["--to=json"], ["--to=xml1", "--force"], ["--to=json", "--force"],
      ["--to=xml1", "--output=@/old"],
    ]
    let several: [[String]] = [
      ["--to=xml1", "--output-dir=@/out"] + converted, ["--to=xml1", "--in-place"] + converted,
      ["--to=json", "--compact"] + converted, ["--to=json", "--output-dir=@/out"] + converted,
      ["--to=json", "--in-place"] + converted, ["--to=xml1", "--force"] + converted,
      ["--to=json", "--in-place", "--files-from=@/list0"],
      ["--to=json", "--force", "--output-dir=@/taken", "@/in/tags.json", "@/in/b-current"],
      ["--to=xml1", "--force", "--output-dir=@/taken", "@/in/tags.json", "@/in/b-current"],
      ["--to=xml1", "--force", "--include=none", "@/in/movie"],
      ["--to=json", "--records"], ["--to=xml1", "--records"],
      ["--to=xml1", "--records", "--force"],
      ["--to=json", "--records", "--typed"],
      ["--to=xml1", "--records", "--plain"], ["--to=keyed-archive", "--records"],
      ["--to=json", "--at=$.blob", "@/in/blob-tags"], ["--to=json", "--at=$.blob", "@/in/blob"],
      ["--to=xml1", "--files-from=@/list0"],
      ["--to=xml1", "--include=none", "--files-from=@/list0"],
      ["--to=xml1", "--in-place", "--include=none", "--files-from=@/list0"],
      ["--to=json", "--compact", "--include=*b*", "@/in/tags.json", "@/in/b-tags.json"],
      ["--to=xml1", "--in-place", "--include=none", "@/in/movie"],
      ["--to=json", "--compact", "--include=none", "@/in/movie"],
      ["--to=json", "--compact", "--files-from=@/list0"],
      ["--to=xml1", "--in-place", "--files-from=@/list0"],
      ["--to=xml1", "--in-place", "--at=$.blob", "@/in/blob", "@/in/blob-twice", "@/in/sub"],
    ]
    let others: [[String]] = [
      ["--to=xml1", "--in-place", "--include=none"],
      ["--to=json", "--at=$.blob", "@/in/blob-twice"],
      ["--to=json", "--output=@/old", "@/in/movie"],
      ["--to=json", "--output=@/old", "@/in/errors.json"],
      ["--to=json", "--force", "@/in/errors.json"], ["--to=json", "@/in/errors.json"],
      ["--to=json", "--output-dir=@/out", "@/in/errors.json", "@/in/b-errors.json"],
      ["--to=xml1", "--in-place", "--files-from=@/folders0"],
      ["--to=xml1", "--output-dir=@/taken"], ["--to=xml1", "--output-dir=@/taken", "@/in/sub"],
      [], ["--trust"], ["--resume=@/foreign-converted.journal"],
      ["--to=xml1", "--output-dir=@/taken", "@/in/movie", "@/in/broken", "@/in/tags.json"],
      ["--to=xml1", "--dry-run"] + converted,
      ["--to=json", "--dry-run"] + converted,
      ["--to=xml1", "--dry-run", "--files-from=@/list0"],
      ["--to=xml1", "--dry-run", "--include=none"],
      ["--to=xml1", "--dry-run", "--at=$.blob", "@/in/blob", "@/in/blob-twice", "@/in/sub"],
    ]
    let all = several + others + single.flatMap { name in options.map { $0 + ["@/in/" + name] } }
    // What is recovered becomes a plain copy.
    return all + all.map { ["--plain"] + $0 }
      + [
        ["--to=xml1", "--plain", "@/in/broken"],
        ["--to=xml1", "--plain", "--force", "@/in/broken"],
        ["--to=json", "--plain", "@/in/broken"],
      ]
  }()
}
