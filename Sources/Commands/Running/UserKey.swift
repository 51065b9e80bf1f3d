// The key of the user who runs the program, in archtool's folder among the user's state.

import Basics
import CommandLineInterface
import FileTransactions

/// Where the key is that seals the user's journals and plans.
public enum UserKey {
  private static var folder: String? { XDGFolder.state.map { $0 + "/archtool" } }

  /// The key, which is made if there is none.
  ///
  /// - Throws: `ArchiveError` if there is no folder for it, or as `SealingKey` does.
  static func made() throws(ArchiveError) -> SealingKey {
    guard let folder else {
      throw ArchiveError(
        .cannotCreate,
        "no folder for the key that seals journals and plans: neither XDG_STATE_HOME nor HOME is set; set one of them"
      )
    }
    return try SealingKey.made(in: folder)
  }

  /// The key; nil if there is none.
  ///
  /// - Throws: as `SealingKey` does.
  public static func found() throws(ArchiveError) -> SealingKey? {
    guard let folder else { return nil }
    return try SealingKey.found(in: folder)
  }
}

extension SealCheck {
  /// A check under `--trust`.
  ///
  /// - Throws: as `SealingKey` does, unless nothing is to be verified.
  public init(_ arguments: ParsedArguments) throws(ArchiveError) {
    let isWaived = arguments.has(.trust)
    do throws(ArchiveError) {
      self.init(key: try UserKey.found(), isWaived: isWaived)
    } catch {
      // Whoever vouches for a journal needs no key.
      guard isWaived else { throw error }
      self.init(key: nil, isWaived: true)
    }
  }
}
