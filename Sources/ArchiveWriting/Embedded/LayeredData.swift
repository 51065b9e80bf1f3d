// Layers around an archive or a JSON text in a value: Base64, gzip and keyed archives, taken off and put on again.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import KeyedArchives

/// A layer around the bytes that a value holds.
package enum DataLayer: String, Sendable, CaseIterable {
  /// The bytes as text.
  case base64
  /// Compressed bytes.
  case gzip
  /// A keyed archive whose root is data or a string.
  case archive
}

/// The bytes in a value of a file, without the layers around them.
package struct LayeredData {
  /// A layer with what it is written again from.
  private enum Layer {
    case base64(Base64Text)
    case gzip(ByteStorage, GzipReader.Contents)
    case archive(EmbeddedArchives)

    var kind: DataLayer {
      switch self {
      case .base64: .base64
      case .gzip: .gzip
      case .archive: .archive
      }
    }
  }

  /// The innermost bytes.
  package private(set) var content: ByteStorage
  /// From the outermost on.
  private var layers: [Layer] = []
  private let limits: Limits

  /// The kinds of the layers, from the outermost on.
  package var kinds: [DataLayer] { layers.map(\.kind) }

  /// Takes off the layers that the bytes show to have.
  ///
  /// - Parameters:
  ///   - storage: the bytes of a data value, or the UTF-8 of a string.
  ///   - kinds: the kinds of layers to look for.
  ///   - allowance: how many bytes may still come out of compressed data.
  /// - Throws: `ArchiveError` with code `limit`.
  package init(
    _ storage: ByteStorage, lookingFor kinds: [DataLayer] = DataLayer.allCases, limits: Limits,
    allowance: inout Int
  ) throws(ArchiveError) {
    (content, self.limits) = (storage, limits)
    while let layer = try Self.layer(of: content, kinds, limits, &allowance) {
      try add(layer)
    }
  }

  /// Takes off the layers that a schema names.
  ///
  /// - Throws: `ArchiveError` with code `mismatch` if the bytes do not have one of them, or with code `limit`.
  package init(
    _ storage: ByteStorage, named kinds: [DataLayer], limits: Limits, allowance: inout Int
  ) throws(ArchiveError) {
    (content, self.limits) = (storage, limits)
    for kind in kinds { try add(try Self.layer(kind, of: content, limits, &allowance)) }
  }

  private mutating func add(_ layer: Layer) throws(ArchiveError) {
    guard layers.count < limits.nesting else {
      throw ArchiveError(.limit, "the value has more than \(limits.nesting) layers of encodings")
    }
    layers.append(layer)
    switch layer {
    case .base64(let text): content = text.content
    case .gzip(_, let contents): content = contents.storage
    case .archive(let archive): content = archive.parts[0].storage
    }
  }

  // MARK: Taking off

  /// The outermost layer, if what is within is worth it; nil for others.
  private static func layer(
    of storage: ByteStorage, _ kinds: [DataLayer], _ limits: Limits, _ allowance: inout Int
  ) throws(ArchiveError) -> Layer? {
    defer { withExtendedLifetime(storage) {} }
    let bytes = storage.bytes
    if Formats.isCompressed(bytes) {
      guard kinds.contains(.gzip) else { return nil }
      let contents = try inflated(bytes, &allowance)
      return contents.map { Layer.gzip(storage, $0) }
    }
    if kinds.contains(.base64), let text = Base64Text(bytes), isContent(text.content) {
      return .base64(text)
    }
    guard kinds.contains(.archive), Formats.all.looksNested(bytes),
      let archive = try? EmbeddedArchives(rootOf: storage, limits: limits),
      let content = archive.parts.first?.storage, isContent(content)
    else { return nil }
    // Data with a property list is what Codable's envelope has.
    guard Formats.all.looksNested(content.bytes) else { return .archive(archive) }
    let inner = try? ArchiveReader(limits: limits).read(content, nested: false)
    return inner?.documents[0].archive == nil ? nil : .archive(archive)
  }

  private static func inflated(
    _ bytes: ByteView, _ allowance: inout Int
  ) throws(ArchiveError) -> GzipReader.Contents? {
    do throws(ArchiveError) {
      let contents = try GzipReader.read(bytes, fileOffset: nil, limit: allowance)
      allowance -= contents.storage.bytes.count
      return isContent(contents.storage) ? contents : nil
    } catch {
      if error.code == .limit {
        allowance = 0
        throw error
      }
      // Who reads it as an archive says what is wrong.
      return nil
    }
  }

  /// Whether bytes are JSON, or begin as an archive or as one in layers.
  package static func holdsContent(_ bytes: ByteView) -> Bool {
    isContent(ByteStorage(copying: bytes))
  }

  /// Whether bytes begin as something that is worth a layer around it.
  private static func isContent(_ storage: ByteStorage, inText: Bool = true) -> Bool {
    withExtendedLifetime(storage) {
      let bytes = storage.bytes
      return Formats.all.looksNested(bytes) || Formats.isCompressed(bytes)
        || JSONLayout.isJSON(bytes)
        || inText && Base64Text(bytes).map { isContent($0.content, inText: false) } == true
    }
  }

  private static func layer(
    _ kind: DataLayer, of storage: ByteStorage, _ limits: Limits, _ allowance: inout Int
  ) throws(ArchiveError) -> Layer {
    defer { withExtendedLifetime(storage) {} }
    let bytes = storage.bytes
    switch kind {
    case .base64:
      guard let text = Base64Text(bytes) else { throw ArchiveError(.mismatch, "not Base64") }
      return .base64(text)
    case .gzip:
      guard Formats.isCompressed(bytes) else {
        throw ArchiveError(.mismatch, "not gzip-compressed")
      }
      let contents = try GzipReader.read(bytes, fileOffset: nil, limit: allowance)
      allowance -= contents.storage.bytes.count
      return .gzip(storage, contents)
    case .archive:
      guard Formats.all.looksNested(bytes) else {
        throw ArchiveError(.mismatch, "no keyed archive")
      }
      return .archive(try EmbeddedArchives(rootOf: storage, limits: limits))
    }
  }

  // MARK: Putting on

  /// Other bytes in the same layers: JSON in the layout of the old text.
  ///
  /// - Throws: `ArchiveError` if a layer cannot be written as it was.
  package func wrapped(_ new: ByteStorage) throws(ArchiveError) -> ByteStorage {
    let inner = try JSONRestoring.text(of: new, like: content, limits: limits)
    var bytes = inner
    for layer in layers.reversed() { bytes = try Self.wrapped(bytes, in: layer) }
    var allowance = limits.inflation(of: bytes.bytes.count)
    let copy = try LayeredData(bytes, named: kinds, limits: limits, allowance: &allowance)
    let isSame = withExtendedLifetime((copy, inner)) {
      copy.content.bytes.elementsEqual(inner.bytes)
    }
    guard isSame else {
      throw ArchiveError(.unrepresentable, "the value cannot hold the new content")
    }
    return bytes
  }

  private static func wrapped(
    _ bytes: ByteStorage, in layer: Layer
  ) throws(ArchiveError) -> ByteStorage {
    defer { withExtendedLifetime(bytes) {} }
    switch layer {
    case .base64(let text):
      guard text.isReproducible else {
        throw ArchiveError(
          .unsupported, "the Base64 has lines or padding that are not written again as they are")
      }
      return ByteStorage(copying: text.encoded(bytes.bytes))
    case .gzip(let old, let contents):
      guard contents.memberCount == 1, contents.surplus == 0 else {
        throw ArchiveError(
          .unsupported, "the gzip-compressed data has several parts, which would become one")
      }
      return try withExtendedLifetime(old) { () throws(ArchiveError) in
        try GzipWriter.write(bytes.bytes, like: old.bytes)
      }
    case .archive(let archive): return try archive.replacing([0: bytes])
    }
  }
}

