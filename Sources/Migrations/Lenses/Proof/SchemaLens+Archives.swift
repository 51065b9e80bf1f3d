// The operation on archives in data values, applied to schemas: the version that `x-archived` names becomes another.

import Schemas

extension SchemaLens {
  /// What becomes of data that holds an archive of one version.
  mutating func takeArchive(
    _ step: ArchiveStep, _ schema: LensSchema, _ path: [String]
  ) -> LensSchema {
    touch(path)
    let (source, target) = step.labels
    let shapes = shapes(schema, path)
    var result: [ValueShape] = []
    if shapes.contains(where: { $0.kinds.contains(.null) }) { result.append(.scalar(.null)) }
    let present = shapes.map { $0.limited(to: .all.subtracting(.null)) }.filter { !$0.isEmpty }
    faultKinds(of: present, beside: .data, "data that holds an archive", path)
    for shape in present where shape.kinds.contains(.data) {
      let isKnown = shape.values(of: "x-archived").contains {
        SchemaLibrary.label(ofReference: $0) == source
      }
      if !isKnown {
        fault("its schema does not say that it holds an archive of \(source) ('x-archived')", path)
      }
      result.append(shape.limited(to: .data).holding(target))
    }
    return .any(result)
  }
}
