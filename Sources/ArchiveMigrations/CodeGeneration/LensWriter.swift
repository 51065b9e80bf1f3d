// Lenses as Swift functions over the members of a model.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveSchemas
import ArchiveWriting

/// Writes the lenses of a family.
struct LensWriter {
  private var names = SwiftNames(reserved: Self.reserved)
  private var functions = ""
  /// The function that is being written.
  private var writer = SwiftWriter()
  /// The functions that are written, by the lens and its direction.
  private var known: [String: String] = [:]
  /// The file whose lens is being written.
  private var step: LensStep?
  private var direction: LensDirection { step?.direction ?? .forward }
  /// The families whose archives a lens may enter.
  private let knownPartners: [ArchivePartner]
  /// The families whose archives lenses enter.
  private(set) var partners: [String] = []

  /// Takes the families whose archives a lens may enter.
  init(partners: [ArchivePartner]) { knownPartners = partners }

  /// The names of other functions in a file.
  private static let reserved: Set<String> = [
    "grouped", "ungrouped", "paired", "unpaired", "split", "joined", "pluck", "first", "replaced",
    "address", "integer", "decimal", "double", "boolean", "identifier", "bytes", "base64",
    "isoDate", "isoText", "parsed", "written", "dateFormatter", "date", "isSame", "each", "edited",
    "ordered",
    "dictionary", "object", "list", "text", "within", "jsonDate", "archivedClasses", "zip", "value",
    "inout", "self", "init", "data", "named", "encodedObjects", "inLayers",
  ]

  /// The source of all functions.
  var text: String { functions.isEmpty ? "" : "// MARK: - The migrations\n\n" + functions }

  /// Writes the function of a step, unless it changes nothing.
  ///
  /// - Parameter ofArchives: whether it is for archives in data of the version that it leads to.
  /// - Returns: the name of the function; nil if there is none.
  /// - Throws: `ArchiveError` with code `unsupported` that names an operation without Swift code.
  mutating func write(_ step: LensStep, ofArchives: Bool = false) throws(ArchiveError) -> String? {
    if step.file.lens.isIdentity { return nil }
    self.step = step
    let versions = ofArchives ? "archives in" : "\(step.source) to"
    return try function(
      of: step.file.lens, "migrate \(versions) \(step.target)", key: ofArchives ? "archives" : "")
  }

  private mutating func function(
    of lens: Lens, _ title: String, key: String, documentation: String? = nil
  ) throws(ArchiveError) -> String {
    guard let step else { return "" }
    let key = "\(step.file.source)-\(step.file.target) \(step.direction) \(key)"
    if let name = known[key] { return name }
    let name = names.lower(title, fallback: "migrate")
    known[key] = name
    let outer = writer
    writer = SwiftWriter()
    writer.documentation(documentation)
    try edit("private func \(name)(_ model: inout [String: Any]) throws", "model", lens)
    writer.line()
    functions += writer.text
    writer = outer
    return name
  }

  /// What a lens applies to: a variable with a value, or with the members of an object.
  private struct Subject {
    let variable: String
    var isObject = false
  }

  private mutating func write(_ lens: Lens, _ subject: Subject) throws(ArchiveError) {
    for operation in lens.operations(direction) {
      // The inverse of a default leaves values as they are.
      if case .default = operation.kind, direction == .backward { continue }
      try write(operation, operation.kind.resolved(for: direction), subject)
    }
  }

  private func refusal(_ operation: LensOperation, _ reason: String = "") -> ArchiveError {
    ArchiveError(
      .unsupported,
      "no Swift code for the operation \(operation.pointer) of the lens \(step?.file.name ?? "") (\(operation.title))"
        + reason)
  }

  // MARK: Operations

