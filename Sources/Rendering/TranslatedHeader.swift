// The headers of archives that are shown as keyed archives but are not: typedstreams and NIBArchives.

import Basics
import KeyedArchives
import ObjectGraph
import PropertyLists
import TypedStreams

/// The header of a typedstream or NIBArchive.
struct TranslatedHeader {
  /// The header as text.
  let text: String
  /// The header for programs.
  let report: JSONTree

  /// Reads the header of a graph's input; nil for others.
  init?(_ graph: ObjectGraph) {
    let document = graph.documents[0]
    guard document.encoding.isLaidOutAsArchive,
      case .dictionary(let pairs) = graph.storedValue(of: Node(document: 0, index: document.top))
    else { return nil }
    var numbers: [String: Int64] = [:]
    var byteOrder = "little"
    for position in 0..<pairs.count {
      guard let key = graph.text(of: graph.key(pairs, position)) else { continue }
      switch graph.storedValue(of: graph.value(pairs, position)) {
      case .integer(let number): numbers[key.string] = number
      case .string(let text) where key.equals("$byteOrder"): byteOrder = text.string
      default: continue
      }
    }
    let name = document.encoding.name
    func number(_ key: String) -> Int64 { numbers[key] ?? 0 }
    if document.encoding == .typedStream {
      let (version, system) = (number("$streamVersion"), number("$systemVersion"))
      text = "\(name), version \(version), system version \(system), \(byteOrder)-endian"
      report = .members([
        ("kind", .string(name)), ("version", .integer(Int(version))),
        ("systemVersion", .integer(Int(system))), ("byteOrder", .string(byteOrder)),
      ])
    } else {
      let (version, coder) = (number("$formatVersion"), number("$coderVersion"))
      text = "\(name), version \(version), coder version \(coder)"
      report = .members([
        ("kind", .string(name)), ("version", .integer(Int(version))),
        ("coderVersion", .integer(Int(coder))),
      ])
    }
  }
}
