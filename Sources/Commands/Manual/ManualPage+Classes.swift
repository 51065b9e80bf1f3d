// The manual page's section on classes, made from the registry of those that are known.

import Basics
import CommandLineInterface
import KeyedArchives

extension ManualPage {
  func classes(_ page: inout MdocDocument) {
    page.section("CLASSES")
    page.text(
      """
      Objects of these classes are shown as what they mean: by a value in place of their fields, or \
      by a line before them. An object whose fields are not what its class writes is shown with its \
      fields as they are, and so is an object of any other class. A subclass is shown as its nearest \
      ancestor here is, with the fields that it adds. The stored fields of every object are shown \
      with --raw, and kept by --typed.
      """)
    for framework in ClassRegistry.listing {
      page.subsection(framework.framework)
      let items = framework.classes.map { family in
        Item(
          "Vt " + family.names.map { MdocText.argument($0) }.joined(separator: " , "),
          HelpText.sentence(family.shown))
      }
      page.list(width: "Ds", items)
    }
  }
}
