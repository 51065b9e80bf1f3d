// Paths in their text form.

import ArchiveBasics
import Testing

@Suite struct GraphPathTests {
  @Test(
    arguments: [
      ([], "$"),
      (
        [.key("topCityWeathers"), .index(3), .key("Temperature")],
        "$.topCityWeathers[3].Temperature"
      ),
      ([.key("$objects"), .index(0)], "$['$objects'][0]"), ([.key("it's")], "$['it\\'s']"),
      ([.key("a\n\\")], "$['a\\n\\\\']"), ([.key("1st")], "$['1st']"), ([.key("")], "$['']"),
      ([.key("名前")], "$.名前"), ([.key("\u{1B}[2J")], "$['\\u001b[2J']"),
      ([.key("prefs"), .content("keyed archive"), .key("root")], "$.prefs⟨keyed archive⟩.root"),
    ] as [([GraphPath.Step], String)])
  func quotesKeysThatAreNoIdentifiers(_ steps: [GraphPath.Step], _ text: String) {
    #expect(GraphPath(steps).description == text)
  }
}