  private mutating func write(
    _ operation: LensOperation, _ kind: LensOperation.Kind, _ subject: Subject
  ) throws(ArchiveError) {
    let variable = subject.variable
    switch kind {
    case .change(let name, .class(let source, let destination)):
      writer.line("// \(name ?? "It") was a \(source), and is a \(destination) now.")
    case .change(let name, .store(let storage)):
      writer.line("// \(name ?? "It") is stored \(storage.rawValue) now.")
    case _ where kind.isOfMembers && !subject.isObject:
      writer.open("\(variable) = try edited(\(variable))", parameters: "members")
      try write(operation, kind, Subject(variable: "members", isObject: true))
      writer.close()
    case .map(let lens) where !subject.isObject:
      try convert("\(variable) = try each(of: \(variable))", lens)
    case .map(let lens):
      if let pattern = lens.memberPattern {
        return try convert("try \(variable).convertMembers(\(SwiftWriter.literal(pattern)))", lens)
      }
      writer.open("for (key, value) in \(variable)")
      writer.line("// Every member.")
      try convert("\(variable)[key] = try within(\".\\(key)\")", parameters: "", lens)
      writer.close()
    default:
      if let (name, expression) = try conversion(operation, kind) {
        write(expression, of: name, variable)
      } else {
        try write(operation, kind, members: variable)
      }
    }
  }

  /// Writes a call whose closure returns the value of the variable `value` as a lens changes it.
  private mutating func convert(
    _ call: String, parameters: String = "value", _ lens: Lens
  ) throws(ArchiveError) {
    writer.open(call, parameters: parameters)
    writer.line("var value = value")
    try write(lens, Subject(variable: "value"))
    writer.line("return value")
    writer.close()
  }

  /// Writes a block that changes the members in a variable as a lens does.
  private mutating func edit(
    _ opening: String, parameters: String = "", _ variable: String, _ lens: Lens
  ) throws(ArchiveError) {
    writer.open(opening, parameters: parameters)
    try write(lens, Subject(variable: variable, isObject: true))
    writer.close()
  }

  /// Writes the lens of a member.
  private mutating func enter(
    _ member: String, _ lens: Lens, _ name: String
  ) throws(ArchiveError) {
    let literal = SwiftWriter.literal(member)
    var (lens, each) = (lens, "")
    if lens.operations.count == 1, case .map(let inner)? = lens.operations.first?.kind,
      inner.memberPattern == nil
    {
      (lens, each) = (inner, "Each")
      if let operation = inner.operations.first, inner.operations.count == 1,
        let (part, expression) = try conversion(
          operation, operation.kind.resolved(for: direction)),
        part == nil, expression.count == 1
      {
        return writer.line("try \(name).convertEach(\(literal)) { \(expression[0]) }")
      }
    }
    if lens.isIdentity { return }
    guard lens.operations.allSatisfy(\.kind.isOfMembers) else {
      return try convert("try \(name).convert\(each)(\(literal))", lens)
    }
    let inner = variable(member, besides: name, isElement: !each.isEmpty)
    try edit("try \(name).edit\(each)(\(literal))", parameters: inner, inner, lens)
  }

  private func variable(_ text: String, besides other: String, isElement: Bool) -> String {
    var names = SwiftNames(reserved: Self.reserved.union([other, "key"]))
    let name =
      isElement
      ? names.lowerSingular(text, fallback: "part") : names.lower(text, fallback: "part")
    return SourceIdentifier.quotedInSwift(name)
  }

