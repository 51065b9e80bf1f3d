// Edits to a file by the paths of values, one after another, all or none.

import Basics
import KeyedArchives
import ObjectGraph
import PropertyLists

/// One edit: what to do at a path.
public struct DocumentEdit: Sendable {
  /// What is done.
  public enum Operation: Sendable {
    /// Replaces a value, or adds a member to a dictionary.
    case set(EditValue)
    /// Adds a member that is not there yet, or inserts an element before the one at the index.
    case insert(EditValue)
    /// Adds an element after the last of the list at the path.
    case append(EditValue)
    /// Removes a value.
    case remove
    /// Gives a member another key.
    case renameKey(String)
    /// `add` of JSON Patch: replaces an existing member.
    case add(TypedValue)
    /// `replace` of JSON Patch.
    case replace(TypedValue)
    /// `move` of JSON Patch, from a path.
    case move(ValuePath)
    /// `copy` of JSON Patch, from a path.
    case copy(ValuePath)
    /// `test` of JSON Patch.
    case test(TypedValue)
  }

  /// Where it is done.
  public let path: ValuePath
  /// What is done.
  public let operation: Operation

  /// Makes an edit.
  public init(_ operation: Operation, at path: ValuePath) {
    self.operation = operation
    self.path = path
  }

  /// Takes an operation of JSON Patch.
  ///
  /// - Throws: `ArchiveError` with code `malformed` if a member is missing, or a path is not a JSON Pointer.
  public init(_ operation: PatchOperation) throws(ArchiveError) {
    path = try ValuePath(parsing: operation.path)
    func value() throws(ArchiveError) -> TypedValue {
      guard let value = operation.value else {
        throw ArchiveError(.malformed, "\(operation.kind.rawValue) needs the member 'value'")
      }
      return value
    }
    func source() throws(ArchiveError) -> ValuePath {
      guard let from = operation.from else {
        throw ArchiveError(.malformed, "\(operation.kind.rawValue) needs the member 'from'")
      }
      return try ValuePath(parsing: from)
    }
    switch operation.kind {
    case .add: self.operation = .add(try value())
    case .replace: self.operation = .replace(try value())
    case .test: self.operation = .test(try value())
    case .remove: self.operation = .remove
    case .move: self.operation = .move(try source())
    case .copy: self.operation = .copy(try source())
    }
  }
}
