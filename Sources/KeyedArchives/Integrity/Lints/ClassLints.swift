// The lints about classes: their records, their use, and those that are no longer to be used.

// MARK: - What `$class` leads to, and whether class records name a class and its ancestors

extension StoredArchive {
  /// Looks at the class of every object, and at every class record.
  func checkClassRecords() {
    var records = usedRecords
    for object in instances where !hasRecord(object) {
      input.add(.classNotARecord, at: object.container.index) {
        KeyedArchive.noClassRecord
      }
    }
    for (_, index) in distinct {
      guard let dictionary = input.dictionary(index),
        input.position(of: .className, in: dictionary) != nil
          || input.position(of: .classChain, in: dictionary) != nil
      else { continue }
      records.insert(index)
    }
    // Chains that records share are checked once.
    var chains: Set<UInt32> = []
    for index in records.sorted() {
      guard let dictionary = input.dictionary(index) else { continue }
      check(dictionary, &chains)
    }
  }

  /// Whether an object's class is a record, or something whose fault is reported elsewhere.
  private func hasRecord(_ object: Object) -> Bool {
    guard let reference = object.classReference, input.soundness.isSound(reference),
      let index = follow(reference)
    else { return true }
    guard input.soundness.isWalkable(index) else { return true }
    return input.dictionary(index).map { input.position(of: .className, in: $0) != nil } ?? false
  }

  private func check(_ record: StoredContainer, _ chains: inout Set<UInt32>) {
    func add(_ message: @autoclosure () -> String) {
      input.add(.badClassRecord, at: record.index, message)
    }
    guard input.position(of: .className, in: record) != nil else {
      // Objects of this class were reported; a record without objects is reported here.
      if !usedRecords.contains(record.index) { add("the class record has no $classname") }
      return
    }
    let name = field(.className, of: record)
    if let name, input.kind(name) != nil, input.text(name) == nil {
      add("$classname must be a string, found \(input.phrase(name))")
    }
    guard let chain = field(.classChain, of: record), input.kind(chain) != nil else { return }
    guard let list = input.array(chain) else {
      return add("$classes must be an array of class names, found \(input.phrase(chain))")
    }
    if let message = wrongBeginning(of: list, after: name) {
      add(message)
    } else if chains.insert(list.index).inserted, let found = firstNoText(of: list) {
      add("$classes must contain only class names, found \(input.phrase(found))")
    }
  }

  /// The message about a chain that does not begin with the class itself.
  private func wrongBeginning(of list: StoredContainer, after name: UInt32?) -> String? {
    guard list.count > 0, let first = element(list, 0), let name,
      let wanted = input.texts.number(name), let found = input.texts.number(first),
      wanted != found
    else { return nil }
    let names = [name, first].map { input.text($0).map { input.excerpt($0) } ?? "" }
    return "$classes must begin with the $classname '\(names[0])', found '\(names[1])'"
  }

  private func firstNoText(of list: StoredContainer) -> UInt32? {
    for position in 0..<list.count {
      if let element = element(list, position), input.kind(element) != nil,
        input.text(element) == nil
      {
        return element
      }
    }
    return nil
  }
}

// MARK: - Class records that no object is of, and second records of one class

extension StoredArchive {
  /// Looks at every class record of `$objects`.
  func checkClassUse() {
    var numbers: [String: Int] = [:]
    for (number, index) in distinct {
      guard let dictionary = input.dictionary(index),
        input.position(of: .className, in: dictionary) != nil,
        let record = record(index)
      else { continue }
      let name = ClassName(stored: record.name).display
      if !usedRecords.contains(index) {
        input.add(.unusedClass, at: index) { "no object is of the class \(name)" }
      }
      if let first = numbers[record.name] {
        input.add(.duplicateClass, at: index) {
          "the class \(name) has a record already, object \(first)"
        }
      } else {
        numbers[record.name] = number
      }
    }
  }
}

// MARK: - Classes of objects against a list of those that may be decoded