  private mutating func write(
    _ operation: LensOperation, _ kind: LensOperation.Kind, members name: String
  ) throws(ArchiveError) {
    func literal(_ text: String) -> String { SwiftWriter.literal(text) }
    switch kind {
    case .rename(let source, let destination):
      writer.line("try \(name).rename(\(literal(source)), to: \(literal(destination)))")
    case .add(let member, _, isInverse: true): writer.line("\(name)[\(literal(member))] = nil")
    case .add(let member, let standard, _):
      guard let standard else { return writer.line("// \(member) is new, and may be absent.") }
      writer.line("try \(name).add(\(literal(member)), \(try expression(standard, operation)))")
    case .hoist(let host, let member, _, isInverse: true):
      writer.line("try \(name).plunge(\(literal(member)), into: \(literal(host)))")
    case .hoist(let host, let member, let prunes, _):
      writer.line(
        "try \(name).hoist(\(literal(member)), from: \(literal(host)), prune: \(prunes))")
    case .wrap(let member?, let isInverse):
      writer.line("\(isInverse ? "try \(name).head" : "\(name).wrap")(\(literal(member)))")
    case .in(let member, let lens): try enter(member, lens, name)
    case .default(let member, let value):
      writer.line("\(name).fill(\(literal(member)), with: \(try expression(value, operation)))")
    case .nullable(let member, let becomesAbsent):
      writer.line("\(name).\(becomesAbsent ? "removeNull" : "addNull")(\(literal(member)))")
    case .copy(let source, let destination):
      writer.line("try \(name).copy(\(literal(source)), to: \(literal(destination)))")
    case .combine(let keys, let values, let member, isInverse: false):
      writer.line(
        "try \(name).combine(\(literal(keys)), \(literal(values)), to: \(literal(member)))")
    case .combine(let keys, let values, let member, _):
      writer.line(
        "try \(name).separate(\(literal(member)), to: \(literal(keys)), \(literal(values)))")
    case .when(let condition, _, let lens):
      try edit("if \(try test(condition, name, operation))", name, lens)
    case .use(let lensName):
      guard let lens = step?.file.lens.named[lensName] else { throw refusal(operation) }
      let function = try function(
        of: lens, "change " + lensName, key: lensName, documentation: "The lens '\(lensName)'.")
      writer.line("try \(function)(&\(name))")
    default: throw refusal(operation)
    }
  }

  private func test(
    _ condition: LensCondition, _ name: String, _ operation: LensOperation
  ) throws(ArchiveError) -> String {
    let member = SwiftWriter.literal(condition.member)
    switch condition.test {
    case .equals(let value): return "\(name).has(\(member), \(try expression(value, operation)))"
    case .isPresent(let flag): return "\(name).present(\(member)) \(flag ? "!=" : "==") nil"
    }
  }

  // MARK: Conversions of a value

  /// The member that an operation replaces, and the expression of its new value; nil for other operations.
  private mutating func conversion(
    _ operation: LensOperation, _ kind: LensOperation.Kind
  ) throws(ArchiveError) -> (name: String?, expression: [String])? {
    switch kind {
    case .wrap(nil, let isInverse): return (nil, [isInverse ? "try first(of: $0)" : "[$0]"])
    case .change(let name, let change):
      return try expression(of: change, operation).map { (name, $0) }
    default: return nil
    }
  }

