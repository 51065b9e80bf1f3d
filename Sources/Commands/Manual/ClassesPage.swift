// The manual page archtool-classes(7), generated from the registry of known classes.

import CommandLineInterface
import KeyedArchives

/// The page on the classes that are shown as values.
enum ClassesPage {
  /// The page's source.
  static func render() -> String {
    var page = MdocDocument.generated(
      name: "archtool-classes", section: 7, about: "classes whose objects archtool shows as values")
    page.section("DESCRIPTION")
    page.text(
      """
      Objects of these classes are shown as a value instead of their fields, or with a \
      summary line before them. An object with fields that its class does not write is shown \
      with its stored fields, and so is an object of any other class. A subclass is shown \
      like its nearest ancestor in this list, with its additional fields. The stored fields \
      of every object are shown with --raw, and kept by --typed.
      """)
    for framework in ClassRegistry.listing {
      page.subsection(framework.framework)
      let items = framework.classes.map { family in
        MdocDocument.Item(
          "Vt " + family.names.map { MdocText.argument($0) }.joined(separator: " , "),
          HelpText.sentence(family.shown))
      }
      page.list(width: "Ds", items)
    }
    page.references([("archtool", 1), ("archtool-formats", 7), ("archtool-tutorial", 7)])
    return page.source
  }
}
