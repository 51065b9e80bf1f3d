// A family of schemas: one model in the versions that an application has written.

import Basics
import PropertyLists

/// A family of schemas.
public final class SchemaFamily {
  /// A payload that a service sends instead of the model when it refuses.
  public struct ErrorPayload: Sendable {
    /// What it is called.
    public let name: String
    /// The member that holds the error's code.
    public let code: String
    /// The member that holds the error's message.
    public let message: String
  }

  /// How a model is made from a service's answer.
  public struct Creation: Sendable {
    /// The member that a bare list becomes.
    public let list: String
    /// The member that says when the answer was fetched.
    public let stamp: String
  }

  /// The family's name.
  public let name: String
  /// What the model is.
  public let title: String
  /// The versions, oldest first.
  public let versions: [SchemaVersion]
  /// The payloads of errors that may stand where the model belongs.
  public let errorPayloads: [ErrorPayload]
  /// How a model is made from a service's answer; nil if the answer is the model.
  public let creation: Creation?

  /// The folder that it was read from; nil for those that are built in.
  public let folder: String?

  /// Reads a family.
  ///
  /// - Parameters:
  ///   - tree: `family.json`.
  ///   - folder: where it is from.
  ///   - version: gives the version of a name.
  /// - Throws: `ArchiveError` if one of the files is wrong.
  init(
    _ tree: JSONTree, folder: String? = nil,
    version: (_ family: String, _ name: String) throws(ArchiveError) -> SchemaVersion
  ) throws(ArchiveError) {
    guard let name = tree["family"]?.string, !name.isEmpty, !name.contains("@") else {
      throw ArchiveError(
        .malformed, "the family must have a name, without '@', in 'family'", path: "$.family")
    }
    guard let names = tree["versions"]?.list?.compactMap(\.string), !names.isEmpty,
      Set(names).count == tree["versions"]?.list?.count
    else {
      throw ArchiveError(
        .malformed, "the family must list its versions, oldest first, in 'versions'",
        path: "$.versions")
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

  /// The version of a name, nil if there is none.
  public func version(_ name: String) -> SchemaVersion? { versions.first { $0.name == name } }
}