  /// The expression of a changed value; nil for what values do not tell.
  private mutating func expression(
    of change: ValueChange, _ operation: LensOperation
  ) throws(ArchiveError) -> [String]? {
    func literal(_ text: String) -> String { SwiftWriter.literal(text) }
    switch change {
    case .split(let separator, let isInverse):
      return ["try \(isInverse ? "joined($0, by:" : "split($0, at:") \(literal(separator)))"]
    case .nest(let member, let isInverse):
      return [isInverse ? "try pluck(\(literal(member)), of: $0)" : "[\(literal(member)): $0]"]
    case .group(.elements(let key), let isInverse):
      return ["try \(isInverse ? "ungrouped" : "grouped")($0, by: \(literal(key)))"]
    case .group(.alternating, isInverse: false): return ["try paired($0)"]
    case .group(.alternating(let keys), _):
      return ["try unpaired($0) { key in \(keys == .string ? "key" : "try integer(key)") }"]
    case .archive(let step): return [try migrating(step, operation)]
    case .convert(.table(let table)): return try rows(of: table, operation)
    case .convert(.types(let source, let destination)):
      let isForward = direction == .forward
      let pair = isForward ? (source, destination) : (destination, source)
      guard let expression = Self.expression(pair.0, pair.1) else { throw refusal(operation) }
      return [expression]
    case .class, .store: return nil
    }
  }

  /// The expression that migrates an archive in data, with the code of its own family.
  private mutating func migrating(
    _ step: ArchiveStep, _ operation: LensOperation
  ) throws(ArchiveError) -> String {
    guard let partner = knownPartners.first(where: { $0.name == step.family }),
      partner.newest == step.target
    else { throw refusal(operation, ": only the newest version of \(step.family) is written") }
    if !partners.contains(step.family) { partners.append(step.family) }
    do throws(ArchiveError) { return try partner.expression() } catch {
      throw refusal(operation, ": \(error.message)")
    }
  }

  /// Writes the replacement of a member of a variable, or without a name of its value.
  private mutating func write(_ expression: [String], of name: String?, _ variable: String) {
    guard let name else {
      for (index, line) in expression.enumerated() {
        let line = Self.line(line, of: variable)
        writer.line(index == 0 ? "\(variable) = \(line)" : line)
      }
      return
    }
    let call = "try \(variable).convert(\(SwiftWriter.literal(name)))"
    if expression.count == 1, call.utf8.count + expression[0].utf8.count < 88 {
      return writer.line("\(call) { \(expression[0]) }")
    }
    writer.open(call)
    for line in expression { writer.line(line) }
    writer.close()
  }

  /// A line with a variable in place of `$0`, which string literals may contain too.
  private static func line(_ text: String, of variable: String) -> String {
    var result = ""
    var isLiteral = false
    var rest = text[...]
    while let first = rest.first {
      if !isLiteral, rest.hasPrefix("$0") {
        result += variable
        rest = rest.dropFirst(2)
        continue
      }
      if first == "\"" { isLiteral.toggle() }
      let count = first == "\\" ? 2 : 1
      result += rest.prefix(count)
      rest = rest.dropFirst(count)
    }
    return result
  }

  private func rows(
    of table: ConversionTable, _ operation: LensOperation
  ) throws(ArchiveError) -> [String] {
    let isForward = direction == .forward
    var lines = ["try replaced(", "  $0,", "  by: ["]
    for pair in table.pairs {
      let (one, other) =
        isForward ? (pair.source, pair.destination) : (pair.destination, pair.source)
      let comma = table.pairs.count > 1 ? "," : ""
      lines.append(
        "    (\(try expression(one, operation)), \(try expression(other, operation)))\(comma)")
    }
    let standard = isForward ? table.forwardElse : table.backwardElse
    guard let standard else { return lines + ["  ])"] }
    return lines + ["  ], otherwise: \(try expression(standard, operation)))"]
  }

  /// The expression of a conversion between two types; nil if there is none.
  private static func expression(
    _ source: ScalarConversion.ScalarType, _ destination: ScalarConversion.ScalarType
  ) -> String? {
    switch (source, destination) {
    case (.boolean, .string): "try boolean($0) ? \"true\" : \"false\""
    case (.boolean, .integer): "try boolean($0) ? 1 : 0"
    case (.boolean, .real): "try boolean($0) ? 1.0 : 0.0"
    case (.integer, .integer), (.real, .integer), (.string, .integer): "try integer($0)"
    case (.integer, .real), (.real, .real): "try double($0)"
    case (.string, .real): "try double(parsing: $0)"
    case (.integer, .boolean), (.real, .boolean), (.boolean, .boolean), (.string, .boolean):
      "try boolean($0)"
    case (.integer, .string), (.real, .string): "try decimal($0)"
    case (.string, .string): "try text($0)"
    case (.date, .date): "try date($0)"
    case (.dateText(let format), .date): reading(format)
    case (.date, .dateText(let format)): writing(format)
    case (.dateNumber(let epoch, _), .date): reading(.number(epoch))
    case (.date, .dateNumber(let epoch, let isInteger)):
      "try \(isInteger ? "integer(" : "")date($0).\(label(epoch))\(factor(epoch, "*"))\(isInteger ? ")" : "")"
    case (.data, .base64): "try base64($0)"
    case (.base64, .data): "try bytes(ofBase64: $0)"
    case (.frameworkText(.uuid), _), (.framework(.uuid), _): "try identifier($0)"
    case (.frameworkText(.decimal), _), (.framework(.decimal), _): "try text($0)"
    case (.frameworkText(.url), _), (.framework(.url), _): "try address(of: $0)"
    default: nil
    }
  }

  /// The date of a value in JSON.
  static func date(in coding: JSONCoding) -> String {
    switch coding.dates {
    case .number(let epoch): reading(.number(epoch))
    case .iso8601: reading(.iso8601)
    case .format(let pattern): reading(.pattern(pattern))
    }
  }

  private static func reading(_ format: ScalarConversion.DateFormat) -> String {
    switch format {
    case .iso8601: "try isoDate($0)"
    case .number(let epoch): "Date(\(label(epoch)): try double($0)\(factor(epoch, "/")))"
    case .rfc5322, .medium, .pattern: "try parsed($0, \(arguments(format)))"
    }
  }

  private static func writing(_ format: ScalarConversion.DateFormat) -> String {
    switch format {
    case .iso8601: "try isoText($0)"
    case .number(let epoch): "try decimal(date($0).\(label(epoch))\(factor(epoch, "*")))"
    case .rfc5322, .medium, .pattern: "try written($0, \(arguments(format)))"
    }
  }

  /// The pattern of a format, and its offset from UTC.
  private static func arguments(_ format: ScalarConversion.DateFormat) -> String {
    let (text, zone) =
      switch format {
      case .medium(let offset): ("MMM d, yyyy 'at' h:mm:ss a", offset)
      case .pattern(let pattern): (pattern.text, pattern.offset)
      case .rfc5322, .iso8601, .number: ("EEE, dd MMM yyyy HH:mm:ss Z", 0)
      }
    return "as: \(SwiftWriter.literal(text)), zone: \(zone)"
  }

  private static func label(_ epoch: DateEpoch) -> String {
    epoch == .reference ? "timeIntervalSinceReferenceDate" : "timeIntervalSince1970"
  }

  private static func factor(_ epoch: DateEpoch, _ sign: String) -> String {
    epoch == .unixMilliseconds ? " \(sign) 1_000" : ""
  }

  // MARK: Values

  /// A value as an expression of the type Any.
  private func expression(
    _ value: JSONTree, _ operation: LensOperation
  ) throws(ArchiveError) -> String {
    switch value {
    case .null: return "NSNull()"
    case .boolean(let flag): return "\(flag)"
    case .integer(let number): return "\(number)"
    case .unsigned(let number): return "UInt64(\(number))"
    case .wide: throw refusal(operation, ": an integer of more than 64 bits")
    case .real(let number): return "\(number)"
    case .string(let text): return SwiftWriter.literal(text)
    case .list(let items):
      let all = try items.map { (item) throws(ArchiveError) in try expression(item, operation) }
      return all.isEmpty ? "[Any]()" : "[\(all.joined(separator: ", "))] as [Any]"
    case .members(let members):
      switch SyntheticValue(value) {
      case .date(let seconds): return "Date(timeIntervalSinceReferenceDate: \(seconds))"
      case .data(let bytes): return "Data(\(bytes))"
      case .real(let number): return "\(number)"
      default: break
      }
      let all = try members.map { (name, value) throws(ArchiveError) in
        "\(SwiftWriter.literal(name)): \(try expression(value, operation))"
      }
      return all.isEmpty ? "[String: Any]()" : "[\(all.joined(separator: ", "))] as [String: Any]"
    }
  }
}

extension LensOperation.Kind {
  /// Whether it applies to the members of an object, and not to the value itself.
  fileprivate var isOfMembers: Bool {
    switch self {
    case .wrap(let name, _), .change(let name, _): name != nil
    case .map: false
    default: true
    }
  }
}
