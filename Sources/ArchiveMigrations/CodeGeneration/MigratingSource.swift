// Swift source that an application ships: the newest type, and what reads its archives of every version.

import ArchiveBasics
import ArchivePropertyLists
import ArchiveSchemas
import ArchiveWriting

/// Swift source for the archives of a family, which needs Foundation alone.
///
/// It declares the type of the newest version with `load(from:)`, which recognizes the version of an archive, and
/// `archive()`. The lenses are Swift; values that a migration drops are not kept.
package struct MigratingSource {
  private let family: SchemaFamily
  private let lenses: FamilyLenses
  private let typeName: String
  private let families: [SchemaFamily]

  /// Makes source.
  ///
  /// - Parameters:
  ///   - family: the family.
  ///   - lenses: its lenses.
  ///   - typeName: a name from which the model's type is named.
  ///   - families: the families whose archives a lens may enter.
  package init(
    of family: SchemaFamily, _ lenses: FamilyLenses, typeName: String,
    families: [SchemaFamily] = []
  ) {
    self.families = families
    self.family = family
    self.lenses = lenses
    self.typeName = typeName
  }

  /// The source code of a file, as swift-format leaves it.
  ///
  /// - Throws: `ArchiveError` with code `unsupported` that names what Swift code cannot do: a typedstream, an operation
  ///   of a lens, a model that is no object, an object whose class is not known.
  package func source() throws(ArchiveError) -> String {
    guard let newest = family.versions.last else {
      throw ArchiveError(.malformed, "the family \(family.name) has no versions")
    }
    var types = SwiftModel(
      newest.tree, typeName: typeName, reserved: Self.reserved,
      reservedProperties: ["archive", "dictionary"])
    let (name, _) = try types.run()
    var model = SwiftWriter()
    guard model.write(types, name) else {
      throw refusal("the model of \(newest.name) is no object")
    }
    var forms = FormWriter()
    var migrations = LensWriter(partners: families.map { ArchivePartner($0, in: family) })
    var entries: [String] = []
    var constants = ""
    for version in family.versions.reversed() {
      guard let path = lenses.path(from: version.name, to: newest.name),
        !path.contains(where: \.isAgainstOneWay)
      else {
        throw refusal("\(version.name) has no path of lenses to \(newest.name)")
      }
      let form = try forms.write(version, typeName: typeName)
      var functions: [String] = []
      for step in archiveSteps(to: version) {
        functions += [try migrations.write(step, ofArchives: true)].compactMap { $0 }
      }
      for step in path { functions += [try migrations.write(step)].compactMap { $0 } }
      let keys = try forms.jsonKeys(of: version)
      constants += keys?.source ?? ""
      entries.append(try entry(of: version, form, functions, keys?.name))
    }
    var objects = try ObjectWriter(types, name, newest)
    let interface = MigratingInterface(
      name: name, newest: newest,
      versions: family.versions.map { SwiftWriter.words($0.name).joined(separator: " ") },
      partners: migrations.partners, body: try objects.run())
    let facts = facts(forms, objects, migrations.text)
    let isFinal = facts.contains("@final")
    var words = interface.words
    words.merge([
      "VERSIONS": entries.joined(separator: "\n"), "KEYS": constants, "FORMS": forms.text,
      "NEWEST": forms.newest, "SCALARS": forms.scalars, "RECORDS": forms.records,
      "EXACT": forms.exact,
      "LISTS": hasInlineLists ? "!items.isEmpty" : "!name.hasPrefix(\"NS.\")",
      "STAND-INS": hasObjects ? forms.standIns : "", "OBJECTS": objects.text,
      "FINAL PARAMETER": isFinal ? ", isFinal: Bool = false" : "",
      "FINAL": isFinal ? ", isFinal: isFinal" : "", "IS FINAL": isFinal ? ", isFinal: true" : "",
      "NUMBER KEY": newest.envelope?.isOfObjects == true
        ? "" : " ?? (key as? NSNumber)?.stringValue",
      "NOT FINAL": isFinal ? "!isFinal, " : "", "NUMBER": isFinal ? "isFinal || " : "",
    ]) { $1 }
    let template = MigratingTemplate(facts: facts, words: words)
    let source = template.start + migrations.text
    let support = template.support(for: source + forms.text)
    return Self.joined([interface.heading, model.text, source, support])
  }

  /// The names that the source itself declares.
  static let reserved = [
    "ArchiveFailure", "ArchiveForm", "ArchiveVersion", "ArchivedObject", "EncodedObject",
    "StoredArchive", "StoredObjects", "NSNumber", "NSCoder", "NSObject",
  ]

  /// What the steps to a version do with archives in data, whose versions its members do not show.
  private func archiveSteps(to version: SchemaVersion) -> [LensStep] {
    guard let oldest = family.versions.first?.name,
      let path = lenses.path(from: oldest, to: version.name)
    else { return [] }
    return path.filter { $0.direction == .forward }.map { step in
      let lens = step.file.lens.archivePart(in: version.tree)
      let file = LensFile(source: step.file.source, target: version.name, lens: lens)
      return LensStep(file: file, direction: .forward)
    }
  }

  private var hasObjects: Bool { family.versions.contains { $0.envelope == .nscoding } }

  private func facts(
    _ forms: FormWriter, _ objects: ObjectWriter, _ migrations: String
  ) -> Set<String> {
    let names = family.versions.flatMap { Array($0.onlyNames ?? [CodePointString("$")]) }
    let hasDollar = names.contains { $0.text.hasPrefix("$") }
    // Values that a property list does not hold as the type's decoder reads them.
    let isFinal =
      !forms.kinds.isDisjoint(with: ["nullable", "either", "any", "url", "decimal", "open"])
      || family.versions.last?.envelope == .nscoding || migrations.includes("Null(")
    let hasNumberKinds = [".has(", "try replaced(", "try paired("].contains {
      migrations.includes($0)
    }
    let envelopes = Set(family.versions.compactMap(\.envelope))
    let isKeyed = !envelopes.isDisjoint(with: [.nscoding, .dictionariable, .codable])
    let all: [(String, Bool)] = [
      ("@keyed", isKeyed), ("@objects", hasObjects),
      ("@plain", isKeyed && !hasObjects), ("@plist", envelopes.contains(.plist)),
      ("@json", envelopes.contains(.json)), ("@onlyJSON", envelopes == [.json]),
      ("@lists", family.versions.contains(where: \.allowsList)),
      ("@newestLists", family.versions.last?.allowsList == true),
      ("@scalars", !forms.scalars.isEmpty),
      ("@encoded", objects.hasClasses), ("@default", forms.hasConditions),
      ("@exact", !forms.exact.isEmpty),
      ("@records", !forms.records.isEmpty),
      ("@keyedValues", family.versions.contains { $0.envelope?.isOfObjects == true }),
      ("@nilText", !envelopes.isDisjoint(with: [.codable, .plist])),
      ("@noNull", forms.kinds.isDisjoint(with: ["nullable", "any"])),
      ("@both", forms.kinds.isSuperset(of: ["record", "open"])),
      ("@urlTexts", hasURLTexts(forms)),
      ("@codableNewest", [.codable, .plist].contains(family.versions.last?.envelope)),
      ("@final", isFinal),
      ("@wide", forms.isWide || migrations.includes("try decimal(")),
      ("@dollar", hasDollar), ("@numberKinds", hasNumberKinds),
      ("@inBase64", migrations.includes("inLayers(") && migrations.includes("\"base64\", ")),
      ("@inArchives", migrations.includes("inLayers(") && migrations.includes("\"archive\", ")),
      ("@onlyRecords", !forms.kinds.contains("open")),
    ]
    return Set(all.filter(\.1).map(\.0) + forms.kinds.map { "@form:\($0)" })
  }

  /// Whether a text may be an object of another class: one that is known, or that no schema excludes.
  private func hasURLTexts(_ forms: FormWriter) -> Bool {
    family.versions.contains { version in
      guard version.envelope?.isOfObjects == true else { return false }
      return forms.kinds.contains("url")
        || version.schemaParts.contains { part in
          part["type"]?.strings.contains("string") == true && part["x-plist-type"] == nil
            && part["x-class"] == nil && part["enum"] == nil && part["const"] == nil
        }
    }
  }

  /// Whether objects hold the lists of a dictionary that encoded itself with their coder.
  private var hasInlineLists: Bool {
    family.versions.contains { version in
      version.envelope == .nscoding
        && version.schemaParts.contains { $0["properties"]?["NS.keys"] != nil }
    }
  }

  private func refusal(_ message: String) -> ArchiveError {
    ArchiveError(.unsupported, "no Swift code for \(family.name): \(message)")
  }

  /// A version's row in the table of versions.
  private func entry(
    of version: SchemaVersion, _ form: String, _ functions: [String], _ keys: String?
  ) throws(ArchiveError) -> String {
    let key = version.topKey.map { SwiftWriter.literal($0) }
    let top = key.map { "top[\($0)]" } ?? "top"
    let root: String
    switch version.envelope {
    case .codable?: root = "codable(\(key ?? "\"root\""))"
    case .dictionariable?, .nscoding?: root = top
    case .plist?: root = "propertyList"
    case .json?: root = keys.map { "named(ArchiveVersion.\($0))" } ?? "json"
    case .sequential?, nil:
      throw refusal("\(version.name) is in typedstreams, which only NSUnarchiver reads")
    }
    var parts = [
      "name: \(SwiftWriter.literal(version.name))", "root: { $0.\(root) }", "form: \(form)",
    ]
    if !functions.isEmpty {
      parts.append("migrations: [\(functions.joined(separator: ", "))]")
    }
    return SwiftLines.call("ArchiveVersion", parts, indentation: "    ") + ","
  }

  /// Parts of a file, with one empty line between any two.
  private static func joined(_ parts: [String]) -> String {
    var lines: [Substring] = []
    for line in parts.joined(separator: "\n").split(
      separator: "\n", omittingEmptySubsequences: false)
    {
      let isEmpty = lines.last?.isEmpty ?? true
      if isEmpty, line.isEmpty { continue }
      if isEmpty, line.drop(while: { $0 == " " }).hasPrefix("}") { lines.removeLast() }
      lines.append(line)
    }
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension Lens {
  /// The operations on archives in data that a schema still has in the same places.
  fileprivate func archivePart(in schema: JSONTree?) -> Lens {
    let all = operations.compactMap { operation -> LensOperation? in
      let kind: LensOperation.Kind
      switch operation.kind {
      case .change(let name, .archive):
        let root = name.map { schema?["properties"]?[$0] } ?? schema
        return root?["x-archived"] == nil ? nil : operation
      case .in(let name, let lens):
        kind = .in(name: name, lens: lens.archivePart(in: schema?["properties"]?[name]))
      case .map(let lens):
        let element = schema?["items"] ?? schema?["additionalProperties"]
        kind = .map(lens: lens.archivePart(in: element))
      default: return nil
      }
      let part = LensOperation(kind: kind, pointer: operation.pointer)
      return part.inner?.isIdentity == false ? part : nil
    }
    var lens = Lens(operations: all)
    lens.memberPattern = memberPattern
    return lens
  }
}
