// Web archives of Safari and WebKit: property lists with a page, what it loads, and the pages of its frames.
//
// Format facts: WebKit, LegacyWebArchive.cpp.

import ArchiveBasics
import ArchiveGraph

/// A page, picture, script or other file of a web archive.
package struct WebResource {
  /// Where it was loaded from.
  package let url: String
  /// Its media type; nil if that is not stored.
  package let mediaType: String?
  /// Its bytes, which the graph keeps.
  package let data: ByteView

  /// The resources of the web archive at a node, those of its frames included.
  ///
  /// - Throws: `ArchiveError` with code `mismatch` if the value is no web archive.
  package static func all(in archive: Node, of graph: ObjectGraph) throws(ArchiveError)
    -> [WebResource]
  {
    func member(_ key: String, _ node: Node) -> Node? {
      try? graph.node(at: GraphPath([.key(key)]), from: node)
    }
    func elements(_ key: String, _ node: Node) -> [Node] {
      guard let list = member(key, node), case .array(let elements) = graph.value(of: list) else {
        return []
      }
      return (0..<elements.count).map { graph.node(elements, $0) }
    }
    guard member("WebMainResource", archive) != nil else {
      throw ArchiveError(
        .mismatch, "the value is no web archive, which has the key WebMainResource",
        offset: graph.fileOffset(of: archive))
    }
    var resources: [WebResource] = []
    var frames = [archive]
    // A frame may be in several lists, or in itself.
    var known: Set<Node> = [archive]
    while let frame = frames.popLast() {
      let main = member("WebMainResource", frame).map { [$0] } ?? []
      for resource in main + elements("WebSubresources", frame) {
        guard let data = member("WebResourceData", resource),
          case .data(let bytes) = graph.value(of: data)
        else { continue }
        let text = { (key: String) in member(key, resource).flatMap { graph.text(of: $0)?.string } }
        resources.append(
          WebResource(
            url: text("WebResourceURL") ?? "", mediaType: text("WebResourceMIMEType"), data: bytes))
      }
      frames += elements("WebSubframeArchives", frame).reversed().filter {
        known.insert($0).inserted
      }
    }
    return resources
  }

  /// The name of a file for the resource: the last part of its URL, with an extension of its type if it has none.
  package var fileName: (stem: String, extension: String) {
    let parts = URLReference(url)
    // The path of a data URL is its content.
    let path = parts.scheme == "data" ? "" : parts.path
    let last = path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) }
    let name = last.map { PercentEncoding.decoded($0) ?? $0 } ?? parts.authority ?? "resource"
    let dot = last == nil ? nil : name.utf8.dropFirst().lastIndex(of: UInt8(ascii: "."))
    if let dot, (2...6).contains(name.utf8[dot...].count),
      name.utf8[dot...].dropFirst().allSatisfy({
        Character(Unicode.Scalar($0)).isLetter || $0 < 0x3A
      })
    {
      return (String(name[..<dot]), String(name[dot...]))
    }
    return (name, mediaType.flatMap { Self.extensions[$0.lowercased()] }.map { "." + $0 } ?? "")
  }

  /// The extensions of the media types of web pages (IANA, Media Types).
  private static let extensions = [
    "text/html": "html", "application/xhtml+xml": "xhtml", "text/css": "css", "text/plain": "txt",
    "text/javascript": "js", "application/javascript": "js", "application/x-javascript": "js",
    "application/json": "json", "text/xml": "xml", "application/xml": "xml",
    "application/pdf": "pdf", "image/png": "png", "image/jpeg": "jpg", "image/gif": "gif",
    "image/svg+xml": "svg", "image/webp": "webp", "image/x-icon": "ico",
    "image/vnd.microsoft.icon": "ico", "image/tiff": "tiff", "font/woff": "woff",
    "font/woff2": "woff2", "font/ttf": "ttf", "audio/mpeg": "mp3", "video/mp4": "mp4",
  ]
}