// MARK: - New layers

extension LayeredData {
  /// Bytes in new layers, from the outermost on.
  ///
  /// - Throws: `ArchiveError` with code `unsupported` if zlib is not installed.
  package static func wrapping(
    _ content: ByteStorage, in kinds: [DataLayer]
  ) throws(ArchiveError) -> ByteStorage {
    var bytes = content
    for kind in kinds.reversed() {
      let inner = bytes
      switch kind {
      case .base64: bytes = ByteStorage(copying: Array(Base64.text(inner.bytes).utf8))
      case .gzip: bytes = try GzipWriter.write(inner.bytes)
      case .archive:
        let archive = KeyedWriter.dataArchive(topKey: UnwrappedModel.rootKey)
        var patch = TablePatch(archive.document)
        patch.replace(archive.data, with: TablePatch.encoded(data: inner.bytes))
        bytes = try patch.write().intoStorage()
      }
      withExtendedLifetime(inner) {}
    }
    return bytes
  }
}

// MARK: - The content of a value in a graph

extension ObjectGraph {
  /// The root of the archive that a value shows to hold in layers, and these; nil without one, and for JSON, whose text
  /// counts.
  func layeredArchive(in node: Node) -> (root: Node, layers: [DataLayer])? {
    guard let storage = layeredBytes(of: node)?.bytes,
      let layered = try? LayeredData(storage, limits: limits, allowance: &inflationAllowance),
      withExtendedLifetime(layered, { Formats.all.looksNested(layered.content.bytes) }),
      let root = try? content(of: node, in: layered.kinds)
    else { return nil }
    return (root, layered.kinds)
  }

