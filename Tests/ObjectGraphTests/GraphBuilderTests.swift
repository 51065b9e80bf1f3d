// Building value tables: canonical scalars, equal ones stored once.

import ArchiveBasics
import ArchiveGraph
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

  private func addScalars(to builder: inout GraphBuilder) -> [UInt32] {
    var indexes = [builder.addNull(), builder.add(true), builder.add(uid: 300)]
    for number in [Int64.min, -1, 0, 255, 256, 65_535, 65_536, 4_294_967_296, Int64.max] {
      indexes.append(builder.add(number))
    }
    for number in [0, -0.0, 1.5, .infinity] {
      indexes += [builder.add(number), builder.add(date: number), builder.add(Float(number))]
    }
    indexes.append(builder.add(unsigned: .max))
    for length in [0, 1, 2, 3, 4, 7, 8, 9, 14, 15, 16, 17, 255, 256, 70_000] {
      let text = String(repeating: "a", count: length)
      indexes += [builder.add(text), builder.add("ä" + text)]
      Array(text.utf8).withByteView { indexes.append(builder.add(data: $0)) }
    }
    return indexes
  }

  /// Numbers and texts of all lengths are equal to themselves, however they are added.
  @Test func findsScalarsByTheirEncoding() {
    var builder = GraphBuilder()
    let indexes = addScalars(to: &builder)
    let count = builder.count
    let document = builder.finish(top: 0)
    var again = GraphBuilder()
    for index in 0..<UInt32(count) {
      _ = again.add(encoded: document.table.bytes(of: index))
    }
    #expect(addScalars(to: &again) == indexes)
    #expect(again.count == count)
  }

  @Test(arguments: [1, 5, 63, 64, 65, 1_000])
  func scalarsThatWaitGetTheSameIndexes(_ count: Int) {
    func build(deferring: Bool) -> Document {
      var builder = GraphBuilder()
      builder.isDeferring = deferring
      builder.open()
      for number in 0..<count {
        builder.sourceOffset = number
        builder.append(builder.add(Int64(number % 37)))
        builder.append(builder.add(Double(number)))
        builder.append(builder.add("name \(number % 11)"))
        builder.append(builder.add("a name of over fifteen bytes \(number % 5)"))
        builder.append(builder.add("Zürich \(number % 3)"))
        builder.append(builder.add(String(repeating: "ä", count: number % 4 * 2_000)))
        builder.open()
        builder.append(builder.add("key"))
        builder.append(builder.add(number % 2 == 0))
        builder.append(builder.closeDictionary())
      }
      let top = builder.close()
      return builder.finish(top: top)
    }
    let (plain, waiting) = (build(deferring: false), build(deferring: true))
    #expect(waiting.top == plain.top)
    #expect(waiting.sourceOffsets == plain.sourceOffsets)
    #expect(waiting.table.byteCount == plain.table.byteCount)
    #expect(memcmp(waiting.table.base, plain.table.base, plain.table.byteCount) == 0)
  }
}
