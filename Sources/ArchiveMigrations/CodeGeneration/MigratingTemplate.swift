// The parts of a generated migration that no schema determines: what reads archives, and what the operations of lenses do.

import ArchiveBasics

/// Source code, of which a file takes what it uses.
///
/// The lines between `#if TEXT` and `#endif` are for files that contain the text by then, `MODEL` is the model's type.
enum MigratingTemplate {
  /// The lines of a template that a file uses.
  static func lines(of template: String, in source: String, model: String) -> String {
    var result = ""
    var skipped: [Bool] = []
    for line in template.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("#if ") {
        let texts = line.dropFirst("#if ".count).split(separator: "|")
        let isUsed = texts.contains { source.includes($0) || result.includes($0) }
        skipped.append(skipped.last == true || !isUsed)
      } else if line == "#endif" {
        skipped.removeLast()
      } else if skipped.last != true {
        var rest = line
        while let found = rest.firstOccurrence(of: "MODEL") {
          result += rest[..<found.lowerBound] + model
          rest = rest[found.upperBound...]
        }
        result += rest + "\n"
      }
    }
    return result
  }

  /// What follows the versions, their forms and their migrations.
  static let support = lensOperations + conversions + reading + forms

  // MARK: What the operations of lenses do

  private static let lensOperations = #"""
    #if .convertMembers(|.edit(|.editEach(|.convert(|.convertEach(|.rename(|.add(|.hoist(|.plunge(|.wrap(|.head(|.fill(|.removeNull(|.addNull(|.copy(|.combine(|.separate(|.has(

    // MARK: - What migrations do to the members of a model

    extension [String: Any] {
    #if .rename(
      fileprivate mutating func rename(_ name: String, to other: String) throws {
        try refuse(other)
        self[other] = removeValue(forKey: name)
      }

    #endif
    #if .add(
      fileprivate mutating func add(_ name: String, _ value: Any) throws {
        try refuse(name)
        self[name] = value
      }

    #endif
    #if .copy(
      fileprivate mutating func copy(_ name: String, to other: String) throws {
        try refuse(other)
        self[other] = self[name]
      }

    #endif
    #if .hoist(
      /// Moves a member out of another member.
      fileprivate mutating func hoist(_ name: String, from host: String, prune: Bool) throws {
        try refuse(name)
        guard let value = present(host) else { return }
        var inside = try within(".\(host)") { try object(value) }
        let moved = inside.removeValue(forKey: name)
        self[host] = prune && inside.isEmpty ? nil : inside
        self[name] = moved
      }

    #endif
    #if .plunge(
      /// Moves a member into another member, which is made if it is absent.
      fileprivate mutating func plunge(_ name: String, into host: String) throws {
        try within(".\(host)") {
          var inside = try object(present(host) ?? [String: Any]())
          try inside.refuse(name)
          guard let value = removeValue(forKey: name) else { return }
          inside[name] = value
          self[host] = inside
        }
      }

    #endif
    #if .wrap(
      /// Puts a member into a list.
      fileprivate mutating func wrap(_ name: String) {
        self[name] = present(name).map { [$0] } ?? [Any]()
      }

    #endif
    #if .head(
      /// Replaces a list by its first element; an empty one is removed.
      fileprivate mutating func head(_ name: String) throws {
        guard let value = present(name) else { return }
        self[name] = try within(".\(name)") { try list(value).first }
      }

    #endif
    #if .fill(
      /// Sets a member that is absent or null.
      fileprivate mutating func fill(_ name: String, with value: Any) {
        self[name] = present(name) ?? value
      }

    #endif
    #if .removeNull(
      fileprivate mutating func removeNull(_ name: String) { self[name] = present(name) }

    #endif
    #if .addNull(
      fileprivate mutating func addNull(_ name: String) { self[name] = self[name] ?? NSNull() }

    #endif
    #if .combine(
      /// Makes a dictionary of two lists.
      fileprivate mutating func combine(_ keys: String, _ values: String, to name: String) throws {
        try refuse(name)
        guard self[keys] != nil || self[values] != nil else { return }
        let names = try within(".\(keys)") { try list(self[keys] ?? NSNull()).map { try text($0) } }
        let items = try within(".\(values)") { try list(self[values] ?? NSNull()) }
        guard names.count == items.count else {
          throw ArchiveFailure("there are \(items.count) values", at: ".\(keys)")
        }
        self[name] = try dictionary(zip(names, items))
        self[keys] = nil
        self[values] = nil
      }

    #endif
    #if .separate(
      /// Makes two lists of a dictionary.
      fileprivate mutating func separate(
        _ name: String, to keys: String, _ values: String
      ) throws {
        try refuse(keys)
        try refuse(values)
        guard let value = removeValue(forKey: name) else { return }
        let members = try within(".\(name)") { try sorted(object(value)) }
        self[keys] = members.map(\.key)
        self[values] = members.map(\.value)
      }

    #endif
    #if .convert(
      /// Replaces a member, unless it is absent or null.
      fileprivate mutating func convert(_ name: String, _ body: (Any) throws -> Any) throws {
        guard let value = present(name) else { return }
        updateValue(try within(".\(name)") { try body(value) }, forKey: name)
      }

    #endif
    #if .edit(
      /// Changes the members of an object, unless it is absent or null.
      fileprivate mutating func edit(
        _ name: String, _ body: (inout [String: Any]) throws -> Void
      ) throws {
        guard let value = present(name) else { return }
        updateValue(try within(".\(name)") { try edited(value, body) }, forKey: name)
      }

    #endif
    #if .editEach(
      /// Changes the members of every object in a list or a dictionary.
      fileprivate mutating func editEach(
        _ name: String, _ body: (inout [String: Any]) throws -> Void
      ) throws {
        try convertEach(name) { try edited($0, body) }
      }

    #endif
    #if .convertEach(|try convertEach(
      /// Replaces every element of a list, or every value of a dictionary.
      fileprivate mutating func convertEach(_ name: String, _ body: (Any) throws -> Any) throws {
        guard let value = present(name) else { return }
        updateValue(try within(".\(name)") { try each(of: value, body) }, forKey: name)
      }

    #endif
    #if .convertMembers(
      /// Replaces the members whose names a regular expression matches.
      fileprivate mutating func convertMembers(
        _ pattern: String, _ body: (Any) throws -> Any
      ) throws {
        for (name, value) in self where name.range(of: pattern, options: .regularExpression) != nil {
          updateValue(try within(".\(name)") { try body(value) }, forKey: name)
        }
      }

    #endif
    #if .has(
      /// Whether a member has a value.
      fileprivate func has(_ name: String, _ value: Any) -> Bool {
        self[name].map { isSame($0, value) } ?? false
      }

    #endif
    #if try refuse(|.refuse(|try ungrouped(
      fileprivate func refuse(_ name: String) throws {
        guard self[name] != nil else { return }
        throw ArchiveFailure("the member is there already", at: ".\(name)")
      }

    #endif
    #if present(
      /// A member's value; nil if it is absent or null.
      fileprivate func present(_ name: String) -> Any? {
        self[name].flatMap { $0 is NSNull ? nil : $0 }
      }
    #endif
    }
    #endif

    """#

  // MARK: Conversions

  private static let conversions = #"""
    #if try grouped(
    /// A dictionary of objects, each under the text of a member that it loses.
    private func grouped(_ value: Any, by name: String) throws -> Any {
      try dictionary(
        list(value).map { item in
          var members = try object(item)
          let key = try within(".\(name)") { try text(members.removeValue(forKey: name) ?? NSNull()) }
          return (key, members)
        })
    }

    #endif
    #if try ungrouped(
    /// The objects of a dictionary, each with its key as a member.
    private func ungrouped(_ value: Any, by name: String) throws -> Any {
      try sorted(object(value)).map { key, value in
        try edited(value) { members in
          try members.refuse(name)
          members[name] = key
        }
      }
    }

    #endif
    #if try paired(
    /// A dictionary of keys and values in turn.
    private func paired(_ value: Any) throws -> Any {
      let items = try list(value)
      guard items.count.isMultiple(of: 2) else { throw ArchiveFailure("a value is missing") }
      return try dictionary(
        stride(from: 0, to: items.count, by: 2).map { (try keyText(items[$0]), items[$0 + 1]) })
    }

    private func keyText(_ value: Any) throws -> String {
      if let number = value as? NSNumber, !number.isBoolean { return number.stringValue }
      return try text(value)
    }

    #endif
    #if try unpaired(
    /// The keys and values of a dictionary in turn.
    private func unpaired(_ value: Any, _ key: (String) throws -> Any) throws -> Any {
      try sorted(object(value)).flatMap { [try key($0), $1] }
    }

    #endif
    #if try split(
    private func split(_ value: Any, at separator: String) throws -> Any {
      let text = try text(value)
      return text.isEmpty ? [] : text.components(separatedBy: separator)
    }

    #endif
    #if try joined(
    private func joined(_ value: Any, by separator: String) throws -> Any {
      try list(value).map { try text($0) }.joined(separator: separator)
    }

    #endif
    #if try pluck(
    private func pluck(_ name: String, of value: Any) throws -> Any {
      guard let member = try object(value)[name] else {
        throw ArchiveFailure("the member is missing", at: ".\(name)")
      }
      return member
    }

    #endif
    #if try first(
    private func first(of value: Any) throws -> Any {
      guard let first = try list(value).first else { throw ArchiveFailure("the list is empty") }
      return first
    }

    #endif
    #if try replaced(
    /// What a table has for a value.
    private func replaced(
      _ value: Any, by pairs: [(Any, Any)], otherwise standard: Any? = nil
    ) throws -> Any {
      guard let result = pairs.first(where: { isSame($0.0, value) })?.1 ?? standard else {
        throw ArchiveFailure("there is no other value for \(value)")
      }
      return result
    }

    #endif
    #if try address(
    /// The text of a URL.
    private func address(of value: Any) throws -> Any {
      guard let members = value as? [String: Any] else { return try text(value) }
      let relative = try text(members["relative"] ?? NSNull())
      guard let base = members["base"] else { return relative }
      let url = URL(string: relative, relativeTo: URL(string: "\(try address(of: base))"))
      return url?.absoluteString ?? relative
    }

    #endif
    #if try integer(
    /// The nearest integer.
    private func integer(_ value: Any) throws -> Any {
      if let text = value as? String, let whole = Int(text) { return whole }
      if let number = value as? NSNumber {
        if !number.isReal { return number }
        let rounded = number.doubleValue.rounded(.toNearestOrAwayFromZero)
        if let whole = Int(exactly: rounded) { return whole }
      }
      throw ArchiveFailure("an integer is expected, not \(value)")
    }

    #endif
    #if try decimal(
    /// A number in decimal.
    private func decimal(_ value: Any) throws -> String {
      let real = try double(value)
      guard abs(real) <= 0x1p53, !(real == 0 && real.sign == .minus), let whole = Int(exactly: real)
      else { return "\(real)" }
      return "\(whole)"
    }

    #endif
    #if try double(
    private func double(_ value: Any) throws -> Double {
      let number = (value as? NSNumber)?.doubleValue ?? (value as? String).flatMap { Double($0) }
      guard let number, number.isFinite else {
        throw ArchiveFailure("a number is expected, not \(value)")
      }
      return number
    }

    #endif
    #if try boolean(
    private func boolean(_ value: Any) throws -> Bool {
      switch value {
      case let text as String where text == "true" || text == "false": return text == "true"
      case let number as NSNumber where number == 0 || number == 1: return number.boolValue
      default: throw ArchiveFailure("true or false is expected, not \(value)")
      }
    }

    #endif
    #if try identifier(
    private func identifier(_ value: Any) throws -> Any {
      guard let uuid = UUID(uuidString: try text(value)) else {
        throw ArchiveFailure("a UUID is expected, not \(value)")
      }
      return uuid.uuidString
    }

    #endif
    #if try bytes(
    private func bytes(ofBase64 value: Any) throws -> Any {
      guard let data = Data(base64Encoded: try text(value)) else {
        throw ArchiveFailure("Base64 is expected")
      }
      return data
    }

    #endif
    #if try base64(
    private func base64(_ value: Any) throws -> Any {
      guard let data = value as? Data else { throw ArchiveFailure("data is expected") }
      return data.base64EncodedString()
    }

    #endif
    #if isoDate(
    /// The date of a text in ISO 8601, with a fraction of any length.
    private func isoDate(_ value: Any) throws -> Date {
      var text = try text(value)
      var fraction = 0.0
      if let range = text.range(of: "[.][0-9]+", options: .regularExpression) {
        fraction = Double("0" + text[range]) ?? 0
        text.removeSubrange(range)
      }
      guard let date = ISO8601DateFormatter().date(from: text) else {
        throw ArchiveFailure("a date in ISO 8601 is expected, not \(value)")
      }
      return date + fraction
    }

    #endif
    #if isoText(
    /// A date in ISO 8601, with the shortest fraction that tells it from others.
    private func isoText(_ value: Any) throws -> Any {
      let seconds = try date(value).timeIntervalSinceReferenceDate
      let whole = seconds.rounded(.down)
      var text = ISO8601DateFormatter().string(from: Date(timeIntervalSinceReferenceDate: whole))
      if whole == seconds { return text }
      let fraction = (1...9).lazy.map { String(format: "%.\($0)f", seconds - whole) }.first {
        Double($0).map { whole + $0 == seconds } ?? false
      }
      text.insert(contentsOf: (fraction ?? "").dropFirst(), at: text.index(before: text.endIndex))
      return text
    }

    #endif
    #if parsed(
    private func parsed(_ value: Any, as format: String, zone: Int) throws -> Date {
      let text = try text(value).replacingOccurrences(of: "\u{202F}", with: " ")
      guard let date = dateFormatter(format, zone: zone).date(from: text) else {
        throw ArchiveFailure("a date in the format \(format) is expected, not \(value)")
      }
      return date
    }

    #endif
    #if written(
    private func written(_ value: Any, as format: String, zone: Int) throws -> Any {
      dateFormatter(format, zone: zone).string(from: try date(value))
    }

    #endif
    #if dateFormatter(
    private func dateFormatter(_ format: String, zone: Int) -> DateFormatter {
      let formatter = DateFormatter()
      formatter.locale = Locale(identifier: "en_US_POSIX")
      formatter.timeZone = TimeZone(secondsFromGMT: zone)
      formatter.dateFormat = format
      return formatter
    }

    #endif
    #if try date(|(date(|? (try? date(
    private func date(_ value: Any) throws -> Date {
      guard let date = value as? Date else {
        throw ArchiveFailure("a date is expected, not \(value)")
      }
      return date
    }

    #endif
    #if isSame(
    /// Whether two scalars are equal: a boolean is no number.
    private func isSame(_ one: Any, _ other: Any) -> Bool {
      switch (one, other) {
      case (is NSNull, is NSNull): true
      case (let one as String, let other as String): one.utf8.elementsEqual(other.utf8)
      case (let one as NSNumber, let other as NSNumber):
        one.isBoolean == other.isBoolean && one == other
      default: false
      }
    }

    #endif
    #if each(of
    /// The elements of a list or the values of a dictionary, each replaced.
    private func each(of value: Any, _ body: (Any) throws -> Any) throws -> Any {
      if let items = value as? [Any] {
        return try items.enumerated().map { index, item in
          try within("[\(index)]") { try body(item) }
        }
      }
      var members = try object(value)
      for (name, member) in members {
        members.updateValue(try within(".\(name)") { try body(member) }, forKey: name)
      }
      return members
    }

    #endif
    #if edited(
    /// An object whose members are changed.
    private func edited(
      _ value: Any, _ body: (inout [String: Any]) throws -> Void
    ) throws -> Any {
      var members = try object(value)
      try body(&members)
      return members
    }

    #endif
    #if sorted(
    /// The members of a dictionary by their keys.
    private func sorted(_ members: [String: Any]) -> [(key: String, value: Any)] {
      members.sorted { $0.key.unicodeScalars.lexicographicallyPrecedes($1.key.unicodeScalars) }
    }

    #endif
    #if dictionary(
    private func dictionary(_ pairs: some Sequence<(String, Any)>) throws -> [String: Any] {
      try Dictionary(pairs) { _, _ in throw ArchiveFailure("a key occurs twice") }
    }

    #endif
    #if  object(|(object(
    private func object(_ value: Any) throws -> [String: Any] {
      guard let members = value as? [String: Any] else {
        throw ArchiveFailure("an object is expected, not \(value)")
      }
      return members
    }

    #endif
    #if  list(|(list(
    private func list(_ value: Any) throws -> [Any] {
      guard let items = value as? [Any] else {
        throw ArchiveFailure("a list is expected, not \(value)")
      }
      return items
    }

    #endif
    #if try text(
    private func text(_ value: Any) throws -> String {
      guard let text = value as? String else {
        throw ArchiveFailure("a text is expected, not \(value)")
      }
      return text
    }

    #endif

    """#

  // MARK: Reading archives

  private static let reading = #"""
    // MARK: - Reading archives

    /// A version of the model: the archives that hold it, and how its models become the newest.
    private struct ArchiveVersion: Sendable {
      enum Envelope {
    #if envelope: .data
        /// A keyed archive of data that PropertyListEncoder made.
        case data
    #endif
    #if envelope: .dictionaries
        /// A keyed archive of dictionaries.
        case dictionaries
    #endif
    #if envelope: .objects
        /// A keyed archive of objects.
        case objects
    #endif
    #if envelope: .propertyList
        case propertyList
    #endif
    #if envelope: .json
        case json
    #endif
      }

      let name: String
      let envelope: Envelope
      /// The top-level key in a keyed archive; nil if these keys are the members of the model.
      var key: String? = "root"
      var allowsList = false
    #if jsonNames:
      /// The names of members by those in JSON.
      var jsonNames: [String: String] = [:]
    #endif
      let form: ArchiveForm
      var migrations: [@Sendable (inout [String: Any]) throws -> Void] = []

      /// The models of an archive, with the members of the newest version.
      static func models(in data: Data) throws -> [Any] {
        let archive = try StoredArchive(data)
        var nearest: ArchiveFailure?
        for version in all {
          guard let root = archive.root(of: version) else { continue }
          do {
            return try version.models(of: root)
          } catch let error as ArchiveFailure {
            if let nearest, nearest.path.count >= error.path.count { continue }
            nearest = ArchiveFailure("\(version.name): \(error.problem)", at: error.path)
          }
        }
        throw nearest ?? ArchiveFailure("the archive holds no version of the model")
      }

    #if jsonNames:
      /// A value of JSON with the members' own names.
      func named(_ value: Any) -> Any {
        if let items = value as? [Any] { return items.map(named) }
        guard let members = value as? [String: Any] else { return value }
        return Dictionary(members.map { (jsonNames[$0] ?? $0, named($1)) }) { $1 }
      }

    #endif
      private func models(of root: Any) throws -> [Any] {
        guard allowsList, let roots = root as? [Any] else { return [try model(of: root)] }
        return try roots.enumerated().map { index, root in
          try within("[\(index)]") { try model(of: root) }
        }
      }

      private func model(of root: Any) throws -> Any {
    #if envelope: .objects
        guard key == nil || (root is ArchivedObject) == (envelope == .objects) else {
          throw ArchiveFailure("the archive holds another object")
        }
    #endif
        guard var model = try form.value(of: root) as? [String: Any] else {
          throw ArchiveFailure("an object is expected")
        }
        for migrate in migrations { try migrate(&model) }
        return model
      }
    }

    /// What an archive holds, before its version is known.
    private struct StoredArchive {
    #if envelope: .data|envelope: .dictionaries|envelope: .objects
      /// The top-level values of a keyed archive.
      private var top: [String: Any]?
    #endif
    #if envelope: .propertyList
      private var propertyList: Any?
    #endif
    #if envelope: .json
      private var json: Any?
    #endif

      init(_ data: Data) throws {
    #if envelope: .json
        json = try? JSONSerialization.jsonObject(with: data)
        guard json == nil else { return }
    #endif
        let list = try PropertyListSerialization.propertyList(from: data, format: nil)
    #if envelope: .propertyList
        propertyList = list
    #endif
    #if envelope: .data|envelope: .dictionaries|envelope: .objects
        if let archive = list as? [String: Any], let keys = archive["$top"] as? [String: Any] {
          top = try Self.top(of: data, archive, keys)
        }
    #endif
      }

      /// What may be a model of a version, or a list of them.
      func root(of version: ArchiveVersion) -> Any? {
        switch version.envelope {
    #if envelope: .data
        case .data:
          (version.key.flatMap { top?[$0] } as? Data).flatMap {
            try? PropertyListSerialization.propertyList(from: $0, format: nil)
          }
    #endif
    #if envelope: .dictionaries
        case .dictionaries: version.key.map { top?[$0] } ?? top
    #endif
    #if envelope: .objects
        case .objects: version.key.map { top?[$0] } ?? top
    #endif
    #if envelope: .propertyList
        case .propertyList: propertyList
    #endif
    #if envelope: .json
    #if jsonNames:
        case .json: json.map { version.named($0) }
    #endif
    #if PLAIN-JSON
        case .json: json
    #endif
    #endif
        }
      }
    #if envelope: .data|envelope: .dictionaries|envelope: .objects

      private static func top(
        of data: Data, _ archive: [String: Any], _ keys: [String: Any]
      ) throws -> [String: Any] {
        let coder = try NSKeyedUnarchiver(forReadingFrom: data)
        defer { coder.finishDecoding() }
        coder.requiresSecureCoding = true
        coder.decodingFailurePolicy = .setErrorAndReturn
    #if envelope: .objects
        var fields = StoredFields()
        try fields.add(keys)
        for case let object as [String: Any] in archive["$objects"] as? [Any] ?? [] {
          if let name = object["$classname"] as? String, !name.hasPrefix("NS") {
            let classes = object["$classes"] as? [String] ?? [name]
            coder.setClass(ArchivedObject.standIn(for: classes), forClassName: name)
          } else if object["$class"] != nil {
            try fields.add(object)
          }
        }
        let top = StoredFields.$current.withValue(fields) { coder.fields(keys.keys) }
    #endif
    #if envelope: .data|envelope: .dictionaries
    #if KEYED-WITHOUT-OBJECTS
        var top: [String: Any] = [:]
        for key in keys.keys { top[key] = coder.decodeObject(of: archivedClasses, forKey: key) }
    #endif
    #endif
        if let error = coder.error { throw error }
        return top
      }
    #endif
    }

    #if envelope: .data|envelope: .dictionaries|envelope: .objects
    /// The classes that archives may hold.
    private let archivedClasses: [AnyClass] = [
      NSArray.self, NSData.self, NSDate.self, NSDecimalNumber.self, NSDictionary.self, NSNull.self,
      NSNumber.self, NSOrderedSet.self, NSSet.self, NSString.self, NSURL.self, NSUUID.self,
    ]

    #endif
    #if envelope: .objects
    /// The keys of an archive's objects, and how their values are stored.
    private struct StoredFields: Sendable {
      /// A value in its object itself, rather than an object of its own.
      enum Inline { case boolean, integer, real, data }

      /// Those of the archive that is being read.
      @TaskLocal static var current = StoredFields()

      private(set) var keys: [String: Inline?] = [:]

      /// Adds the keys of an object; an archive may have 1,000.
      mutating func add(_ object: [String: Any]) throws {
        for (key, value) in object where key != "$class" && !(value is [Any]) {
          let kind = Self.kind(of: value)
          guard let known = keys.updateValue(kind, forKey: key), known != kind else { continue }
          guard let known, let kind, known != .data, kind != .data else {
            throw ArchiveFailure("values are stored inline and as objects", at: ".\(key)")
          }
          keys[key] = .real
        }
        if keys.count > 1_000 { throw ArchiveFailure("the archive has too many keys") }
      }

      private static func kind(of value: Any) -> Inline? {
        guard let number = value as? NSNumber else { return value is Data ? .data : nil }
        return number.isBoolean ? .boolean : number.isReal ? .real : .integer
      }
    }

    extension NSCoder {
      /// The values of those keys that an object has.
      fileprivate func fields(_ keys: some Sequence<String>) -> [String: Any] {
        let classes = archivedClasses + [ArchivedObject.self]
        var fields: [String: Any] = [:]
        for key in keys where containsValue(forKey: key) {
          switch StoredFields.current.keys[key] ?? nil {
          case .boolean: fields[key] = decodeBool(forKey: key)
          case .integer: fields[key] = decodeInteger(forKey: key)
          case .real: fields[key] = decodeDouble(forKey: key)
          case .data:
            fields[key] = withDecodedUnsafeBufferPointer(forKey: key) { $0.map { Data($0) } }
          case nil: fields[key] = decodeObject(of: classes, forKey: key) ?? NSNull()
          }
        }
        return fields
      }
    }

    /// Stands in for an object of an application's class when an archive is read.
    private class ArchivedObject: NSObject, NSSecureCoding {
      class var supportsSecureCoding: Bool { true }
      /// Regular expressions for the names of the classes that it stands in for.
      class var names: [String] { [] }

      let fields: [String: Any]

      required init?(coder: NSCoder) { fields = coder.fields(StoredFields.current.keys.keys) }

      func encode(with coder: NSCoder) {
        // It is only read.
      }

      /// What stands in for objects of a class, whose name comes before those of its superclasses.
      static func standIn(for classes: [String]) -> ArchivedObject.Type {
        for name in classes {
          let names = [name, shown(name)]
          for type in all where type.names.contains(where: { names.contains(matching: $0) }) {
            return type
          }
        }
        return ArchivedObject.self
      }

      /// The name of a class of Swift as it is shown: `App.Movie` for `_TtC3App5Movie`.
      private static func shown(_ name: String) -> String {
        guard name.hasPrefix("_Tt") else { return name }
        var rest = name.dropFirst("_Tt".count).drop { $0.isLetter && $0 != "P" }
        var parts: [Substring] = []
        while let first = rest.first {
          // P comes before the mark of a private type, which is not shown.
          if first == "P" { rest = rest.dropFirst() }
          let digits = rest.prefix { $0.isNumber }
          guard let count = Int(digits), count > 0 else { break }
          rest = rest.dropFirst(digits.count)
          if first != "P" { parts.append(rest.prefix(count)) }
          rest = rest.dropFirst(count)
        }
        return parts.joined(separator: ".")
      }
    }

    extension [String] {
      fileprivate func contains(matching pattern: String) -> Bool {
        contains { $0.range(of: "^(?:\(pattern))$", options: .regularExpression) != nil }
      }
    }

    #endif

    """#

  // MARK: Forms of values

  private static let forms = #"""
    // MARK: - What values may be

    private indirect enum ArchiveForm: Sendable {
    #if .any
      case any
    #endif
      case string
      case boolean
      case integer
      case real
      case date
      case data
    #if .url
      case url
    #endif
    #if .uuid
      case uuid
    #endif
    #if .decimal
      case decimal
    #endif
    #if .texts(
      /// Some texts.
      case texts([String])
    #endif
      case list(ArchiveForm)
    #if .map(
      case map(ArchiveForm)
    #endif
      /// These members, and no others.
      case record([String: ArchiveForm])
    #if .open(
      /// These members, among others.
      case open([String: ArchiveForm])
    #endif
    #if .object(
      /// A record that is an object of a class.
      case object(ArchivedObject.Type, ArchiveForm)
    #endif
    #if .either(
      case either([ArchiveForm])
    #endif
    #if .jsonDate
      /// A date in JSON: a number, or a text.
      case jsonDate(@Sendable (Any) throws -> Date)
    #endif
    #if .jsonData
      /// Data in JSON: Base64.
      case jsonData
    #endif
    #if .nullable(
      case nullable(ArchiveForm)
    #endif
    #if .optional(
      /// A member that may be absent.
      case optional(ArchiveForm)
    #endif
    #if .deferred
      /// A form that contains itself.
      case deferred(@Sendable () -> ArchiveForm)
    #endif

      /// A value in this form; a final one is what PropertyListDecoder reads.
      ///
      /// - Throws: `ArchiveFailure` with the path of a value that has another form.
      func value(of stored: Any, isFinal: Bool = false) throws -> Any {
        switch self {
    #if .optional(
        case .optional(let form): return try form.value(of: stored, isFinal: isFinal)
    #endif
    #if .nullable(
        case .nullable(let form):
          return stored is NSNull ? stored : try form.value(of: stored, isFinal: isFinal)
    #endif
    #if .deferred
        case .deferred(let form): return try form().value(of: stored, isFinal: isFinal)
    #endif
    #if .either(
        case .either(let forms):
          for form in forms {
            if let value = try? form.value(of: stored, isFinal: isFinal) { return value }
          }
    #endif
    #if .object(
        case .object(let type, let form):
          if isFinal || (stored as? ArchivedObject)?.isKind(of: type) == true {
            return try form.value(of: stored, isFinal: isFinal)
          }
    #endif
        case .list(let form):
          guard let items = Self.items(of: stored) else { break }
          return try items.enumerated().map { index, item in
            let value = try within("[\(index)]") { try form.value(of: item, isFinal: isFinal) }
            return isFinal && value is NSNull ? "$null" : value
          }
    #if .map(
        case .map(let form):
          guard var members = Self.members(of: stored) else { break }
          for (name, member) in members {
            let value = try within(".\(name)") { try form.value(of: member, isFinal: isFinal) }
            members[name] = isFinal && value is NSNull ? "$null" : value
          }
          return members
    #endif
        case .record(let forms):
          guard let members = Self.members(of: stored) else { break }
          if let name = members.keys.filter({ forms[$0] == nil }).min() {
            throw ArchiveFailure("the member is unknown", at: ".\(name)")
          }
          return try Self.record(of: members, forms, isFinal: isFinal)
    #if .open(
        case .open(let forms):
          guard let members = Self.members(of: stored) else { break }
          return try Self.record(of: members, forms, isFinal: isFinal)
    #endif
        default:
          if let value = scalar(of: stored, isFinal: isFinal) { return value }
        }
        throw ArchiveFailure("\(label) is expected")
      }

      private static func record(
        of members: [String: Any], _ forms: [String: ArchiveForm], isFinal: Bool
      ) throws -> [String: Any] {
        var result = isFinal ? [:] : members
        for (name, form) in forms.sorted(by: { $0.key < $1.key }) {
          guard let member = members[name] else {
    #if .optional(
            if case .optional = form { continue }
    #endif
    #if .nullable(
            if isFinal, case .nullable = form { continue }
    #endif
            throw ArchiveFailure("the member is missing", at: ".\(name)")
          }
    #if .optional(
          if isFinal, member is NSNull, case .optional = form { continue }
    #endif
          let value = try within(".\(name)") { try form.value(of: member, isFinal: isFinal) }
          result[name] = isFinal && value is NSNull ? nil : value
        }
        return result
      }

      /// A scalar; nil for a value of another type.
      private func scalar(of stored: Any, isFinal: Bool) -> Any? {
        let number = stored as? NSNumber
        let isBoolean = number?.isBoolean ?? false
        switch self {
        case .string: return stored as? String
        case .boolean:
          // An archive may hold 0 for false.
          return isBoolean || isFinal && (number == 0 || number == 1) ? number?.boolValue : nil
        case .integer:
          if isBoolean { return isFinal ? number?.intValue : nil }
          return stored as? Int ?? stored as? UInt64
        case .real: return !isBoolean || isFinal ? number?.doubleValue : nil
        case .date: return stored as? Date
        case .data: return stored as? Data
    #if .texts(
        case .texts(let texts): return (stored as? String).flatMap { texts.contains($0) ? $0 : nil }
    #endif
    #if .url
        case .url: return Self.address(of: stored, isFinal: isFinal)
    #endif
    #if .uuid
        case .uuid:
          let uuid = stored as? UUID ?? (stored as? String).flatMap { UUID(uuidString: $0) }
          return uuid?.uuidString
    #endif
    #if .decimal
        case .decimal: return Self.decimal(of: stored, isFinal: isFinal)
    #endif
    #if .jsonDate
        case .jsonDate(let date): return stored as? Date ?? (try? date(stored))
    #endif
    #if .jsonData
        case .jsonData:
          return stored as? Data ?? (stored as? String).flatMap { Data(base64Encoded: $0) }
    #endif
    #if .any
        case .any: return Self.anything(stored)
    #endif
        default: return nil
        }
      }
    #if .any

      private static func anything(_ stored: Any) -> Any {
        if let items = items(of: stored) { return items.map(anything) }
        if let members = members(of: stored) { return members.mapValues(anything) }
        return (stored as? URL)?.absoluteString ?? (stored as? UUID)?.uuidString ?? stored
      }
    #endif
    #if .url

      /// The text of a URL, or Codable's object.
      private static func address(of stored: Any, isFinal: Bool) -> Any? {
        if let url = stored as? URL {
          guard let base = url.baseURL else { return url.relativeString }
          return ["relative": url.relativeString, "base": ["relative": base.absoluteString]]
        }
        if let text = stored as? String { return isFinal ? ["relative": text] : text }
        return (stored as? [String: Any])?["relative"] is String ? stored : nil
      }
    #endif
    #if .decimal

      /// The text of a decimal number, or Codable's object.
      private static func decimal(of stored: Any, isFinal: Bool) -> Any? {
        var text = (stored as? NSNumber)?.stringValue ?? stored as? String
        if text == nil, let members = stored as? [String: Any],
          let data = try? PropertyListSerialization.data(
            fromPropertyList: members, format: .binary, options: 0)
        {
          text = (try? PropertyListDecoder().decode(Decimal.self, from: data))?.description
        }
        let pattern = "^[-+]?[0-9]*[.]?[0-9]+([eE][-+]?[0-9]+)?$"
        guard isFinal, text?.range(of: pattern, options: .regularExpression) != nil else {
          return isFinal ? nil : text
        }
        let number = text.flatMap { Decimal(string: $0, locale: Locale(identifier: "en_US_POSIX")) }
        return number.flatMap { try? PropertyListEncoder().encode($0) }.flatMap {
          try? PropertyListSerialization.propertyList(from: $0, format: nil)
        }
      }
    #endif

      private static func items(of stored: Any) -> [Any]? {
        (stored as? NSSet)?.allObjects ?? (stored as? NSOrderedSet)?.array ?? stored as? [Any]
      }

      private static func members(of stored: Any) -> [String: Any]? {
    #if envelope: .objects
        if let object = stored as? ArchivedObject { return object.fields }
    #endif
        return stored as? [String: Any]
      }

      /// What a message calls it.
      private var label: String {
        switch self {
        case .string: "a text"
        case .boolean: "true or false"
        case .integer: "an integer"
        case .real: "a number"
        case .list: "a list"
        case .record: "an object"
        default: "another value"
        }
      }
    }

    extension NSNumber {
      fileprivate var isBoolean: Bool { String(cString: objCType) == "c" }
    #if .isReal
      fileprivate var isReal: Bool { ["d", "f"].contains(String(cString: objCType)) }
    #endif
    }

    /// Runs a closure for a part of a model; its errors name the part.
    private func within<Result>(_ part: String, _ body: () throws -> Result) throws -> Result {
      do {
        return try body()
      } catch let error as ArchiveFailure {
        throw ArchiveFailure(error.problem, at: part + error.path)
      }
    }
    """#
}
