// `archtool git merge`: merges two versions of a file, called by git as a merge driver.

import ArchiveBasics
import ArchiveBatches
import ArchiveEditing
import ArchiveGraph
import ArchivePropertyLists
import ArchiveQueries
import CommandLineInterface
import FileTransactions
import KeyedArchives

/// Merges the changes of theirs into the file of ours.
///
/// git gives the files of the base, ours and theirs, the size of its conflict markers and the path in the working tree
/// (`%O %A %B %L %P`, gitattributes(5)). The result takes the place of ours; the exit status is that of the driver.
struct GitMerge: Command {
  static let name = "git merge"
  static let description = CommandDescription(
    name: name,
    abstract: "merge versions of a file for git, as its merge driver",
    operands: Operands(name: "BASE OURS THEIRS", minimum: 1, maximum: 5),
    options: [.keyBy],
    commonOptions: [.color, .quiet, .help],
    discussion: """
      BASE is the version from which OURS and THEIRS were made. What THEIRS has changed is changed
      in OURS by the edits that set, insert and remove make: everything else keeps its class,
      superclasses, storage, identity and value. Elements of lists are matched as in diff. A change
      that both have made is no conflict. git also gives SIZE, that of conflict markers, and PATH,
      the name of OURS in messages and of the file of conflicts.

      If both have changed the same value in different ways, if one has removed what the other has
      changed, or if both have changed the same part of a list, OURS keeps its value there, the exit
      status is 1, and the conflict is written to OURS.conflicts.json: a JSON object whose member
      conflicts is a list of objects with path, index (in lists), base, ours and theirs; the values
      are typed JSON, and a version that lacks the value has no member.

      A change that cannot be made is refused with its path, and OURS is left as it is: if objects
      would become copies, or theirs stores a value in another way. Text that is not an archive, and
      property lists with comments or in another encoding than UTF-8, are merged by git merge-file
      in their encoding, with conflict markers of SIZE characters; other files are a conflict, as in
      git. Of sets a collection or object that both versions have changed or removed is a conflict,
      if one of them has added others.
      """,
    examples: [
      "archtool git merge Base Ours Theirs":
        "Make the changes that lead from Base to Theirs in Ours, too."
    ],
    exits: .writing,
    meanings: [
      .done: "The files are merged.",
      .answerIsNo: "There are conflicts, or the merge is refused.",
    ])

  private let session: Session
  /// The versions: base, ours and theirs.
  private let inputs: [Input]
  /// The path that git knows the file by.
  private let path: String
  private let markerSize: Int
  private let key: ValuePath?

  init(_ session: Session) throws {
    self.session = session
    let operands = session.arguments.operands
    guard operands.count > 2, !operands.prefix(3).contains("-") else {
      throw UsageError(
        "git merge needs the files BASE, OURS and THEIRS, and can have the size of conflict markers and a path"
      )
    }
    inputs = operands.prefix(3).map { Input(operand: $0) }
    guard let size = Int(operands.count > 3 ? operands[3] : "7"), (1...1000).contains(size) else {
      throw UsageError("'\(operands[3])' is not a size of conflict markers")
    }
    markerSize = size
    path = operands.count > 4 ? operands[4] : operands[1]
    key = try session.arguments.value(of: .keyBy).map(ValuePath.init(operand:))
  }

  func run() {
    do throws(ArchiveError) {
      let storages = try inputs.map(open)
      guard let versions = read(storages) else { return try mergeText(storages) }
      try merge(versions, ours: storages[1], base: storages[0])
      withExtendedLifetime(storages) {}
    } catch {
      session.report(error, file: path)
      session.merge(.answerIsNo)
    }
  }

  private var ours: Input { inputs[1] }

  private func open(_ input: Input) throws(ArchiveError) -> ByteStorage {
    do throws(ArchiveError) {
      return try input.open(session.streams)
    } catch {
      throw ArchiveError(error.code, "\(input.name): \(error.message)")
    }
  }

  // MARK: Values

  /// The versions as archives; nil if one is not, and git's own merge of text is the right one.
  private func read(_ storages: [ByteStorage]) -> MergedVersions? {
    var graphs: [ObjectGraph] = []
    for (storage, name) in zip(storages, ["the base", "ours", "theirs"]) {
      // Comments are part of a text, and no values; nor is its encoding.
      guard EditableFile.warnings(about: storage).isEmpty else { return nil }
      do throws(ArchiveError) {
        let graph = try EditableFile.read(storage)
        if graph.isText { return nil }
        graphs.append(graph)
      } catch {
        if !storage.isText, !storage.bytes.isEmpty {
          session.printNote("\(path): \(name) cannot be read: \(error.message)")
        }
        return nil
      }
    }
    return MergedVersions(base: graphs[0], ours: graphs[1], theirs: graphs[2])
  }

