// swift-tools-version: 6.0
import PackageDescription

// The targets are floors: a target imports only targets that stand before it in this list.
let package = Package(
  name: "archtool",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "archtool", targets: ["archtool"]),
    .library(name: "ArchiveKit", targets: ["ArchiveKit"]),
    .library(name: "Basics", targets: ["Basics"]),
    .library(name: "ObjectGraph", targets: ["ObjectGraph"]),
    .library(name: "PropertyLists", targets: ["PropertyLists"]),
    .library(name: "TypedStreams", targets: ["TypedStreams"]),
    .library(name: "KeyedArchives", targets: ["KeyedArchives"]),
    .library(name: "Schemas", targets: ["Schemas"]),
    .library(name: "Migrations", targets: ["Migrations"]),
    .library(name: "Queries", targets: ["Queries"]),
    .library(name: "Rendering", targets: ["Rendering"]),
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
    .target(name: "Basics", dependencies: ["CFileSystem", "CMemory"]),
    .target(name: "Databases", dependencies: ["Basics", "CSQLite"]),
    .target(name: "ObjectGraph", dependencies: ["Basics"]),
    .target(name: "RegularExpressions", dependencies: ["Basics", "CPCRE2"]),
    .target(
      name: "PropertyLists",
      dependencies: ["Basics", "CLibXML2", "CZLib", "ObjectGraph"]),
    .target(
      name: "TypedStreams", dependencies: ["Basics", "ObjectGraph"]),
    .target(
      name: "KeyedArchives",
      dependencies: ["Basics", "ObjectGraph", "PropertyLists", "TypedStreams"]),
    .target(
      name: "FileTransactions",
      dependencies: [
        "Basics", "CFileSystem", .target(name: "COpenSSL", condition: .when(platforms: [.linux])),
        "ObjectGraph", "PropertyLists",
      ]),
    .target(
      name: "Schemas",
      dependencies: [
        "Basics", "CIDN2", "KeyedArchives", "ObjectGraph", "PropertyLists", "RegularExpressions",
      ],
      resources: [.embedInCode("Families"), .embedInCode("MetaSchemas")]
    ),
    .target(
      name: "Queries",
      dependencies: [
        "Basics", "KeyedArchives", "ObjectGraph", "PropertyLists", "RegularExpressions",
      ]),
    .target(
      name: "Batches",
      dependencies: [
        "Basics", "Databases", "FileTransactions", "KeyedArchives", "ObjectGraph", "PropertyLists",
      ]),
    .target(
      name: "Migrations",
      dependencies: [
        "Basics", "Batches", "FileTransactions", "KeyedArchives", "ObjectGraph", "PropertyLists",
        "RegularExpressions", "Schemas",
      ]
    ),
    .target(
      name: "ArchiveKit",
      dependencies: ["Basics", "KeyedArchives", "ObjectGraph"]),
    .target(
      name: "Rendering",
      dependencies: [
        "Basics", "KeyedArchives", "ObjectGraph", "PropertyLists", "Queries", "Schemas",
        "TypedStreams",
      ],
      resources: [.embedInCode("Explorer/Page")]
    ),
    .target(
      name: "CommandLineInterface",
      dependencies: ["Basics"]
    ),
    .target(
      name: "Commands",
      dependencies: [
        "Basics", "Batches", "CommandLineInterface", "Databases", "FileTransactions",
        "KeyedArchives", "Migrations", "ObjectGraph", "PropertyLists", "Queries", "Rendering",
        "Schemas",
      ]),
    .executableTarget(
      name: "archtool",
      dependencies: ["Basics", "CommandLineInterface", "Commands"]
    ),
    .target(
      name: "TestSupport",
      dependencies: ["Basics", "FileTransactions", "KeyedArchives", "ObjectGraph"],
      path: "Tests/TestSupport"
    ),
    .executableTarget(
      name: "FoundationJudge", path: "Tests/FoundationJudge"),
    .executableTarget(
      name: "ListClasses", dependencies: ["ArchiveKit"], path: "Tests/ListClasses"),
    .testTarget(
      name: "QueriesTests",
      dependencies: [
        "Basics", "FoundationJudge", "KeyedArchives", "ObjectGraph", "PropertyLists", "Queries",
        "TestSupport",
      ]),
    .testTarget(
      name: "BasicsTests",
      dependencies: ["Basics", "FileTransactions", "ObjectGraph", "TestSupport"]),
    .testTarget(
      name: "BatchesTests",
      dependencies: [
        "Basics", "Batches", "CommandLineInterface", "FileTransactions", "Migrations",
        "ObjectGraph", "PropertyLists", "TestSupport",
      ]),
    .testTarget(
      name: "CommandsTests",
      dependencies: [
        "Basics", "Batches", "CommandLineInterface", "Commands", "FileTransactions",
        "KeyedArchives", "Migrations", "ObjectGraph", "PropertyLists", "TestSupport",
      ]),
    .testTarget(
      name: "ObjectGraphTests", dependencies: ["Basics", "ObjectGraph", "TestSupport"]),
    .testTarget(name: "HouseTests", dependencies: ["TestSupport"]),
    .testTarget(
      name: "ArchiveKitTests",
      dependencies: ["ArchiveKit", "KeyedArchives", "ListClasses", "ObjectGraph", "TestSupport"]),
    .testTarget(
      name: "PropertyListsTests",
      dependencies: ["Basics", "KeyedArchives", "ObjectGraph", "PropertyLists", "TestSupport"]
    ),
    .testTarget(
      name: "KeyedArchivesTests",
      dependencies: [
        "Basics", "Batches", "FileTransactions", "KeyedArchives", "ObjectGraph", "PropertyLists",
        "Queries", "Rendering", "TestSupport",
      ]
    ),
    .testTarget(
      name: "TypedStreamsTests",
      dependencies: [
        "archtool", "Basics", "KeyedArchives", "ObjectGraph", "PropertyLists", "Rendering",
        "TestSupport", "TypedStreams",
      ]
    ),
    .testTarget(
      name: "ConversionTests",
      dependencies: ["Basics", "KeyedArchives", "ObjectGraph", "PropertyLists", "TestSupport"]
    ),
    .testTarget(
      name: "SchemasTests",
      dependencies: [
        "Basics", "KeyedArchives", "ObjectGraph", "PropertyLists", "RegularExpressions", "Schemas",
        "TestSupport",
      ]
    ),
    .testTarget(
      name: "RegularExpressionsTests",
      dependencies: ["RegularExpressions", "TestSupport"]
    ),
    .testTarget(
      name: "JSONSchemaSuiteTests",
      dependencies: [
        "Basics", "KeyedArchives", "ObjectGraph", "PropertyLists", "Schemas", "TestSupport",
      ],
      exclude: ["Remotes"]
    ),
    .testTarget(
      name: "MigrationsTests",
      dependencies: [
        "Basics", "Batches", "FileTransactions", "KeyedArchives", "Migrations", "ObjectGraph",
        "PropertyLists", "Queries", "Schemas", "TestSupport",
      ]
    ),
    .executableTarget(
      name: "TransactionPeer",
      dependencies: ["Basics", "FileTransactions", "Migrations", "ObjectGraph", "PropertyLists"],
      path: "Tests/TransactionPeer"
    ),
    .testTarget(
      name: "FileTransactionsTests",
      dependencies: [
        "archtool", "Basics", "FileTransactions", "Migrations", "ObjectGraph", "TestSupport",
        "TransactionPeer",
      ]
    ),
    .testTarget(
      name: "RenderingTests",
      dependencies: [
        "Basics", "KeyedArchives", "ObjectGraph", "PropertyLists", "Rendering", "Schemas",
        "TestSupport",
      ]
    ),
    .testTarget(
      name: "CommandLineInterfaceTests",
      dependencies: ["Basics", "CommandLineInterface", "ObjectGraph", "TestSupport"]
    ),
    .testTarget(
      name: "Fuzzing",
      dependencies: [
        "Basics", "Batches", "FileTransactions", "KeyedArchives", "Migrations", "ObjectGraph",
        "PropertyLists", "Queries", "RegularExpressions", "Rendering", "Schemas", "TypedStreams",
      ],
      exclude: ["Dictionaries", "suppressed-leaks.txt"]
    ),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "archtool", "Basics", "CommandLineInterface", "Commands", "FileTransactions",
        "FoundationJudge", "ObjectGraph", "TestSupport",
      ],
      exclude: ["Fixtures"]
    ),
  ]
)

// A file sees the members of the targets that it imports, and no others.
for target in package.targets where target.type != .system && target.type != .plugin {
  target.swiftSettings = [.enableUpcomingFeature("MemberImportVisibility")]
}
