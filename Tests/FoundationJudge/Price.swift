// A model with a URL and a decimal number, which archives of objects, property lists and JSON encode differently.

import Foundation

struct Price: Codable {
  let name: String
  let site: URL
  let amount: Decimal

  /// The model in the data of an archive's root, in JSON, or as the dictionary of a keyed archive.
  static func facts(of path: String, as form: String) throws -> [String: String] {
    let price: Price
    switch form {
    case "codable":
      guard let data = try root(of: path) as? Data else { fail("the root is no data") }
      price = try PropertyListDecoder().decode(Price.self, from: data)
    case "json":
      let data = try Data(contentsOf: URL(fileURLWithPath: path))
      price = try JSONDecoder().decode(Price.self, from: data)
    default:
      guard let values = try root(of: path) as? [String: Any], let name = values["name"] as? String,
        let site = values["site"] as? NSURL, values["amount"] is NSDecimalNumber
      else { fail("the root is no price") }
      // Foundation on Linux reads every archived NSDecimalNumber as another number.
      return ["name": name, "site": (site as URL).absoluteString]
    }
    return ["name": price.name, "site": price.site.absoluteString, "amount": "\(price.amount)"]
  }
}