extension StoredArchive {
  /// Looks at the class records that objects use; ancestors alone are nobody's class.
  func checkAllowedClasses() {
    guard let allowed = input.check.allowedClasses else { return }
    for index in usedRecords.sorted() {
      guard let record = record(index), !AllowedClasses.include(record.name, allowed) else {
        continue
      }
      input.add(.classNotAllowed, at: index) {
        "the class \(ClassName(stored: record.name).display) is not among the allowed ones"
      }
    }
  }
}

/// The list of classes that may be decoded.
enum AllowedClasses {
  static func include(_ name: String, _ allowed: Set<String>) -> Bool {
    if allowed.contains(name) { return true }
    // NSMutableArray is an NSArray, which NSSecureCoding allows.
    let plain = name.hasPrefix("NSMutable") ? "NS" + name.dropFirst("NSMutable".count) : nil
    if let plain, allowed.contains(plain) { return true }
    let name = ClassName(stored: name)
    return allowed.contains { pattern in
      name.matches(pattern: pattern)
        || plain.map { ClassName(stored: $0).matches(pattern: pattern) } == true
    }
  }
}

// MARK: - Objects of classes that Apple deprecated

extension StoredArchive {
  /// Looks at the class records that objects use.
  func checkDeprecatedClasses() {
    if isNib { return }
    for index in usedRecords.sorted() {
      guard let record = record(index),
        let replacement = DeprecatedClasses.replacements[record.name]
      else { continue }
      input.add(.deprecatedClass, at: index) {
        "the class \(record.name) is deprecated; use \(replacement)"
      }
    }
  }
}

// MARK: - Classes that Apple's reference marks as deprecated, with their replacements
//
// Only classes whose objects may occur in archives, and the proxies of old inter-process archives, are listed.

enum DeprecatedClasses {
  /// The replacement of each class, as the reference of the class names it.
  static let replacements: [String: String] = [
    // Foundation
    "NSCalendarDate": "NSDate with NSCalendar and NSDateFormatter",
    "NSConnection": "NSXPCConnection",
    "NSDistantObject": "NSXPCConnection",
    "NSDistantObjectRequest": "NSXPCConnection",
    "NSProtocolChecker": "NSXPCInterface",
    "NSURLDownload": "NSURLSessionDownloadTask",
    "NSURLConnection": "NSURLSession",
    "NSUserNotification": "UNNotificationContent",
    "NSUserNotificationAction": "UNNotificationAction",
    // AppKit
    "NSCachedImageRep": "NSImage",
    "NSDrawer": "NSSplitView",
    "NSForm": "NSTextField in NSGridView",
    "NSFormCell": "NSTextField in NSGridView",
    "NSMatrix": "NSButton and NSTextField in NSStackView or NSGridView",
    "NSMovie": "AVPlayerItem",
    "NSMovieView": "AVPlayerView",
    "NSOpenGLContext": "Metal",
    "NSOpenGLLayer": "CAMetalLayer",
    "NSOpenGLPixelFormat": "Metal",
    "NSOpenGLView": "MTKView",
    "NSQuickDrawView": "NSView",
    "WebView": "WKWebView",
    // UIKit
    "UIActionSheet": "UIAlertController",
    "UIAlertView": "UIAlertController",
    "UILocalNotification": "UNNotificationRequest",
    "UIMutableUserNotificationAction": "UNNotificationAction",
    "UIMutableUserNotificationCategory": "UNNotificationCategory",
    "UIPopoverController": "UIPopoverPresentationController",
    "UISearchDisplayController": "UISearchController",
    "UITableViewRowAction": "UIContextualAction",
    "UIUserNotificationAction": "UNNotificationAction",
    "UIUserNotificationCategory": "UNNotificationCategory",
    "UIUserNotificationSettings": "UNNotificationSettings",
    "UIWebView": "WKWebView",
    // Other frameworks
    "ABAddressBook": "CNContactStore",
    "ABGroup": "CNGroup",
    "ABMultiValue": "CNLabeledValue",
    "ABPerson": "CNContact",
    "ABRecord": "CNContact",
    "ALAsset": "PHAsset",
    "EAGLContext": "Metal",
    "GLKView": "MTKView",
    "MPMoviePlayerController": "AVPlayerViewController",
    "QTMovie": "AVAsset",
    "QTMovieView": "AVPlayerView",
  ]
}
