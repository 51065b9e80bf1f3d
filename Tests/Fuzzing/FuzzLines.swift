// The formats that are read line by line: records, plans and journals, each from a file in memory.

import ArchiveBasics
import ArchiveBatches
import ArchiveEditing
import ArchiveGraph
import ArchiveMigrations
import ArchivePropertyLists
import ArchiveSchemas
import ArchiveWriting
import FileTransactions
import Foundation
import KeyedArchives

enum FuzzLines {
  /// Answers the records of a stream, as `validate`, `migrate` and `rename-class` do.
  static func feedRecords(_ storage: ByteStorage) {
    var choice = FuzzChoice(storage)
    for makeHandling in choice.among(handlings) {
      for format in choice.among(formats) { answer(storage, format, makeHandling) }
    }
  }

  private static let formats: [RecordFormat] = {
    var (bare, hexadecimal) = (RecordFormat(), RecordFormat())
    bare.allowsBareLines = true
    hexadecimal.encoding = .hexadecimal
    hexadecimal.allowsBareLines = true
    return [RecordFormat(), bare, hexadecimal]
  }()

  private static let handlings: [@Sendable () -> any RecordHandling] = [
    {
      ValidatingRecords(
        Validation(catalog: catalog, family: nil, version: nil),
        reader: ArchiveReader(limits: limits), limit: 3)
    },
    {
      RewritingRecords(Migration(catalog: catalog, Migration.Request(to: "v2"), limits: limits))
    },
    { RewritingRecords(RenameRewriter(substitutions, limits: limits)) },
  ]

  private static let substitutions: Substitutions = {
    var substitutions = Substitutions()
    substitutions.archiver = "A"
    return substitutions
  }()

  private static let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)

  private static func answer(
    _ storage: ByteStorage, _ format: RecordFormat,
    _ makeHandling: @escaping @Sendable () -> any RecordHandling
  ) {
    withFile(storage) { descriptor, _ in
      do throws(ArchiveError) {
        let stream = RecordStream(
          workers: 1, format: format, sources: [.descriptor(descriptor)], output: nowhere)
        _ = try stream.run { () throws(ArchiveError) in makeHandling() }
      } catch {}
    }
  }

  static func feedPlan(_ storage: ByteStorage) {
    withFile(storage) { _, path in
      do throws(ArchiveError) {
        let plan = try Plan(path: path)
        for file in plan.files.prefix(10) {
          var rewriting = RenameRewriter(substitutions, limits: limits).enforcing(plan)
          _ = try rewriting.rewrite(RewriteInput(storage: storage, name: file, path: nil))
        }
      } catch {}
    }
  }

  /// Reads a journal and tells its state; nothing is undone.
  static func feedJournal(_ storage: ByteStorage) {
    withFile(storage) { _, path in
      do throws(ArchiveError) {
        let report = try JournalReport(path, listsFiles: true)
        _ = report.lines(command: "")
        _ = report.tree
      } catch {}
    }
  }

  /// A file without a name, as open as it is empty.
  private static let file: Int32 = {
    var template = Array("/tmp/archtool-fuzz-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0, unlink(template) == 0 else { fatalError("no temporary file") }
    return descriptor
  }()

  /// Gives the bytes as a file, and its path.
  private static func withFile(_ storage: ByteStorage, _ body: (Int32, String) -> Void) {
    let bytes = storage.bytes
    guard ftruncate(file, 0) == 0, pwrite(file, bytes.baseAddress, bytes.count, 0) == bytes.count
    else { return }
    lseek(file, 0, SEEK_SET)
    body(file, "/proc/self/fd/\(file)")
  }
}
