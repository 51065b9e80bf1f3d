// An archive as an application meets it: opened by one call, its values as nodes that keep it alive.

import ArchiveBasics
import ArchiveGraph
import KeyedArchives

/// A file that was read: a keyed archive, a typedstream, or a property list of any encoding.
///
/// Values are decoded on demand. An archive and its nodes belong to one task at a time; open one in each
/// task that needs it.
public final class Archive {
  /// The error of an input, and its location.
  public typealias Error = ArchiveError

  let graph: ObjectGraph

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - path: where it is.
  ///   - recovering: whether a damaged file is read as far as possible; `losses` describes what is missing then.
  ///   - classes: classes of the application, whose objects have the values that these give.
  /// - Throws: `ArchiveError` if the file cannot be opened, or cannot be decoded.
  public convenience init(
    contentsOf path: String, recovering: Bool = false, classes: [any ArchivedClass.Type] = []
  ) throws(ArchiveError) {
    do throws(ArchiveError) {
      self.init(try ArchiveReader(recovering: recovering, classes: classes).read(.open(path: path)))
    } catch {
      throw error.inFile(path)
    }
  }

  /// Reads bytes.
  ///
  /// - Parameters:
  ///   - bytes: the contents of a file.
  ///   - recovering: whether damaged bytes are read as far as they go.
  ///   - classes: classes of the application, whose objects have the values that these give.
  /// - Throws: `ArchiveError` if the bytes cannot be decoded.
  public convenience init(
    bytes: some Sequence<UInt8>, recovering: Bool = false,
    classes: [any ArchivedClass.Type] = []
  ) throws(ArchiveError) {
    let storage = ByteStorage(copying: Array(bytes))
    self.init(try ArchiveReader(recovering: recovering, classes: classes).read(storage))
  }

  private init(_ graph: ObjectGraph) { self.graph = graph }

  /// The root object of a keyed archive, the top of a property list.
  public var root: ArchiveNode { ArchiveNode(self, graph.root) }

  /// Each value reachable from the root, once, in the order in which they are stored; archives in data values are
  /// entered.
  public var nodes: ArchiveNodes { ArchiveNodes(from: root) }

  /// What could be read and is questionable.
  public var warnings: [ArchiveError] { graph.warnings }

  /// What could not be read of a damaged file.
  public var losses: [ArchiveError] { graph.losses }

  /// Decodes the root, as `ArchiveNode.decode(_:)` does.
  public func decode<Model: Decodable>(_ type: Model.Type = Model.self) throws -> Model {
    try root.decode(type)
  }
}
