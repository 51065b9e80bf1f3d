// The classes of an app whose archives contain nested objects, and the values that its unarchiver decodes.

import Foundation

class Person: NSObject, NSCoding {
  let name: String
  let age: Int

  required init?(coder: NSCoder) {
    guard let name = coder.decodeObject(forKey: "name") as? String else { return nil }
    self.name = name
    age = coder.decodeInteger(forKey: "age")
  }

  func encode(with coder: NSCoder) {}

  var facts: [String: Any] { ["class": "\(type(of: self))", "name": name, "age": age] }
}

final class Member: Person {}

class Book: NSObject, NSCoding {
  let title: String
  let pages: Int
  let price: NSNumber
  let author: Person

  required init?(coder: NSCoder) {
    guard let title = coder.decodeObject(forKey: "title") as? String,
      let author = coder.decodeObject(forKey: "author") as? Person,
      let price = coder.decodeObject(forKey: "price") as? NSNumber
    else { return nil }
    (self.title, self.author, self.price) = (title, author, price)
    pages = coder.decodeInteger(forKey: "pages")
  }

  func encode(with coder: NSCoder) {}

  var facts: [String: Any] {
    [
      "class": "\(type(of: self))", "title": title, "pages": pages, "price": price.doubleValue,
      "author": author.facts,
    ]
  }
}

final class Novel: Book {
  let genre: String

  required init?(coder: NSCoder) {
    genre = coder.decodeObject(forKey: "genre") as? String ?? ""
    super.init(coder: coder)
  }

  override var facts: [String: Any] { super.facts.merging(["genre": genre]) { $1 } }
}

final class Library: NSObject, NSCoding {
  let name: String
  let isOpen: Bool
  let rating: Double
  let owner: Person
  let editor: Person
  let books: [Book]
  let note: String?

  required init?(coder: NSCoder) {
    // The name was called a title once.
    let key = coder.containsValue(forKey: "name") ? "name" : "title"
    let stored = coder.decodeObject(forKey: key) as? String
    guard let stored, let owner = coder.decodeObject(forKey: "owner") as? Person,
      let editor = coder.decodeObject(forKey: "editor") as? Person,
      let books = coder.decodeObject(forKey: "books") as? [Book]
    else { return nil }
    (name, self.owner, self.editor, self.books) = (stored, owner, editor, books)
    isOpen = coder.decodeBool(forKey: "isOpen")
    rating = coder.decodeDouble(forKey: "rating")
    note =
      coder.containsValue(forKey: "note") ? coder.decodeObject(forKey: "note") as? String : nil
  }

  func encode(with coder: NSCoder) {}

  var facts: [String: Any] {
    var facts: [String: Any] = [
      "class": "\(type(of: self))", "name": name, "isOpen": isOpen, "rating": rating,
      "owner": owner.facts, "editor": editor.facts, "ownerIsEditor": owner === editor,
      "books": books.map(\.facts),
    ]
    facts["note"] = note
    return facts
  }

  /// Opens an archive as the app does, under the names that its classes have there.
  static func facts(ofArchive path: String) throws -> [String: Any] {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
    unarchiver.requiresSecureCoding = false
    unarchiver.decodingFailurePolicy = .setErrorAndReturn
    unarchiver.setClass(Library.self, forClassName: "Shelf.Library")
    unarchiver.setClass(Person.self, forClassName: "Shelf.Person")
    unarchiver.setClass(Member.self, forClassName: "Shelf.Member")
    unarchiver.setClass(Book.self, forClassName: "Shelf.Book")
    unarchiver.setClass(Novel.self, forClassName: "Shelf.Novel")
    guard let library = unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey) as? Library
    else { fail("\(path): no library: \(String(describing: unarchiver.error))") }
    return library.facts
  }
}

/// The same model for PropertyListDecoder.
struct ShelfModel: Codable {
  struct Person: Codable {
    var name: String
    var age: Int
  }

  struct Book: Codable {
    var title: String
    var pages: Int
    var price: Double
    var author: Person
    var genre: String?
  }

  var name: String
  var isOpen: Bool
  var rating: Double
  var owner: Person
  var editor: Person
  var books: [Book]
  var note: String?
}
