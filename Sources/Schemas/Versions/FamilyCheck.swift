// Checks a family: its schemas must be well formed, and each sample must fit only its own version.

import Basics
import KeyedArchives
import ObjectGraph
import PropertyLists

/// Checks a family in a folder.
///
/// `samples/VERSION/*` must fit that version and no other; nothing in `samples/VERSION/invalid` may fit it.
public struct FamilyCheck {
  /// An error or a warning; not yet a diagnostic, because the code of the error decides the exit status.
  public struct Finding: Sendable {
    /// The file that it concerns.
    public let file: String
    /// The error.
    public let error: ArchiveError
    /// Whether it makes the family invalid.
    public let isError: Bool

    /// Makes a finding.
    public init(file: String, error: ArchiveError, isError: Bool) {
      self.file = file
      self.error = error
      self.isError = isError
    }

    /// The finding as a diagnostic of its file.
    public var diagnostic: Diagnostic {
      Diagnostic(error.inFile(file), severity: isError ? .error : .warning)
    }
  }

  /// A sample of a version.
  package struct Sample {
    /// The version's name.
    package let version: String
    /// The file.
    package let path: String
  }

  /// The result of a check.
  public struct Result {
    /// The family.
    public let family: SchemaFamily
    /// How many samples were checked.
    public let sampleCount: Int
    /// The samples that fit their versions.
    package var samples: [Sample] = []
    /// The errors and warnings.
    public let findings: [Finding]
  }

  private let folder: String
  private let reader: FamilyFolder

  /// Specifies the family to check.
  public init(folder: String, library: SchemaLibrary, assertsFormats: Bool = false) {
    self.folder = folder
    reader = FamilyFolder(
      path: folder, library: library,
      options: SchemaVersion.Options(assertsFormats: assertsFormats))
  }

  /// Checks the family.
  ///
  /// - Throws: `ArchiveError` that names the file if the family or one of its schemas cannot be read or is invalid.
  public func run() throws(ArchiveError) -> Result {
    let family = try reader.read()
    var findings: [Finding] = []
    for version in family.versions { findings += keywords(of: version) }
    var sampleCount = 0
    var fitting: [Sample] = []
    let samples = folder + "/samples"
    guard FolderListing.isFolder(samples) else {
      return Result(
        family: family, sampleCount: 0, findings: findings)
    }
    for name in try Self.names(in: samples) {
      let path = samples + "/" + name
      guard let version = family.version(name) else {
        findings.append(Self.problem(path, "\(family.name) has no version \(name)"))
        continue
      }
      for file in try Self.names(in: path) {
        let sample = path + "/" + file
        if FolderListing.isFile(sample) {
          sampleCount += 1
          let problems = check(sample, fits: version, of: family)
          if problems.isEmpty { fitting.append(Sample(version: name, path: sample)) }
          findings += problems
        } else if file == "invalid" {
          for file in try Self.names(in: sample) where FolderListing.isFile(sample + "/" + file) {
            sampleCount += 1
            findings += check(sample + "/" + file, doesNotFit: version, of: family)
          }
        }
      }
    }
    return Result(
      family: family, sampleCount: sampleCount, samples: fitting, findings: findings)
  }

  private static func names(in folder: String) throws(ArchiveError) -> [String] {
    do throws(ArchiveError) {
      return try FolderListing.names(in: folder).map { String(pathBytes: $0) }
        .filter { !$0.hasPrefix(".") }
    } catch {
      throw error.inFile(folder)
    }
  }

  private static func problem(_ file: String, _ message: String) -> Finding {
    Finding(file: file, error: ArchiveError(.mismatch, message), isError: true)
  }

  // MARK: Samples

  /// A sample of a version must fit it, and no other version of the family.
  private func check(
    _ sample: String, fits version: SchemaVersion, of family: SchemaFamily
  ) -> [Finding] {
    do throws(ArchiveError) {
      let storage = try ByteStorage.open(path: sample)
      let graph = try ArchiveReader().read(storage)
      if let first = try version.validate(graph, family: family).first {
        return [
          Finding(
            file: sample,
            error: ArchiveError(
              .mismatch, "does not fit \(version.label): \(first.message)", offset: first.offset,
              path: first.path), isError: true)
        ]
      }
      var findings: [Finding] = []
      for other in family.versions where other !== version {
        if try other.validate(graph, family: family).isEmpty {
          findings.append(
            Self.problem(sample, "fits \(other.label) as well, so the two cannot be distinguished"))
        }
      }
      return findings
    } catch {
      return [Finding(file: sample, error: error, isError: true)]
    }
  }

  /// An invalid sample must not fit its version; an unreadable one does not fit.
  private func check(
    _ sample: String, doesNotFit version: SchemaVersion, of family: SchemaFamily
  ) -> [Finding] {
    do throws(ArchiveError) {
      let graph = try ArchiveReader().read(ByteStorage.open(path: sample))
      guard try version.validate(graph, family: family).isEmpty else { return [] }
      return [Self.problem(sample, "fits \(version.label), and must not")]
    } catch {
      guard error.code != .cannotOpen, error.code != .inputOutput else {
        return [Finding(file: sample, error: error, isError: true)]
      }
      return []
    }
  }

  // MARK: Keywords

  /// Unknown keywords are annotations in JSON Schema, but usually mistakes.
  private func keywords(of version: SchemaVersion) -> [Finding] {
    let file = folder + "/" + FamilyFolder.schemaFile(version.name)
    return UnknownKeywords.find(in: version.tree).map { pointer, name in
      let hint = UnknownKeywords.nearest(to: name).map { "; did you mean '\($0)'?" } ?? ""
      return Finding(
        file: file,
        error: ArchiveError(
          .mismatch, "the keyword '\(name)' is unknown and has no effect\(hint)",
          path: GraphPath(pointer: pointer)), isError: false)
    }
  }
}