  /// The bytes of a data value, or of a string in UTF-8; nil for other values.
  func layeredBytes(of node: Node) -> (bytes: ByteStorage, isText: Bool)? {
    switch value(of: node) {
    case .data(let bytes): (ByteStorage(copying: bytes), false)
    case .string(let text): (ByteStorage(copying: Array(text.string.utf8)), true)
    default: nil
    }
  }

  /// The root of what a data value or a string holds in layers that a schema names; nil for other values.
  ///
  /// - Throws: `ArchiveError` if the value does not have the layers, or its content cannot be decoded.
  package func content(of node: Node, in layers: [DataLayer]) throws(ArchiveError) -> Node? {
    let name = layers.map(\.rawValue).joined(separator: " ")
    if let known = layeredContents[name]?[node] { return known }
    guard let storage = layeredBytes(of: node)?.bytes,
      let reader = nestedReader as? ArchiveReader
    else { return nil }
    let layered = try LayeredData(
      storage, named: layers, limits: limits, allowance: &inflationAllowance)
    let root = try reader.open(layered.content, heldBy: node, in: self)
    layeredContents[name, default: [:]][node] = root
    return root
  }
}

// MARK: - JSON that keeps the layout of the text before

/// Gives JSON the layout of an older text.
enum JSONRestoring {
  /// A text in the layout of another, if both are JSON; else as it is.
  ///
  /// - Throws: `ArchiveError` if the new text cannot be read.
  static func text(
    of new: ByteStorage, like old: ByteStorage, limits: Limits
  ) throws(ArchiveError) -> ByteStorage {
    defer { withExtendedLifetime((new, old)) {} }
    guard JSONLayout.isJSON(new.bytes), JSONLayout.isJSON(old.bytes) else { return new }
    let graph = try ArchiveReader(limits: limits).read(new, nested: false)
    for comparesNumbers in [true, false] {
      guard
        let text = JSONLayout.text(
          of: new.bytes, like: old.bytes, comparesNumbers: comparesNumbers)
      else { return new }
      let storage = ByteStorage(copying: text)
      let copy = try ArchiveReader(limits: limits).read(storage, nested: false)
      if StoredComparison.areSame(graph.documents[0], copy.documents[0]) { return storage }
    }
    return new
  }
}
