// swift-tools-version: 6.0
import PackageDescription

// The targets are floors: a target imports only targets that stand before it in this list.
let package = Package(
  name: "archtool",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "archtool", targets: ["archtool"]),
    .library(name: "ArchiveKit", targets: ["ArchiveKit"]),
    .library(name: "ObjectGraph", targets: ["ObjectGraph"]),
    .library(name: "PropertyLists", targets: ["PropertyLists"]),
    .library(name: "TypedStreams", targets: ["TypedStreams"]),
    .library(name: "KeyedArchives", targets: ["KeyedArchives"]),
    .library(name: "Schemas", targets: ["Schemas"]),
    .library(name: "Migrations", targets: ["Migrations"]),
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
    .systemLibrary(name: "CFileSystem"),
    .target(name: "ObjectGraph"),
    .target(name: "RegularExpressions", dependencies: ["CPCRE2", "ObjectGraph"]),
    .target(name: "PropertyLists", dependencies: ["CLibXML2", "CZLib", "ObjectGraph"]),
    .target(name: "TypedStreams", dependencies: ["ObjectGraph"]),
    .target(name: "KeyedArchives", dependencies: ["ObjectGraph", "PropertyLists", "TypedStreams"]),
    .target(
      name: "Schemas",
      dependencies: [
        "CIDN2", "KeyedArchives", "ObjectGraph", "PropertyLists", "RegularExpressions",
      ],
      resources: [.embedInCode("Families"), .embedInCode("MetaSchemas")]
    ),
    .target(
      name: "Migrations",
      dependencies: [
        "CFileSystem", .target(name: "COpenSSL", condition: .when(platforms: [.linux])),
        "KeyedArchives", "ObjectGraph", "PropertyLists", "Schemas",
      ]
    ),
    .target(name: "ArchiveKit", dependencies: ["KeyedArchives", "ObjectGraph"]),
    .target(
      name: "Rendering",
      dependencies: ["KeyedArchives", "ObjectGraph", "PropertyLists", "Schemas"]
    ),
    .target(
      name: "CommandLineInterface",
      dependencies: ["KeyedArchives", "Migrations", "ObjectGraph", "PropertyLists", "Schemas"]
    ),
    .executableTarget(
      name: "archtool",
      dependencies: [
        "CommandLineInterface", "KeyedArchives", "Migrations", "ObjectGraph", "PropertyLists",
        "Rendering", "Schemas",
      ]
    ),
    .target(
      name: "TestSupport",
      dependencies: ["KeyedArchives", "ObjectGraph"],
      path: "Tests/TestSupport"
    ),
    .executableTarget(name: "FoundationJudge", path: "Tests/FoundationJudge"),
    .executableTarget(
      name: "ListClasses", dependencies: ["ArchiveKit"], path: "Tests/ListClasses"),
    .testTarget(name: "ObjectGraphTests", dependencies: ["ObjectGraph"]),
    .testTarget(name: "HouseTests", dependencies: ["TestSupport"]),
    .testTarget(
      name: "ArchiveKitTests", dependencies: ["ArchiveKit", "ListClasses", "TestSupport"]),
    .testTarget(
      name: "PropertyListsTests",
      dependencies: ["KeyedArchives", "ObjectGraph", "PropertyLists", "TestSupport"]
    ),
    .testTarget(
      name: "KeyedArchivesTests",
      dependencies: ["KeyedArchives", "ObjectGraph", "PropertyLists", "Rendering", "TestSupport"]
    ),
    .testTarget(
      name: "TypedStreamsTests",
      dependencies: [
        "archtool", "KeyedArchives", "ObjectGraph", "PropertyLists", "Rendering", "TestSupport",
        "TypedStreams",
      ]
    ),
    .testTarget(
      name: "ConversionTests",
      dependencies: ["KeyedArchives", "ObjectGraph", "PropertyLists", "TestSupport"]
    ),
    .testTarget(
      name: "SchemasTests",
      dependencies: [
        "KeyedArchives", "ObjectGraph", "PropertyLists", "RegularExpressions", "Schemas",
        "TestSupport",
      ]
    ),
    .testTarget(
      name: "RegularExpressionsTests",
      dependencies: ["RegularExpressions", "TestSupport"]
    ),
    .testTarget(
      name: "JSONSchemaSuiteTests",
      dependencies: ["KeyedArchives", "ObjectGraph", "PropertyLists", "Schemas", "TestSupport"],
      exclude: ["Remotes"]
    ),
    .testTarget(
      name: "MigrationsTests",
      dependencies: [
        "KeyedArchives", "Migrations", "ObjectGraph", "PropertyLists", "Schemas", "TestSupport",
      ]
    ),
    .executableTarget(
      name: "TransactionPeer",
      dependencies: ["Migrations", "ObjectGraph"],
      path: "Tests/TransactionPeer"
    ),
    .testTarget(
      name: "TransactionsTests",
      dependencies: ["archtool", "Migrations", "ObjectGraph", "TestSupport", "TransactionPeer"]
    ),
    .testTarget(
      name: "RenderingTests",
      dependencies: [
        "KeyedArchives", "ObjectGraph", "PropertyLists", "Rendering", "Schemas", "TestSupport",
      ]
    ),
    .testTarget(
      name: "CommandLineInterfaceTests",
      dependencies: [
        "CommandLineInterface", "KeyedArchives", "Migrations", "ObjectGraph", "PropertyLists",
        "TestSupport",
      ]
    ),
    .testTarget(
      name: "Fuzzing",
      dependencies: [
        "CommandLineInterface", "KeyedArchives", "Migrations", "ObjectGraph", "PropertyLists",
        "RegularExpressions", "Rendering", "Schemas", "TypedStreams",
      ],
      exclude: ["Dictionaries", "suppressed-leaks.txt"]
    ),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "archtool", "CommandLineInterface", "FoundationJudge", "ObjectGraph", "TestSupport",
      ],
      exclude: ["Fixtures"]
    ),
  ]
)
