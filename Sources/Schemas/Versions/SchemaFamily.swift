// A family of schemas: one model in all versions that an application has written.

import Basics
import PropertyLists

/// A family of schemas.
public final class SchemaFamily {
  /// A payload that a service sends instead of the model when a request fails.
  public struct ErrorPayload: Sendable {
    /// The name of the payload.
    public let name: String
    /// The member that holds the error's code.
    public let code: String
    /// The member that holds the error's message.
    public let message: String
  }

  /// How a model is created from a service's answer.
  public struct Creation: Sendable {
    /// The member that a plain list becomes.
    public let list: String
    /// The member with the time when the answer was fetched.
    public let stamp: String
  }

  /// The family's name.
  public let name: String
  /// A description of the model.
  public let title: String
  /// The versions, oldest first.
  public let versions: [SchemaVersion]
  /// The payloads of errors that may replace the model.
  public let errorPayloads: [ErrorPayload]
  /// How a model is created from a service's answer; nil if the answer is the model.
  public let creation: Creation?

  /// The folder that it was read from; nil for built-in families.
  public let folder: String?
  /// Whether the program has it from the start, as an example.
  var isBuiltIn: Bool { folder == nil }

  /// Reads a family.
  ///
  /// - Parameters:
  ///   - tree: `family.json`.
  ///   - folder: the folder of the file.
  ///   - version: returns the version with a name.
  /// - Throws: `ArchiveError` if one of the files is invalid.
  init(
    _ tree: JSONTree, folder: String? = nil,
    version: (_ family: String, _ name: String) throws(ArchiveError) -> SchemaVersion
  ) throws(ArchiveError) {
    guard let name = tree["family"]?.string, !name.isEmpty, !name.contains("@") else {
      throw ArchiveError(
        .malformed, "the family must have a name, without '@', in 'family'",
        path: GraphPath([.key("family")]))
    }
    guard let names = tree["versions"]?.list?.compactMap(\.string), !names.isEmpty,
      Set(names).count == tree["versions"]?.list?.count
    else {
      throw ArchiveError(
        .malformed, "the family must list its versions, oldest first, in 'versions'",
        path: GraphPath([.key("versions")]))
    }
    self.name = name
    self.folder = folder
    title = tree["title"]?.string ?? name
    var versions: [SchemaVersion] = []
    for each in names { versions.append(try version(name, each)) }
    self.versions = versions
    errorPayloads = Self.errorPayloads(tree["errorPayloads"])
    creation = tree["create"].flatMap { create in
      guard let list = create["list"]?.string, let stamp = create["stamp"]?.string else {
        return nil
      }
      return Creation(list: list, stamp: stamp)
    }
  }

  private static func errorPayloads(_ tree: JSONTree?) -> [ErrorPayload] {
    (tree?.list ?? []).compactMap { payload in
      guard let name = payload["name"]?.string, let code = payload["code"]?.string,
        let message = payload["message"]?.string
      else { return nil }
      return ErrorPayload(name: name, code: code, message: message)
    }
  }

  /// The version with a name; nil if there is none.
  public func version(_ name: String) -> SchemaVersion? { versions.first { $0.name == name } }
}
