// How long a validation may take.

import ObjectGraph

extension ObjectGraph {
  /// The steps that a validation may take, each a schema for a value.
  ///
  /// A value may be under every schema a few times over; beyond that shared values, or schemas that refer to one another
  /// in many ways, are multiplying.
  func validationLimit(schemaCount: Int) -> Int {
    // Equal scalars are stored once: what counts is how often values are referred to, of which bytes are the bound.
    let values = documents.reduce(0) { sum, document in
      let table = document.table
      return sum + max(table.count, table.byteCount / max(table.referenceWidth, 1))
    }
    let (product, isOver) = values.multipliedReportingOverflow(by: schemaCount &* 4)
    return max(4_000_000, expansionLimit, isOver ? .max : product)
  }
}
