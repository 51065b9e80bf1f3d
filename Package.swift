// swift-tools-version: 6.2
import PackageDescription

// The targets are floors: a target imports only targets that stand before it in this list.
let package = Package(
  name: "archtool",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "archtool", targets: ["archtool"]),
    .library(name: "ArchiveKit", targets: ["ArchiveKit"]),
  ],
  targets: [
    .systemLibrary(
      name: "CLibXML2",
      pkgConfig: "libxml-2.0",
      providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]
    ),
    .systemLibrary(name: "CZLib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(
      name: "CPCRE2",
      pkgConfig: "libpcre2-8",
      providers: [.apt(["libpcre2-dev"]), .brew(["pcre2"])]
    ),
    .systemLibrary(
      name: "CIDN2",
      pkgConfig: "libidn2",
      providers: [.apt(["libidn2-dev"]), .brew(["libidn2"])]
    ),
    .systemLibrary(
      name: "COpenSSL",
      pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]
    ),
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CFileSystem"),
    .systemLibrary(name: "CMemory"),
    .target(name: "CProgramArguments"),
    .target(name: "ArchiveBasics", dependencies: ["CFileSystem", "CMemory"]),
    .target(
      name: "SystemCryptography",
      dependencies: [
        "ArchiveBasics", .target(name: "COpenSSL", condition: .when(platforms: [.linux])),
      ]),
    .target(name: "ArchiveDatabases", dependencies: ["ArchiveBasics", "CSQLite"]),
    .target(name: "ArchiveGraph", dependencies: ["ArchiveBasics"]),
    .target(name: "ArchivePatterns", dependencies: ["ArchiveBasics", "CPCRE2"]),
    .target(
      name: "ArchivePropertyLists",
      dependencies: ["ArchiveBasics", "ArchiveGraph", "CLibXML2", "CZLib"]),
    .target(
      name: "ArchiveTypedStreams", dependencies: ["ArchiveBasics", "ArchiveGraph"]),
    .target(
      name: "KeyedArchives",
      dependencies: [
        "ArchiveBasics", "ArchiveGraph", "ArchivePropertyLists", "ArchiveTypedStreams",
      ]),
    .target(
      name: "ArchiveWriting",
      dependencies: [
        "ArchiveBasics", "ArchiveGraph", "ArchivePropertyLists", "ArchiveTypedStreams",
        "KeyedArchives",
      ]),
    .target(
      name: "ArchiveEditing",
      dependencies: [
        "ArchiveBasics", "ArchiveGraph", "ArchivePropertyLists", "ArchiveTypedStreams",
        "ArchiveWriting", "KeyedArchives",
      ]),
    .target(
      name: "FileTransactions",
      dependencies: [
        "ArchiveBasics", "ArchivePropertyLists", "CFileSystem", "SystemCryptography",
      ]),
    .target(
      name: "ArchiveBackups",
      dependencies: [
        "ArchiveBasics", "ArchiveDatabases", "ArchiveGraph", "KeyedArchives", "SystemCryptography",
      ]),
    .target(
      name: "ArchiveSchemas",
      dependencies: [
        "ArchiveBasics", "ArchiveGraph", "ArchivePatterns", "ArchivePropertyLists",
        "ArchiveWriting", "CIDN2", "KeyedArchives",
      ],
      resources: [.embedInCode("Families"), .embedInCode("MetaSchemas")]
    ),
    .target(
      name: "ArchiveQueries",
      dependencies: [
        "ArchiveBasics", "ArchiveEditing", "ArchiveGraph", "ArchivePatterns",
        "ArchivePropertyLists", "ArchiveWriting", "KeyedArchives",
      ]),
    .target(
      name: "ArchiveBatches",
      dependencies: [
        "ArchiveBackups", "ArchiveBasics", "ArchiveDatabases", "ArchiveGraph",
        "ArchivePropertyLists", "FileTransactions", "KeyedArchives",
      ]),
    .target(
      name: "ArchiveMigrations",
      dependencies: [
        "ArchiveBasics", "ArchiveBatches", "ArchiveEditing", "ArchiveGraph", "ArchivePatterns",
        "ArchivePropertyLists", "ArchiveSchemas", "ArchiveWriting", "FileTransactions",
        "KeyedArchives",
      ],
      resources: [.embedInCode("CodeGeneration/Templates")]
    ),
    .target(
      name: "ArchiveKit",
      dependencies: ["ArchiveBasics", "ArchiveGraph", "KeyedArchives"]),
    .target(
      name: "ArchiveRendering",
      dependencies: [
        "ArchiveBasics", "ArchiveGraph", "ArchivePropertyLists", "ArchiveQueries", "ArchiveSchemas",
        "ArchiveTypedStreams", "ArchiveWriting", "KeyedArchives",
      ],
      resources: [.embedInCode("Explorer/Page"), .embedInCode("OutputForms")]
    ),
    .target(
      name: "CommandLineInterface",
      dependencies: ["ArchiveBasics", "CProgramArguments"]
    ),
    .target(
      name: "ArchtoolCommands",
      dependencies: [
        "ArchiveBackups", "ArchiveBasics", "ArchiveBatches", "ArchiveDatabases", "ArchiveEditing",
        "ArchiveGraph",
        "ArchiveMigrations", "ArchivePropertyLists", "ArchiveQueries", "ArchiveRendering",
        "ArchiveSchemas", "ArchiveWriting", "CommandLineInterface", "FileTransactions",
        "KeyedArchives",
      ]),
    .executableTarget(
      name: "archtool",
      dependencies: ["ArchiveBasics", "ArchtoolCommands", "CommandLineInterface"]
    ),
    .target(
      name: "TestSupport",
      dependencies: [
        "ArchiveBasics", "ArchiveGraph", "ArchiveWriting", "FileTransactions", "KeyedArchives",
      ],
      path: "Tests/TestSupport"
    ),
    .executableTarget(
      name: "FoundationJudge", path: "Tests/FoundationJudge"),
    .executableTarget(
      name: "ListClasses", dependencies: ["ArchiveKit"], path: "Tests/ListClasses"),
    .testTarget(
      name: "QueriesTests",
      dependencies: [
        "ArchiveBasics", "ArchiveEditing", "ArchiveGraph", "ArchivePropertyLists", "ArchiveQueries",
        "ArchiveWriting", "FoundationJudge", "KeyedArchives", "TestSupport",
      ]),
    .testTarget(
      name: "BasicsTests",
      dependencies: ["ArchiveBasics", "ArchiveGraph", "FileTransactions", "TestSupport"]),
    .testTarget(
      name: "BackupsTests",
      dependencies: [
        "ArchiveBackups", "ArchiveBasics", "ArchiveDatabases", "SystemCryptography", "TestSupport",
      ]),
    .testTarget(
      name: "BatchesTests",
      dependencies: [
        "ArchiveBasics", "ArchiveBatches", "ArchiveGraph", "ArchiveMigrations",
        "ArchivePropertyLists", "CommandLineInterface", "FileTransactions", "TestSupport",
      ]),
    .testTarget(
      name: "CommandsTests",
      dependencies: [
        "ArchiveBasics", "ArchiveBatches", "ArchiveEditing", "ArchiveGraph", "ArchiveMigrations",
        "ArchivePropertyLists", "ArchiveWriting", "ArchtoolCommands", "CommandLineInterface",
        "FileTransactions", "KeyedArchives", "TestSupport",
      ]),
    .testTarget(
      name: "ObjectGraphTests", dependencies: ["ArchiveBasics", "ArchiveGraph", "TestSupport"]),
    .testTarget(name: "HouseTests", dependencies: ["TestSupport"]),
    .testTarget(
      name: "ArchiveKitTests",
      dependencies: ["ArchiveKit", "ListClasses", "TestSupport"]),
    .testTarget(
      name: "PropertyListsTests",
      dependencies: [
        "ArchiveBasics", "ArchiveGraph", "ArchivePropertyLists", "ArchiveWriting", "KeyedArchives",
        "TestSupport",
      ]
    ),
    .testTarget(
      name: "KeyedArchivesTests",
      dependencies: [
        "ArchiveBasics", "ArchiveBatches", "ArchiveEditing", "ArchiveGraph", "ArchivePropertyLists",
        "ArchiveQueries", "ArchiveRendering", "ArchiveWriting", "FileTransactions", "KeyedArchives",
        "TestSupport",
      ]
    ),
    .testTarget(
      name: "TypedStreamsTests",
      dependencies: [
        "ArchiveBasics", "ArchiveGraph", "ArchivePropertyLists", "ArchiveRendering",
        "ArchiveTypedStreams", "archtool", "KeyedArchives", "TestSupport",
      ]
    ),
    .testTarget(
      name: "ConversionTests",
      dependencies: [
        "ArchiveBasics", "ArchiveGraph", "ArchivePropertyLists", "ArchiveWriting", "KeyedArchives",
        "TestSupport",
      ]
    ),
    .testTarget(
      name: "SchemasTests",
      dependencies: [
        "ArchiveBasics", "ArchiveEditing", "ArchiveGraph", "ArchivePatterns",
        "ArchivePropertyLists", "ArchiveSchemas", "ArchiveWriting", "KeyedArchives", "TestSupport",
      ]
    ),
    .testTarget(
      name: "RegularExpressionsTests",
      dependencies: ["ArchiveBasics", "ArchivePatterns", "TestSupport"]
    ),
    .testTarget(
      name: "JSONSchemaSuiteTests",
      dependencies: [
        "ArchiveBasics", "ArchiveGraph", "ArchivePropertyLists", "ArchiveSchemas", "ArchiveWriting",
        "KeyedArchives", "TestSupport",
      ],
      exclude: ["Remotes"]
    ),
    .testTarget(
      name: "MigrationsTests",
      dependencies: [
        "ArchiveBasics", "ArchiveBatches", "ArchiveEditing", "ArchiveGraph", "ArchiveMigrations",
        "ArchivePropertyLists", "ArchiveQueries", "ArchiveSchemas", "ArchiveWriting",
        "FileTransactions", "KeyedArchives", "TestSupport",
      ]
    ),
    .executableTarget(
      name: "TransactionPeer",
      dependencies: [
        "ArchiveBasics", "ArchiveGraph", "ArchiveMigrations", "ArchivePropertyLists",
        "FileTransactions",
      ],
      path: "Tests/TransactionPeer"
    ),
    .testTarget(
      name: "FileTransactionsTests",
      dependencies: [
        "ArchiveBasics", "ArchiveGraph", "ArchiveMigrations", "archtool", "FileTransactions",
        "TestSupport", "TransactionPeer",
      ]
    ),
    .testTarget(
      name: "RenderingTests",
      dependencies: [
        "ArchiveBasics", "ArchiveGraph", "ArchivePropertyLists", "ArchiveRendering",
        "ArchiveSchemas", "KeyedArchives", "TestSupport",
      ]
    ),
    .testTarget(
      name: "CommandLineInterfaceTests",
      dependencies: ["ArchiveBasics", "ArchiveGraph", "CommandLineInterface", "TestSupport"]
    ),
    .testTarget(
      name: "Fuzzing",
      dependencies: [
        "ArchiveBasics", "ArchiveBatches", "ArchiveEditing", "ArchiveGraph", "ArchiveMigrations",
        "ArchivePatterns", "ArchivePropertyLists", "ArchiveQueries", "ArchiveRendering",
        "ArchiveSchemas", "ArchiveTypedStreams", "ArchiveWriting", "FileTransactions",
        "KeyedArchives", "TestSupport",
      ],
      exclude: ["Dictionaries", "suppressed-leaks.txt"]
    ),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "ArchiveBasics", "ArchiveGraph", "ArchiveRendering", "archtool", "ArchtoolCommands",
        "CommandLineInterface", "FileTransactions", "FoundationJudge", "TestSupport",
      ],
      exclude: ["Fixtures"]
    ),
  ]
)

// In these targets every expression that no check protects is marked `unsafe`.
let checkedTargets = ["ArchiveBatches", "ArchiveKit", "ArchiveMigrations", "CommandLineInterface"]
// A file sees the members of the targets that it imports, and no others.
for target in package.targets where target.type != .system && target.type != .plugin {
  target.swiftSettings = [.enableUpcomingFeature("MemberImportVisibility")]
  if checkedTargets.contains(target.name) { target.swiftSettings?.append(.strictMemorySafety()) }
}
