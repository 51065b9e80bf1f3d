// Classes that Apple's reference marks as deprecated, with their replacements.
//
// Only classes whose objects may occur in archives, and the proxies of old inter-process archives, are listed.

/// A table of deprecated classes.
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
