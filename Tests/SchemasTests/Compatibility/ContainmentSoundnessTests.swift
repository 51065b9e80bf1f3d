// Whether the prover is ever wrong: random schemas and values, checked by an independent validator.

import PropertyLists
import Schemas
import TestSupport
import Testing

@Suite struct ContainmentSoundnessTests {
  @Test(arguments: [1, 2, 3, 106, 115] as [UInt64])
  func whatIsProvedHasNoCounterexample(seed: UInt64) {
    var random = RandomSchemas(numbers: SeededNumbers(seed: seed))
    let values = (0..<400).map { _ in random.value() }
    var proofs = 0
    var counterexamples = 0
    for round in 0..<1000 {
      let inner = random.document()
      let outer = round % 4 == 0 ? random.document() : random.mutation(of: inner)
      let isCounterexample = { (value: JSONTree) in
        ReferenceValidator(root: inner).accepts(value)
          && !ReferenceValidator(root: outer).accepts(value)
      }
      let result = SchemaContainment.proof(that: inner, isWithin: outer)
      if result.isProved {
        proofs += 1
        let value = values.first(where: isCounterexample)
        #expect(value == nil, "seed \(seed): \(value?.line ?? "") \(inner.line) \(outer.line)")
      }
      for value in result.obstacles.compactMap(\.counterexample) {
        counterexamples += 1
        let isReal = isCounterexample(value)
        #expect(isReal, "seed \(seed): \(value.line) \(inner.line) \(outer.line)")
      }
    }
    print("seed \(seed): \(proofs) of 1000 proved, \(counterexamples) counterexamples")
    #expect(proofs > 200 && counterexamples > 200)
  }
}
