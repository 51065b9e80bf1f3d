// The classes that an unarchiver would instantiate: of an input, and of every archive in its data values.

import ArchiveGraph

/// A class and the objects of it that an input stores.
package struct StoredClass: Sendable {
  /// The name as the archive stores it.
  package let name: ClassName
  /// The class and those above it, by their stored names.
  package let chain: [String]
  /// The number of objects.
  package internal(set) var count: Int

  /// Whether it is a class of one of Apple's frameworks.
  package let isFramework: Bool

  init(name: ClassName, chain: [String]) {
    (self.name, self.chain, count) = (name, chain, 1)
    isFramework = ClassRegistry.isFoundation(name)
  }

  /// Whether the name holds what another build of the program may change: that of a private or local Swift type.
  package var isUnstable: Bool { name.components != name.plainComponents }

  /// The class that replaces it, if Apple deprecated it.
  package var replacement: String? { DeprecatedClasses.replacements[name.stored] }

  /// Whether it is known to adopt NSSecureCoding: the classes that every secure unarchiver allows at the top
  /// (NSSecureUnarchiveFromDataTransformer, `allowedTopLevelClasses`), and their mutable forms.
  package var adoptsSecureCoding: Bool {
    let mutable = "NSMutable"
    guard name.stored.hasPrefix(mutable) else { return Self.secure.contains(name.stored) }
    return Self.secure.contains("NS" + name.stored.dropFirst(mutable.count))
  }

  private static let secure: Set<String> = [
    "NSArray", "NSData", "NSDate", "NSDictionary", "NSNull", "NSNumber", "NSSet", "NSString",
    "NSURL", "NSUUID",
  ]

  /// Whether a list of names and patterns allows the class, as `validate --allow-classes` does.
  package func isAllowed(by list: Set<String>) -> Bool {
    AllowedClasses.include(name.stored, list)
  }
}

extension ObjectGraph {
  /// The classes of all stored objects, in the order in which they are met first.
  ///
  /// Archives in data values are opened and counted in, whether anything refers to the data or not.
  package func storedClasses() -> [StoredClass] {
    var positions: [ClassDescription: Int] = [:]
    var found: [StoredClass] = []
    var number = 0
    // Opening a data value adds a document.
    while number < documents.count {
      let document = UInt32(truncatingIfNeeded: number)
      number += 1
      openContents(of: document)
      guard documents[Int(document)].archive != nil else { continue }
      for node in objects(of: document) where isContainerOrData(node) {
        guard let index = classIndex(of: node) else { continue }
        let description = classes[index]
        if let position = positions[description] {
          found[position].count += 1
        } else {
          positions[description] = found.count
          let name = ClassName(stored: description.name)
          found.append(StoredClass(name: name, chain: description.chain))
        }
      }
    }
    return found
  }

  private func openContents(of document: UInt32) {
    let table = documents[Int(document)].table
    for index in 0..<UInt32(truncatingIfNeeded: table.count)
    where table.fault(at: index) == nil && table.marker(of: index) >> 4 == Marker.data {
      _ = content(of: Node(document: document, index: index))
    }
  }
}
