// What detection found last: the next file of a folder is most likely of the same app, and its model has the same members.

import KeyedArchives
import Synchronization

/// Keeps the versions that are nearest to the last model; threads may share it.
final class DetectionMemo {
  /// All that decides which versions are nearest, unless there is an error payload.
  struct Key: Equatable {
    private let members: Set<String>
    private let envelope: Envelope
    private let className: ClassName?
    private let topKey: String?
    private let family: String?

    /// Makes the key of a model with these members.
    ///
    /// - Parameter family: the only family to try; nil for all.
    init(_ members: Set<String>, of model: UnwrappedModel, _ family: SchemaFamily?) {
      self.members = members
      envelope = model.envelope
      className = model.className
      topKey = model.topKey
      self.family = family?.name
    }
  }

  private let lock = Mutex(())
  private var last: (key: Key, nearest: [Candidate])?

  /// The versions that are nearest to a model, found unless they are known.
  func nearest(_ key: Key, find: () -> [Candidate]) -> [Candidate] {
    var known: (key: Key, nearest: [Candidate])?
    lock.withLock { _ in known = last }
    if let known, known.key == key { return known.nearest }
    let nearest = find()
    lock.withLock { _ in last = (key, nearest) }
    return nearest
  }
}
