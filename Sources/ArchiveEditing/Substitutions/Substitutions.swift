// The names to be replaced in archives: the rules, without an archive.

import ArchiveBasics
import ArchiveWriting
import KeyedArchives

/// Rules for names in archives: classes, the archiver, the keys of fields.
///
/// All rules apply to the original archive, independently of each other. Of several for one name the first counts, so that
/// `A=B` and `B=A` together swap two names.
package struct Substitutions: Hashable, Sendable {
  /// Classes that get other names, wherever class records and typedstreams name them.
  package var classRenames: [ClassRename]
  /// The name that archives give for their archiver; nil to leave it.
  package var archiver: String?
  /// Classes, or patterns for them, whose objects become nil.
  package var droppedClasses: [String]
  /// Keys of fields that get other names.
  package var keyRenames: [KeyRename]
  /// Top-level keys that get other names.
  package var topRenames: [TopRename]
  /// Whether what nothing reaches is removed: dropped objects with what they alone held, and what lay there before.
  package var prunes: Bool
  /// Classes, or patterns for them, that no rule is for.
  package var exemptClasses: [String]

  /// Makes rules.
  package init(
    classRenames: [ClassRename] = [], archiver: String? = nil, droppedClasses: [String] = [],
    keyRenames: [KeyRename] = [], topRenames: [TopRename] = [], exemptClasses: [String] = [],
    prunes: Bool = false
  ) {
    self.classRenames = classRenames
    self.archiver = archiver
    self.droppedClasses = droppedClasses
    self.keyRenames = keyRenames
    self.topRenames = topRenames
    self.prunes = prunes
    self.exemptClasses = exemptClasses
  }

  /// Reads rules as they are written.
  ///
  /// - Parameters:
  ///   - classRenames: rules `OLD=NEW`.
  ///   - archiver: the name of an archiver.
  ///   - droppedClasses: class names or patterns.
  ///   - keyRenames: rules `CLASS.OLD=NEW`.
  ///   - topRenames: rules `OLD=NEW`.
  ///   - exemptClasses: names or patterns of classes that the rules leave alone.
  ///   - prunes: whether what nothing reaches is removed.
  /// - Throws: `ArchiveError` with code `malformed` at the first text that is not a rule.
  package init(
    classRenames: [String], archiver: String?, droppedClasses: [String], keyRenames: [String],
    topRenames: [String] = [], exemptClasses: [String] = [], prunes: Bool = false
  ) throws(ArchiveError) {
    self.init(archiver: archiver, exemptClasses: exemptClasses, prunes: prunes)
    for rule in classRenames { self.classRenames.append(try ClassRename(rule: rule)) }
    for name in droppedClasses {
      guard !name.isEmpty else {
        throw ArchiveError(.malformed, "the name of a class to drop is empty")
      }
      self.droppedClasses.append(name)
    }
    for rule in keyRenames { self.keyRenames.append(try KeyRename(rule: rule)) }
    for rule in topRenames { self.topRenames.append(try TopRename(rule: rule)) }
    if archiver?.isEmpty == true {
      throw ArchiveError(.malformed, "the name of the archiver is empty")
    }
  }

  /// Whether there are no rules.
  package var isEmpty: Bool {
    classRenames.isEmpty && archiver == nil && droppedClasses.isEmpty && keyRenames.isEmpty
      && topRenames.isEmpty && !prunes
  }
  /// The rules that would give a name that they gave another one, were the archive rewritten a second time.
  package var repeatingRenames: [ClassRename] {
    let rules = SubstitutionRules(self)
    return classRenames.enumerated().compactMap { number, rename in
      rules.renaming(of: rename.exampleOfNew)?.rule == number ? rename : nil
    }
  }
}
