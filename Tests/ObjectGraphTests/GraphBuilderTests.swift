// Building value tables: canonical scalars, equal ones stored once.

import ObjectGraph
import Testing

@Suite struct GraphBuilderTests {
  @Test func storesEqualScalarsOnce() {
    var builder = GraphBuilder()
    #expect(builder.add("Key") == builder.add("Key"))
    #expect(builder.add("Zürich") == builder.add("Zürich"))
    #expect(builder.add(Int64(17)) == builder.add(Int64(17)))
    #expect(builder.add(64.0) == builder.add(64.0))
    #expect(builder.add(Int64(64)) != builder.add(64.0))
    #expect(builder.add(Int64(1)) != builder.add(true))
    #expect(builder.count == 7)
  }

  @Test func keepsManyScalarsApart() {
    var builder = GraphBuilder()
    let indexes = (0..<20_000).map { builder.add("city \($0)") }
    #expect(Set(indexes).count == 20_000)
    #expect((0..<20_000).map { builder.add("city \($0)") } == indexes)
    #expect(builder.string(at: indexes[12_345]) == "city 12345")
  }

  @Test(arguments: [
    Int64.min, -1, 0, 255, 256, 65_535, 65_536, 4_294_967_295, 4_294_967_296, Int64.max,
  ])
  func readsBackIntegersOfEveryWidth(_ number: Int64) {
    var builder = GraphBuilder()
    let top = builder.add(number)
    let graph = ObjectGraph()
    _ = graph.add(builder.finish(top: top))
    guard case .integer(let read) = graph.value(of: graph.root) else {
      Issue.record("no integer")
      return
    }
    #expect(read == number)
  }

  @Test(arguments: [
    "", "ASCII", "Zürich", "東京", "🌦️", "\u{0}", String(repeating: "x", count: 70_000),
  ])
  func readsBackStrings(_ string: String) {
    var builder = GraphBuilder()
    let top = builder.add(string)
    let graph = ObjectGraph()
    _ = graph.add(builder.finish(top: top))
    guard case .string(let text) = graph.value(of: graph.root) else {
      Issue.record("no string")
      return
    }
    #expect(text.string == string)
    #expect(text.sameCharacters(as: string))
  }
}
