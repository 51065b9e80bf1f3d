// The formats that a property list or an archive can be written in.

import Basics
import ObjectGraph
import PropertyLists

/// The targets of `convert`: a format of the table, or one for people and for keyed archives.
public struct ConversionTarget: RawRepresentable, CaseIterable, Sendable {
  /// Writes values; gives what will not be read back as it was.
  typealias Writer =
    @Sendable (_ document: Document, _ request: Request, _ output: inout OutputBuffer)
    throws(ArchiveError) -> [ArchiveError]

  /// The writer of a target.
  struct Request {
    let options: WritingOptions
    /// The input's name, from which constants in source code get theirs.
    let name: String
  }

  /// What `--to` calls it.
  public let rawValue: String
  /// Whether the format is for people to read and for terminals to show.
  public let isText: Bool
  let write: Writer

  /// Other names of targets, which other programs have for them.
  public static let aliases = [
    "xml": "xml1", "binary": "binary1", "bplist": "binary1", "strings": "openstep",
  ]

  /// Finds a target by its name.
  public init?(rawValue: String) {
    guard let found = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = found
  }

  private init(_ rawValue: String, isText: Bool, _ write: @escaping Writer) {
    self.rawValue = rawValue
    self.isText = isText
    self.write = write
  }

  private init(_ format: any PropertyListFormat.Type) {
    self.init(format.targetName ?? format.word, isText: format.encoding.isText) {
      (document, request, output) throws(ArchiveError) in
      try format.write(document, request.options, to: &output)
    }
  }

  private init(_ rawValue: String, in language: LiteralWriter.Language) {
    self.init(rawValue, isText: true) { (document, request, output) throws(ArchiveError) in
      try LiteralWriter.write(
        document, in: language, name: request.name, limits: request.options.limits, to: &output)
      return []
    }
  }

  /// A binary property list.
  public static let binary = ConversionTarget(BinaryFormat.self)
  /// An XML property list.
  public static let xml = ConversionTarget(XMLFormat.self)
  /// An OpenStep property list, with GNUstep's types for those that OpenStep lacks.
  public static let openStep = ConversionTarget(OpenStepFormat.self)
  /// JSON.
  public static let json = ConversionTarget(JSONFormat.self)
  /// A Swift literal.
  public static let swift = ConversionTarget("swift", in: .swift)
  /// An Objective-C literal.
  public static let objectiveC = ConversionTarget("objc", in: .objectiveC)
  /// A keyed archive, as a binary property list.
  public static let keyedArchive = ConversionTarget("keyed-archive", isText: false) {
    (document, request, output) throws(ArchiveError) in
    let archive = try Conversion.archive(of: document, limits: request.options.limits)
    return try BinaryFormat.write(archive, request.options, to: &output)
  }
  /// A typedstream.
  public static let typedStream = ConversionTarget(TypedStreamFormat.self)

  /// All targets: those of property lists, literals, and those of archives.
  public static let allCases: [ConversionTarget] = {
    let written = Formats.all.list.filter { $0.targetName != nil }
    let lists = written.prefix { Formats.propertyLists[$0.encoding] != nil }
    return lists.map { ConversionTarget($0) } + [swift, objectiveC, keyedArchive]
      + written[lists.endIndex...].map { ConversionTarget($0) }
  }()
}

extension ConversionTarget: Hashable {
  /// Whether two targets have one name.
  public static func == (left: ConversionTarget, right: ConversionTarget) -> Bool {
    left.rawValue == right.rawValue
  }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}
