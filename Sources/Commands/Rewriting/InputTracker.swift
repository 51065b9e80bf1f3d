// Decides which inputs a run accepts, and records them before they are rewritten.

import Basics
import Batches
import FileTransactions
import Migrations

/// Called for each input, in order, on the calling thread.
final class InputTracker {
  private let session: Session
  private let continuation: RunOrigin
  private let lock: RunLock
  private let destination: TransactionOutput.Destination
  /// The last folder that was checked, and the run that has locked it.
  private var folder: (path: String, holder: String?) = ("", nil)
  /// The files of the plan that have not appeared yet.
  private var missing: Set<CodePointString> = []

  /// The locations of the inputs so far.
  ///
  /// It is nil if no file can be named twice, so that memory does not grow with their number.
  private var places: Set<CodePointString>?

  /// - Parameters:
  ///   - destination: the destination of the results.
  ///   - areDistinct: whether no file can be named twice.
  init(
    _ session: Session, _ continuation: RunOrigin, _ lock: RunLock,
    _ destination: TransactionOutput.Destination, areDistinct: Bool
  ) {
    self.destination = destination
    // The second occurrence of a file must be skipped only if files are replaced.
    if !areDistinct, case .inPlace = destination { places = [] }
    self.session = session
    self.continuation = continuation
    self.lock = lock
    missing = Set((continuation.plan?.files ?? []).map { CodePointString($0) })
  }

  /// Whether an input is to be rewritten.
  func shouldProcess(_ input: Input) -> Bool {
    if continuation.plan != nil, missing.remove(CodePointString(input.path)) == nil { return false }
    if isRepeated(input) {
      session.printNote("\(input.name): was named twice")
      return false
    }
    if let kind = ownKind(input) {
      session.printNote("\(input.name): is \(kind); left alone")
      return false
    }
    if let recovery = continuation.recovery, isSettled(input, by: recovery) { return false }
    if let holder = holder(of: input) {
      session.report(ArchiveError(.cannotCreate, holder), file: input.name)
      return false
    }
    return true
  }

  /// The kind of a file that archtool itself wrote and that must not be replaced even if named; nil for other files.
  private func ownKind(_ input: Input) -> String? {
    guard case .inPlace = destination else { return nil }
    return SideFile.kind(ofFile: input.path)
  }

  private func isRepeated(_ input: Input) -> Bool {
    guard places != nil else { return false }
    do throws(ArchiveError) {
      let path = try TransactionOutput.place(of: input).path
      return places?.insert(CodePointString(path)).inserted == false
    } catch {
      // The error is reported when the file is opened.
      return false
    }
  }

  private func isSettled(_ input: Input, by recovery: Recovery) -> Bool {
    do throws(ArchiveError) {
      return recovery.settled(try TransactionOutput.place(for: input, destination).path) == .done
    } catch {
      // The error is reported when the file is opened.
      return false
    }
  }

  /// Another run that has locked the folder of an input.
  private func holder(of input: Input) -> String? {
    guard input.folder != nil else { return nil }
    let path = AtomicFile.folder(of: input.path)
    if folder.path != path { folder = (path, lock.isLocked(folder: path)) }
    return folder.holder
  }

  /// Reports the files of the plan that are missing.
  func finish() {
    for file in missing.sorted().map(\.text) {
      session.report(
        ArchiveError(.cannotOpen, "the plan names the file, and it is not there"), file: file)
    }
  }
}
