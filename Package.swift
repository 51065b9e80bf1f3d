// swift-tools-version: 6.0
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
    .target(name: "ArchiveBasics", dependencies: ["CFileSystem", "CMemory"]),
    .target(name: "ArchiveDatabases", dependencies: ["ArchiveBasics", "CSQLite"]),
    .target(name: "ArchiveGraph", dependencies: ["ArchiveBasics"]),
    .target(name: "ArchivePatterns", dependencies: ["ArchiveBasics", "CPCRE2"]),
    .target(
      name: "ArchivePropertyLists",
      dependencies: ["ArchiveBasics", "CLibXML2", "CZLib", "ArchiveGraph"]),
    .target(
      name: "ArchiveTypedStreams", dependencies: ["ArchiveBasics", "ArchiveGraph"]),
    .target(
      name: "KeyedArchives",
      dependencies: [
        "ArchiveBasics", "ArchiveGraph", "ArchivePropertyLists", "ArchiveTypedStreams",
      ]),
    .target(
      name: "FileTransactions",
      dependencies: [
        "ArchiveBasics", "CFileSystem",
        .target(name: "COpenSSL", condition: .when(platforms: [.linux])),
        "ArchiveGraph", "ArchivePropertyLists",
      ]),
    .target(
      name: "ArchiveSchemas",
      dependencies: [
        "ArchiveBasics", "CIDN2", "KeyedArchives", "ArchiveGraph", "ArchivePropertyLists",
        "ArchivePatterns",
      ],
      resources: [.embedInCode("Families"), .embedInCode("MetaSchemas")]
    ),
    .target(
      name: "ArchiveQueries",
      dependencies: [
        "ArchiveBasics", "KeyedArchives", "ArchiveGraph", "ArchivePropertyLists", "ArchivePatterns",
      ]),
    .target(
      name: "ArchiveBatches",
      dependencies: [
        "ArchiveBasics", "ArchiveDatabases", "FileTransactions", "KeyedArchives", "ArchiveGraph",
        "ArchivePropertyLists",
      ]),
    .target(
      name: "ArchiveMigrations",
      dependencies: [
        "ArchiveBasics", "ArchiveBatches", "FileTransactions", "KeyedArchives", "ArchiveGraph",
        "ArchivePropertyLists",
        "ArchivePatterns", "ArchiveSchemas",
      ]
    ),
    .target(
      name: "ArchiveKit",
      dependencies: ["ArchiveBasics", "KeyedArchives", "ArchiveGraph"]),
    .target(
      name: "ArchiveRendering",
      dependencies: [
        "ArchiveBasics", "KeyedArchives", "ArchiveGraph", "ArchivePropertyLists", "ArchiveQueries",
        "ArchiveSchemas",
        "ArchiveTypedStreams",
      ],
      resources: [.embedInCode("Explorer/Page")]
    ),
    .target(
      name: "CommandLineInterface",
      dependencies: ["ArchiveBasics"]
    ),
    .target(
      name: "ArchtoolCommands",
      dependencies: [
        "ArchiveBasics", "ArchiveBatches", "CommandLineInterface", "ArchiveDatabases",
        "FileTransactions",
        "KeyedArchives", "ArchiveMigrations", "ArchiveGraph", "ArchivePropertyLists",
        "ArchiveQueries", "ArchiveRendering",
        "ArchiveSchemas",
      ]),
    .executableTarget(
      name: "archtool",
      dependencies: ["ArchiveBasics", "CommandLineInterface", "ArchtoolCommands"]
    ),
    .target(
      name: "TestSupport",
      dependencies: ["ArchiveBasics", "FileTransactions", "KeyedArchives", "ArchiveGraph"],
      path: "Tests/TestSupport"
    ),
    .executableTarget(
      name: "FoundationJudge", path: "Tests/FoundationJudge"),
    .executableTarget(
      name: "ListClasses", dependencies: ["ArchiveKit"], path: "Tests/ListClasses"),
    .testTarget(
      name: "QueriesTests",
      dependencies: [
        "ArchiveBasics", "FoundationJudge", "KeyedArchives", "ArchiveGraph", "ArchivePropertyLists",
        "ArchiveQueries",
        "TestSupport",
      ]),
    .testTarget(
      name: "BasicsTests",
      dependencies: ["ArchiveBasics", "FileTransactions", "ArchiveGraph", "TestSupport"]),
    .testTarget(
      name: "BatchesTests",
      dependencies: [
        "ArchiveBasics", "ArchiveBatches", "CommandLineInterface", "FileTransactions",
        "ArchiveMigrations",
        "ArchiveGraph", "ArchivePropertyLists", "TestSupport",
      ]),
    .testTarget(
      name: "CommandsTests",
      dependencies: [
        "ArchiveBasics", "ArchiveBatches", "CommandLineInterface", "ArchtoolCommands",
        "FileTransactions",
        "KeyedArchives", "ArchiveMigrations", "ArchiveGraph", "ArchivePropertyLists", "TestSupport",
      ]),
    .testTarget(
      name: "ObjectGraphTests", dependencies: ["ArchiveBasics", "ArchiveGraph", "TestSupport"]),
    .testTarget(name: "HouseTests", dependencies: ["TestSupport"]),
    .testTarget(
      name: "ArchiveKitTests",
      dependencies: ["ArchiveKit", "KeyedArchives", "ListClasses", "ArchiveGraph", "TestSupport"]),
    .testTarget(
      name: "PropertyListsTests",
      dependencies: [
        "ArchiveBasics", "KeyedArchives", "ArchiveGraph", "ArchivePropertyLists", "TestSupport",
      ]
    ),
    .testTarget(
      name: "KeyedArchivesTests",
      dependencies: [
        "ArchiveBasics", "ArchiveBatches", "FileTransactions", "KeyedArchives", "ArchiveGraph",
        "ArchivePropertyLists",
        "ArchiveQueries", "ArchiveRendering", "TestSupport",
      ]
    ),
    .testTarget(
      name: "TypedStreamsTests",
      dependencies: [
        "archtool", "ArchiveBasics", "KeyedArchives", "ArchiveGraph", "ArchivePropertyLists",
        "ArchiveRendering",
        "TestSupport", "ArchiveTypedStreams",
      ]
    ),
    .testTarget(
      name: "ConversionTests",
      dependencies: [
        "ArchiveBasics", "KeyedArchives", "ArchiveGraph", "ArchivePropertyLists", "TestSupport",
      ]
    ),
    .testTarget(
      name: "SchemasTests",
      dependencies: [
        "ArchiveBasics", "KeyedArchives", "ArchiveGraph", "ArchivePropertyLists", "ArchivePatterns",
        "ArchiveSchemas",
        "TestSupport",
      ]
    ),
    .testTarget(
      name: "RegularExpressionsTests",
      dependencies: ["ArchivePatterns", "TestSupport"]
    ),
    .testTarget(
      name: "JSONSchemaSuiteTests",
      dependencies: [
        "ArchiveBasics", "KeyedArchives", "ArchiveGraph", "ArchivePropertyLists", "ArchiveSchemas",
        "TestSupport",
      ],
      exclude: ["Remotes"]
    ),
    .testTarget(
      name: "MigrationsTests",
      dependencies: [
        "ArchiveBasics", "ArchiveBatches", "FileTransactions", "KeyedArchives", "ArchiveMigrations",
        "ArchiveGraph",
        "ArchivePropertyLists", "ArchiveQueries", "ArchiveSchemas", "TestSupport",
      ]
    ),
    .executableTarget(
      name: "TransactionPeer",
      dependencies: [
        "ArchiveBasics", "FileTransactions", "ArchiveMigrations", "ArchiveGraph",
        "ArchivePropertyLists",
      ],
      path: "Tests/TransactionPeer"
    ),
    .testTarget(
      name: "FileTransactionsTests",
      dependencies: [
        "archtool", "ArchiveBasics", "FileTransactions", "ArchiveMigrations", "ArchiveGraph",
        "TestSupport",
        "TransactionPeer",
      ]
    ),
    .testTarget(
      name: "RenderingTests",
      dependencies: [
        "ArchiveBasics", "KeyedArchives", "ArchiveGraph", "ArchivePropertyLists",
        "ArchiveRendering", "ArchiveSchemas",
        "TestSupport",
      ]
    ),
    .testTarget(
      name: "CommandLineInterfaceTests",
      dependencies: ["ArchiveBasics", "CommandLineInterface", "ArchiveGraph", "TestSupport"]
    ),
    .testTarget(
      name: "Fuzzing",
      dependencies: [
        "ArchiveBasics", "ArchiveBatches", "FileTransactions", "KeyedArchives", "ArchiveMigrations",
        "ArchiveGraph",
        "ArchivePropertyLists", "ArchiveQueries", "ArchivePatterns", "ArchiveRendering",
        "ArchiveSchemas", "ArchiveTypedStreams",
      ],
      exclude: ["Dictionaries", "suppressed-leaks.txt"]
    ),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "archtool", "ArchiveBasics", "CommandLineInterface", "ArchtoolCommands", "FileTransactions",
        "FoundationJudge", "ArchiveGraph", "TestSupport",
      ],
      exclude: ["Fixtures"]
    ),
  ]
)

// A file sees the members of the targets that it imports, and no others.
for target in package.targets where target.type != .system && target.type != .plugin {
  target.swiftSettings = [.enableUpcomingFeature("MemberImportVisibility")]
}
