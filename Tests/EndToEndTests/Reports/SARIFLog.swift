// The parts of a SARIF log that tests use.

import Foundation

/// A log with its runs.
struct SARIFLog: Decodable {
  struct Run: Decodable {
    let tool: Tool
    let invocations: [Invocation]
    let results: [Result]
  }

  struct Tool: Decodable {
    let driver: Driver
  }

  struct Driver: Decodable {
    let rules: [Rule]
  }

  struct Rule: Decodable {
    let id: String
  }

  struct Invocation: Decodable {
    let executionSuccessful: Bool
    let toolExecutionNotifications: [Notification]?
  }

  struct Notification: Decodable {
    let message: Message
    let locations: [Location]
  }

  struct Message: Decodable {
    let text: String
  }

  struct Result: Decodable {
    let ruleId: String
    let ruleIndex: Int
    let level: String
    let locations: [Location]

    var path: String? { locations[0].logicalLocations?[0].fullyQualifiedName }
    var uri: String { locations[0].physicalLocation.artifactLocation.uri }
    var region: Region { locations[0].physicalLocation.region }
  }

  struct Location: Decodable {
    let physicalLocation: PhysicalLocation
    let logicalLocations: [LogicalLocation]?
  }

  struct LogicalLocation: Decodable {
    let fullyQualifiedName: String
  }

  struct PhysicalLocation: Decodable {
    let artifactLocation: ArtifactLocation
    let region: Region
  }

  struct ArtifactLocation: Decodable {
    let uri: String
  }

  struct Region: Decodable {
    let startLine: Int
    let byteOffset: Int?
    let byteLength: Int?
  }

  let runs: [Run]
}
