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
  /// The functions that are written, by the lens and its direction.
  private var known: [String: String] = [:]
  /// The file whose lens is being written.
  private var step: LensStep?
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
  /// - Returns: the name of the function; nil if there is none.
  /// - Throws: `ArchiveError` with code `unsupported` that names an operation without Swift code.
  mutating func write(_ step: LensStep) throws(ArchiveError) -> String? {
    if step.file.lens.isIdentity { return nil }
    self.step = step
    return try function(
      of: step.file.lens, "migrate \(step.source) to \(step.target)", key: "", of: "model",
      documentation: nil)
  }

  /// Writes the function of a step that only migrates archives in data, unless it changes nothing.
  mutating func write(archivesOf step: LensStep) throws(ArchiveError) -> String? {
    if step.file.lens.isIdentity { return nil }
    self.step = step
    return try function(
      of: step.file.lens, "migrate archives in \(step.target)", key: "archives", of: "model",
      documentation: nil)
  }

  private mutating func function(
    of lens: Lens, _ title: String, key: String, of subject: String, documentation: String?
  ) throws(ArchiveError) -> String {
    guard let step else { return "" }
    let key = "\(step.file.source)-\(step.file.target) \(step.direction) \(key)"
    if let name = known[key] { return name }
    let name = names.lower(title, fallback: "migrate")
    known[key] = name
    var writer = SwiftWriter()
    writer.documentation(documentation)
    let parameter = "_ \(subject): inout [String: Any]"
    try edit("private func \(name)(\(parameter)) throws", subject, lens, &writer)
    writer.line()
    functions += writer.text
    return name
  }

  /// What a lens applies to: the members of an object in a variable, or the value of a variable.
  private enum Subject {
    case members(String)
    case value(String)
  }

  private mutating func write(
    _ lens: Lens, _ subject: Subject, _ writer: inout SwiftWriter
  ) throws(ArchiveError) {
    let direction = step?.direction ?? .forward
    for operation in lens.operations(direction) {
      // The inverse of a default leaves values as they are.
      if case .default = operation.kind, direction == .backward { continue }
      try write(operation, operation.kind.resolved(for: direction), subject, &writer)
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
    _ operation: LensOperation, _ kind: LensOperation.Kind, _ subject: Subject,
    _ writer: inout SwiftWriter
  ) throws(ArchiveError) {
    if let (name, expression) = try conversion(operation, kind) {
      return write(expression, of: name, subject, &writer)
    }
    switch (kind, subject) {
    case (.class(let name, let source, let destination), _):
      writer.line("// \(name ?? "It") was a \(source), and is a \(destination) now.")
    case (.store(let name, let storage), _):
      writer.line("// \(name) is stored \(storage.rawValue) now.")
    case (.map(let lens), .value(let name)):
      try convert("\(name) = try each(of: \(name))", lens, &writer)
    case (.map(let lens), .members(let name)):
      if let pattern = lens.memberPattern {
        let call = "try \(name).convertMembers(\(SwiftWriter.literal(pattern)))"
        return try convert(call, lens, &writer)
      }
      try writer.block("for (key, value) in \(name)") { (writer) throws(ArchiveError) in
        writer.line("// Every member.")
        let call = "\(name)[key] = try within(\".\\(key)\")"
        try self.convert(call, parameters: "", lens, &writer)
      }
    case (_, .members(let name)):
      try write(operation, kind, members: name, &writer)
    case (_, .value(let name)):
      try writer.block(
        "\(name) = try edited(\(name))", parameters: "members"
      ) { (writer) throws(ArchiveError) in
        try self.write(operation, kind, members: "members", &writer)
      }
    }
  }

  /// Writes a call whose closure returns the value of the variable `value` as a lens changes it.
  private mutating func convert(
    _ call: String, parameters: String = "value", _ lens: Lens, _ writer: inout SwiftWriter
  ) throws(ArchiveError) {
    try writer.block(call, parameters: parameters) { (writer) throws(ArchiveError) in
      writer.line("var value = value")
      try self.write(lens, .value("value"), &writer)
      writer.line("return value")
    }
  }

  /// Writes a block that changes the members in a variable as a lens does.
  private mutating func edit(
    _ opening: String, parameters: String = "", _ variable: String, _ lens: Lens,
    _ writer: inout SwiftWriter
  ) throws(ArchiveError) {
    try writer.block(opening, parameters: parameters) { (writer) throws(ArchiveError) in
      try self.write(lens, .members(variable), &writer)
    }
  }

  /// Whether every operation applies to the members of an object.
  private func isOfMembers(_ lens: Lens) -> Bool {
    !lens.operations.isEmpty
      && lens.operations.allSatisfy { operation in
        switch operation.kind {
        case .wrap(let name), .head(let name), .convert(let name, _), .split(let name, _),
          .join(let name, _), .nest(let name, _), .pluck(let name, _), .class(let name, _, _),
          .archive(let name, _):
          name != nil
        case .group(let grouping), .ungroup(let grouping):
          if case .lists = grouping { true } else { grouping.name != nil }
        case .map: false
        default: true
        }
      }
  }

  /// Writes the lens of a member.
  private mutating func enter(
    _ member: String, _ lens: Lens, _ name: String, _ writer: inout SwiftWriter
  ) throws(ArchiveError) {
    let literal = SwiftWriter.literal(member)
    var (lens, each) = (lens, "")
    if lens.operations.count == 1, case .map(let inner)? = lens.operations.first?.kind,
      inner.memberPattern == nil
    {
      (lens, each) = (inner, "Each")
      if let operation = inner.operations.first, inner.operations.count == 1,
        let (part, expression) = try conversion(
          operation, operation.kind.resolved(for: step?.direction ?? .forward)),
        part == nil, expression.count == 1
      {
        return writer.line("try \(name).convertEach(\(literal)) { \(expression[0]) }")
      }
    }
    if lens.isIdentity { return }
    guard isOfMembers(lens) else {
      return try convert("try \(name).convert\(each)(\(literal))", lens, &writer)
    }
    let inner = variable(member, besides: name, isElement: !each.isEmpty)
    try edit("try \(name).edit\(each)(\(literal))", parameters: inner, inner, lens, &writer)
  }

  private func variable(
    _ text: String, besides other: String, isElement: Bool
  ) -> String {
    var names = SwiftNames(reserved: Self.reserved.union([other, "key"]))
    let name =
      isElement
      ? names.lowerSingular(text, fallback: "part") : names.lower(text, fallback: "part")
    return SourceIdentifier.quotedInSwift(name)
  }

  private mutating func write(
    _ operation: LensOperation, _ kind: LensOperation.Kind, members name: String,
    _ writer: inout SwiftWriter
  ) throws(ArchiveError) {
    func literal(_ text: String) -> String { SwiftWriter.literal(text) }
    switch kind {
    case .rename(let source, let destination):
      writer.line("try \(name).rename(\(literal(source)), to: \(literal(destination)))")
    case .add(let member, let standard):
      guard let standard else { return writer.line("// \(member) is new, and may be absent.") }
      writer.line("try \(name).add(\(literal(member)), \(try expression(standard, operation)))")
    case .remove(let member, _): writer.line("\(name)[\(literal(member))] = nil")
    case .hoist(let host, let member, let prunes):
      writer.line(
        "try \(name).hoist(\(literal(member)), from: \(literal(host)), prune: \(prunes))")
    case .plunge(let host, let member, _):
      writer.line("try \(name).plunge(\(literal(member)), into: \(literal(host)))")
    case .wrap(let member?): writer.line("\(name).wrap(\(literal(member)))")
    case .head(let member?): writer.line("try \(name).head(\(literal(member)))")
    case .in(let member, let lens): try enter(member, lens, name, &writer)
    case .default(let member, let value):
      writer.line("\(name).fill(\(literal(member)), with: \(try expression(value, operation)))")
    case .nullable(let member, let becomesAbsent):
      writer.line("\(name).\(becomesAbsent ? "removeNull" : "addNull")(\(literal(member)))")
    case .copy(let source, let destination):
      writer.line("try \(name).copy(\(literal(source)), to: \(literal(destination)))")
    case .group(.lists(let keys, let values, let member)):
      writer.line(
        "try \(name).combine(\(literal(keys)), \(literal(values)), to: \(literal(member)))")
    case .ungroup(.lists(let keys, let values, let member)):
      writer.line(
        "try \(name).separate(\(literal(member)), to: \(literal(keys)), \(literal(values)))")
    case .when(let condition, _, let lens):
      try edit("if \(try test(condition, name, operation))", name, lens, &writer)
    case .use(let lensName):
      guard let lens = step?.file.lens.named[lensName] else { throw refusal(operation) }
      let function = try function(
        of: lens, "change " + lensName, key: lensName, of: "model",
        documentation: "The lens '\(lensName)'.")
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
    func literal(_ text: String) -> String { SwiftWriter.literal(text) }
    switch kind {
    case .wrap(nil): return (nil, ["[$0]"])
    case .head(nil): return (nil, ["try first(of: $0)"])
    case .split(let name, let separator):
      return (name, ["try split($0, at: \(literal(separator)))"])
    case .join(let name, let separator):
      return (name, ["try joined($0, by: \(literal(separator)))"])
    case .nest(let name, let member): return (name, ["[\(literal(member)): $0]"])
    case .pluck(let name, let member): return (name, ["try pluck(\(literal(member)), of: $0)"])
    case .group(.elements(let name, let key)):
      return (name, ["try grouped($0, by: \(literal(key)))"])
    case .ungroup(.elements(let name, let key)):
      return (name, ["try ungrouped($0, by: \(literal(key)))"])
    case .group(.alternating(let name, _)): return (name, ["try paired($0)"])
    case .ungroup(.alternating(let name, let keys)):
      return (name, ["try unpaired($0) { key in \(keys == .string ? "key" : "try integer(key)") }"])
    case .archive(let name, let step): return (name, [try migrating(step, operation)])
    case .convert(let name, .table(let table)): return (name, try rows(of: table, operation))
    case .convert(let name, .types(let source, let destination)):
      let isForward = step?.direction != .backward
      let pair = isForward ? (source, destination) : (destination, source)
      guard let expression = Self.expression(pair.0, pair.1) else { throw refusal(operation) }
      return (name, [expression])
    default: return nil
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

  private func write(
    _ expression: [String], of name: String?, _ subject: Subject, _ writer: inout SwiftWriter
  ) {
    switch (subject, name) {
    case (.members(let members), let name?):
      let call = "try \(members).convert(\(SwiftWriter.literal(name)))"
      if expression.count == 1, call.utf8.count + expression[0].utf8.count < 88 {
        return writer.line("\(call) { \(expression[0]) }")
      }
      writer.block(call) { writer in for line in expression { writer.line(line) } }
    case (.value(let variable), let name?):
      writer.block("\(variable) = try edited(\(variable))", parameters: "members") { writer in
        self.write(expression, of: name, .members("members"), &writer)
      }
    case (.value(let variable), nil), (.members(let variable), nil):
      for (index, line) in expression.enumerated() {
        let line = Self.line(line, of: variable)
        writer.line(index == 0 ? "\(variable) = \(line)" : line)
      }
    }
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
    let isForward = step?.direction != .backward
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
