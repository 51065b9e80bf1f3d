// The key of the user who runs the program, in archtool's folder among the user's state.

import Basics
import CommandLineInterface
import FileTransactions

/// The location of the key that seals the user's journals and plans.
package enum UserKey {
  private static var folder: String? { XDGFolder.state.map { $0 + "/archtool" } }

  /// The key, which is created if it is missing.
  ///
  /// - Throws: `ArchiveError` if there is no folder for it, or the error of `SealingKey`.
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
  /// - Throws: the error of `SealingKey`.
  package static func found() throws(ArchiveError) -> SealingKey? {
    guard let folder else { return nil }
    return try SealingKey.found(in: folder)
  }
}

extension SealCheck {
  /// A check under `--trust`.
  ///
  /// - Throws: the error of `SealingKey`, unless nothing must be verified.
  package init(_ arguments: ParsedArguments) throws(ArchiveError) {
    let isWaived = arguments.has(.trust)
    do throws(ArchiveError) {
      self.init(key: try UserKey.found(), isWaived: isWaived)
    } catch {
      // A user who trusts a journal needs no key.
      guard isWaived else { throw error }
      self.init(key: nil, isWaived: true)
    }
  }
}
