// Requests, responses, query items and notifications that Foundation archives.

import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct FoundationLoadingTests {
  private func tree(_ object: Any) throws -> ShownTree { try FoundationClassTests.tree(object) }

  @Test(arguments: ["GET", "POST", "PROPFIND", "X-MINE"])
  func requestsAreTheirMethodAndURL(_ method: String) throws {
    var request = URLRequest(url: try #require(URL(string: "https://example.com/a?b")))
    request.httpMethod = method
    // Another address, and a header that spells a method.
    request.mainDocumentURL = URL(string: "https://example.com/main")
    request.setValue("TRACE", forHTTPHeaderField: "Y")
    // The order of the keys differs from archive to archive.
    for _ in 0..<8 {
      let line = try tree(request as NSURLRequest).root
      let url = request.url?.absoluteString ?? ""
      #expect(line.hasSuffix(") \(request.httpMethod ?? "") \(url)"))
    }
  }

  @Test(arguments: [200, 404])
  func responsesAreTheirStatusAndURL(_ status: Int) throws {
    let url = try #require(URL(string: "https://example.com/"))
    let response = try #require(
      HTTPURLResponse(
        url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: ["A": "b"]))
    #expect(
      try tree(response).root
        == "NSHTTPURLResponse (7) \(response.statusCode) \(url.absoluteString)")
  }

  @Test(arguments: ["v w", "", nil])
  func queryItemsAreTheirNameAndValue(_ value: String?) throws {
    let item = NSURLQueryItem(name: "n", value: value)
    let tree = try tree(item)
    let text = item.value.map { "\(item.name)=\($0)" } ?? item.name
    #expect(tree.root == "NSURLQueryItem (2) \(text)")
    #expect(tree.members == ["name: \"n\"", "value: " + (value.map { "\"\($0)\"" } ?? "null")])
  }

  @Test func notificationsAreTheirNameAndObject() throws {
    let name = Notification.Name("Happened")
    let note = NSNotification(name: name, object: "thing", userInfo: ["a": 1])
    #expect(try tree(note).root == "NSNotification (3) Happened of \"thing\"")
    let bare = NSNotification(name: name, object: nil, userInfo: nil)
    #expect(try tree(bare).root.hasSuffix(") Happened"))
  }
}
