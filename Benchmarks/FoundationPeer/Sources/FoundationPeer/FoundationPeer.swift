// The plain Foundation program that archtool is timed against: one task a run, on one or many files.
import Foundation

@main
struct FoundationPeer {
  static let usage = """
    usage: FoundationPeer start
           FoundationPeer decode FILE…
           FoundationPeer decode-v2 FILE…
           FoundationPeer migrate FILE OUT
           FoundationPeer migrate-folder FOLDER OUTFOLDER
           FoundationPeer migrate-fleet FOLDER OUTFOLDER

    """

  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard let task = arguments.first, run(task, Array(arguments.dropFirst())) else {
      talk(usage)
      exit(64)
    }
  }

  /// Runs the task, and says whether there is such a task with such operands.
  private static func run(_ task: String, _ operands: [String]) -> Bool {
    switch (task, operands.count) {
    case ("start", 0):
      // Process start alone: Foundation is loaded and nothing is read.
      break
    case ("decode", 1...):
      forEach(operands) { _ = try decodeDictionary($0) }
    case ("decode-v2", 1...):
      forEach(operands) { _ = try decodeFeed($0) }
    case ("migrate", 2):
      forEach([operands[0]]) { try migrate($0, to: operands[1]) }
    case ("migrate-folder", 2):
      let output = URL(fileURLWithPath: operands[1], isDirectory: true)
      forEach(files(in: operands[0])) { path in
        let name = URL(fileURLWithPath: path).lastPathComponent
        try migrate(path, to: output.appendingPathComponent(name).path)
      }
    case ("migrate-fleet", 2):
      migrateFleet(Fleet(folder: operands[0], output: operands[1]))
    default:
      return false
    }
    return true
  }

  /// The files right inside a folder, in the order of their names.
  private static func files(in path: String) -> [String] {
    let folder = URL(fileURLWithPath: path, isDirectory: true)
    do {
      let names = try FileManager.default.contentsOfDirectory(atPath: path)
      return names.sorted().map { folder.appendingPathComponent($0).path }
    } catch {
      talk("\(path): error: \(error)\n")
      exit(1)
    }
  }

  /// Migrates the files of nested folders on all cores.
  private static func migrateFleet(_ fleet: Fleet) {
    do {
      let paths = try fleet.prepare()
      DispatchQueue.concurrentPerform(iterations: paths.count) { index in
        attempt(paths[index], fleet.migrateFile)
      }
    } catch {
      talk("\(fleet.folder): error: \(error)\n")
      exit(1)
    }
  }

  private static func forEach(_ paths: [String], _ work: (String) throws -> Void) {
    for path in paths { attempt(path, work) }
  }

  private static func attempt(_ path: String, _ work: (String) throws -> Void) {
    do {
      try releasing { try work(path) }
    } catch {
      talk("\(path): error: \(error)\n")
      exit(1)
    }
  }

  /// Lets go of what one file took before the next one is read.
  private static func releasing(_ work: () throws -> Void) throws {
    #if canImport(ObjectiveC)
      try autoreleasepool(invoking: work)
    #else
      try work()
    #endif
  }

  private static func talk(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }
}