  private func merge(
    _ versions: MergedVersions, ours storage: ByteStorage, base: ByteStorage
  ) throws(ArchiveError) {
    let merge = try FileMerge(versions, ours: storage, base: base, key: key)
    if !merge.storage.bytes.elementsEqual(storage.bytes) {
      try AtomicFile.write(merge.storage.bytes, to: ours.path, existing: .replace, allowing: .any)
    }
    if merge.conflicts.isEmpty { return }
    session.merge(.answerIsNo)
    for conflict in merge.conflicts {
      session.printProblem("\(path): error: \(conflict.line)")
    }
    let file = SideFile.conflicts(of: path)
    try requireOwn(file)
    try AtomicFile.write(to: file, existing: .replace, allowing: ours.permissions()) {
      (output) throws(ArchiveError) in
      try merge.writeConflicts(of: path.shownPath, mark: SideFile.conflicts, to: &output)
    }
    session.printNote(
      "\(path): \(Counted.text(merge.conflicts.count, "conflict")) in \(file); the values are those of ours"
    )
  }

  /// Requires that a file of conflicts does not replace a file that is something else.
  private func requireOwn(_ file: String) throws(ArchiveError) {
    guard let status = FileStatus(of: file, followsLinks: false) else { return }
    guard status.isFile else {
      throw ArchiveError(
        .cannotCreate, "\(file) exists and is not a regular file; the conflicts are not written")
    }
    let storage = try Input(operand: file).open()
    guard storage.bytes.starts(with: SideFile.conflicts.utf8) else {
      throw ArchiveError(
        .cannotCreate, "\(file) exists and is not a file of conflicts; they are not written")
    }
  }

  // MARK: Text

  /// Lets git merge the files as text, which leaves ours as it is if they are not text.
  private func mergeText(_ storages: [ByteStorage]) throws(ArchiveError) {
    for storage in storages {
      // Objects have numbers: lines of two versions do not fit together.
      guard let graph = try? EditableFile.read(storage), graph.documents[0].archive != nil else {
        continue
      }
      throw ArchiveError(
        .mismatch,
        "a keyed archive with a comment, in another encoding than UTF-8, or beside a file that cannot be read, is not merged"
      )
    }
    session.output.flush()
    let code = try mergeLines(storages)
    guard code == 0 else {
      if code > 127 {
        let isCompressed = storages.contains { Formats.isCompressed($0.bytes) }
        let reason = isCompressed ? ", since git merges no lines of a compressed text" : ""
        session.printNote("\(path): not merged\(reason); the file is that of ours")
      }
      return session.merge(.answerIsNo)
    }
    try requireReadable(storages)
  }

  /// Merges the lines of the files into ours: those of UTF-16 and UTF-32 in UTF-8, since git takes them for bytes.
  ///
  /// - Returns: the status of git.
  private func mergeLines(_ storages: [ByteStorage]) throws(ArchiveError) -> Int {
    // Of a file that both have added there is an empty base.
    let texts = storages.map { $0.bytes.isEmpty ? nil : TranscodedText($0.bytes) }
    let isTranscoded = zip(storages, texts).allSatisfy { storage, text in
      storage.bytes.isEmpty || text.map { texts[1]?.isEncoded(as: $0) == true } == true
    }
    guard let ours = texts[1], isTranscoded else {
      return mergeLines(inputs.map(\.path))
    }
    var paths: [String] = []
    defer { for path in paths { unlink(path.asPath) } }
    for text in texts {
      paths.append(
        try PrivateFile.write(suffix: ".txt") { (output) throws(ArchiveError) in
          if let text { output.bytes.append(text.utf8.bytes) }
        })
    }
    let code = mergeLines(paths)
    // What git refuses is left as it is.
    guard code < 128 else { return code }
    let merged = try Input(operand: paths[1]).open()
    guard let bytes = ours.encoded(merged.bytes) else { return 255 }
    try AtomicFile.write(to: self.ours.path, existing: .replace, allowing: .any) {
      (output) throws(ArchiveError) in bytes.withByteView { output.bytes.append($0) }
    }
    return code
  }

  private func mergeLines(_ paths: [String]) -> Int {
    let words = paths.map(\.fileWord)
    let command = """
      git merge-file -q --marker-size=\(markerSize) -L ours -L base -L theirs \
      \(words[1]) \(words[0]) \(words[2])
      """
    let status = system(command.asPath)
    return status & 0x7F == 0 ? Int(status >> 8 & 0xFF) : 255
  }

  /// Requires that a text that was merged line by line can be read, if ours could, and repeats no key that it did not.
  private func requireReadable(_ storages: [ByteStorage]) throws(ArchiveError) {
    guard let old = try? ArchiveReader().read(storages[1]) else { return }
    let merged = try open(ours)
    do throws(ArchiveError) {
      let new = try ArchiveReader().read(merged)
      // A repeated key is one; readers use its last value.
      let known = Set(old.warnings.map(\.message))
      if let warning = new.warnings.first(where: { !known.contains($0.message) }) {
        throw warning
      }
    } catch {
      throw ArchiveError(
        error.code, "the text was merged by its lines and is not right: \(error.message)",
        offset: error.offset
      ).located(in: merged.bytes)
    }
  }
}

extension String {
  /// A path as a word of a POSIX shell that is not taken for an option.
  fileprivate var fileWord: String {
    (hasPrefix("-") ? "./\(self)" : self).quotedWord
  }
}
