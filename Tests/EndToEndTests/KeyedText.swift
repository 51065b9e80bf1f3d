// Keyed archives that tests write as XML, object by object.

/// Parts of a keyed archive in XML.
enum KeyedText {
  /// A reference to an object.
  static func uid(_ number: Int) -> String {
    "<dict><key>CF$UID</key><integer>\(number)</integer></dict>"
  }

  /// The record of a class and its superclasses below NSObject.
  static func record(_ classes: String...) -> String {
    let names = (classes + ["NSObject"]).map { "<string>\($0)</string>" }.joined()
    return "<dict><key>$classname</key><string>\(classes[0])</string><key>$classes</key>"
      + "<array>\(names)</array></dict>"
  }

  /// An archive whose root is the first of its objects, which have the numbers from 1 on.
  static func archive(_ objects: [String]) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict><key>$archiver</key><string>NSKeyedArchiver</string>
    <key>$version</key><integer>100000</integer>
    <key>$top</key><dict><key>root</key>\(uid(1))</dict>
    <key>$objects</key><array><string>$null</string>
    \(objects.joined(separator: "\n"))</array></dict></plist>
    """
  }

  /// An NSArray of objects, whose class has a number.
  static func array(of elements: [Int], class number: Int) -> String {
    "<dict><key>$class</key>\(uid(number))<key>NS.objects</key><array>"
      + elements.map(uid).joined() + "</array></dict>"
  }
}
