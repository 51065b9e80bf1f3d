// swift-tools-version: 6.0
import PackageDescription

// A package of its own: the peer needs Foundation, which archtool's own sources never import.
let package = Package(
  name: "FoundationPeer",
  platforms: [.macOS(.v14)],
  targets: [.executableTarget(name: "FoundationPeer")]
)
