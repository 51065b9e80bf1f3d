// The lenses of a family: a graph whose nodes are versions.

import ArchiveBasics
import ArchiveGraph
import ArchivePropertyLists
import ArchiveSchemas
import KeyedArchives

/// The lenses between the versions of a family.
///
/// In a family without lens files, all versions have the same model and differ only in their envelopes.
package struct FamilyLenses: Sendable {
  /// The family's name.
  package let family: String
  /// The names of the versions, oldest first.
  package let versions: [String]
  /// The lenses, in the order of their files' names.
  package let files: [LensFile]

  /// Whether there is no lens file, so that all versions have the same model.
  var isUniform: Bool { files.isEmpty }
}

extension FamilyLenses {
  /// Reads the lenses of a family: every `FROM-TO.lens.json` in its folder.
  ///
  /// - Throws: `ArchiveError` that names the invalid file.
  package init(of family: SchemaFamily) throws(ArchiveError) {
    var files: [LensFile] = []
    for name in try family.folder.map(FolderListing.names(in:))?.map({ String(pathBytes: $0) })
      ?? []
    where name.hasSuffix(LensFile.suffix) && !name.hasPrefix(".") {
      files.append(try Self.read((family.folder ?? "") + "/" + name, name, family))
    }
    self.init(family: family.name, versions: family.versions.map(\.name), files: files)
  }

  private static func read(
    _ path: String, _ name: String, _ family: SchemaFamily
  ) throws(ArchiveError) -> LensFile {
    let stem = String(name.dropLast(LensFile.suffix.count))
    let versions = family.versions.map(\.name)
    let pairs = versions.flatMap { source in versions.map { (source, $0) } }
    guard let (source, target) = pairs.first(where: { $0 != $1 && "\($0)-\($1)" == stem }) else {
      throw ArchiveError(
        .malformed,
        "a lens file is called FROM-TO\(LensFile.suffix) after two versions of the family",
        file: path)
    }
    do throws(ArchiveError) {
      let tree = try SchemaLibrary.read(path)
      for (member, version) in [("from", source), ("to", target)] {
        if let named = tree[member], named != .string(version) {
          throw ArchiveError(
            .malformed, "the lens is wrong: by its name it has \(version) for '\(member)'",
            path: GraphPath([.key(member)]))
        }
      }
      return LensFile(
        source: source, target: target, lens: try LensReader.read(tree), path: path,
        envelopes: (family.version(source)?.envelope, family.version(target)?.envelope))
    } catch {
      guard error.offset == nil, let location = error.path,
        let storage = try? ByteStorage.open(path: path),
        let graph = try? ArchiveReader(keepsPositions: true).read(storage)
      else { throw error.inFile(path) }
      throw error.moved(to: location, offset: graph.fileOffset(near: location)).inFile(path)
    }
  }

  // MARK: Paths

  /// The shortest path between two versions; among several, the one whose versions are listed first.
  ///
  /// If the only path goes backward through one-way lenses, it is that path, so that the caller can report it.
  ///
  /// - Parameter via: versions that the path must include, in order.
  /// - Returns: nil if no path exists; no steps if both are the same version.
  package func path(
    from source: String, to target: String, via intermediateVersions: [String] = []
  ) -> [LensStep]? {
    var steps: [LensStep] = []
    var version = source
    for next in intermediateVersions + [target] {
      guard
        let part = shortest(from: version, to: next)
          ?? shortest(from: version, to: next, againstOneWay: true)
      else { return nil }
      steps += part
      version = next
    }
    return steps
  }

  private func shortest(
    from source: String, to target: String, againstOneWay: Bool = false
  ) -> [LensStep]? {
    if source == target { return [] }
    if isUniform {
      guard versions.contains(source), versions.contains(target) else { return nil }
      let file = LensFile(source: source, target: target, lens: Lens(operations: []))
      return [LensStep(file: file, direction: .forward)]
    }
    var paths: [String: [LensStep]] = [source: []]
    var queue = [source]
    var next = 0
    while next < queue.count {
      let version = queue[next]
      next += 1
      for step in steps(from: version)
      where paths[step.target] == nil && (againstOneWay || !step.isAgainstOneWay) {
        paths[step.target] = (paths[version] ?? []) + [step]
        if step.target == target { return paths[target] }
        queue.append(step.target)
      }
    }
    return nil
  }

  /// The lenses that begin or end at a version.
  private func steps(from version: String) -> [LensStep] {
    files.compactMap { file in
      if file.source == version { return LensStep(file: file, direction: .forward) }
      return file.target == version ? LensStep(file: file, direction: .backward) : nil
    }
  }
}
