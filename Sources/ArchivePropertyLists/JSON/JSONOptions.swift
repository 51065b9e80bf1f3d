// How a graph becomes JSON.

import ArchiveGraph

extension JSONWriter {
  /// How the JSON is written.
  package struct Options: Sendable {
    /// Whether every type is written, so that the same graph can be made again.
    package var isTyped = false
    /// How values are tagged that objects of some classes are resolved to; nil for plain JSON.
    ///
    /// Then dates, data, sets, reals and large integers have the tags of typed JSON, and an object that stays one is
    /// `$object` with its class as people read it.
    package var valueTag: ValueTag?
    /// Whether plain JSON writes a container, long string or long data that is shared once, and refers to it afterwards.
    package var refersToShared = false
    /// Whether everything is on one line.
    package var isCompact = false
    /// Whether typed JSON includes the archiver and the version of an archive if they are not the usual ones.
    package var includesArchiver = false
    /// How many containers deep to go; deeper ones are shown as `"…"`.
    ///
    /// Nil for all.
    package var depth: Int?

    /// Makes the default options: plain, indented, whole.
    package init(isTyped: Bool = false, isCompact: Bool = false) {
      self.isTyped = isTyped
      self.isCompact = isCompact
    }
  }

  /// The tag of the text that objects of a class are resolved to; nil if it is an ordinary string.
  package typealias ValueTag = @Sendable (ClassDescription) -> StaticString?
}
