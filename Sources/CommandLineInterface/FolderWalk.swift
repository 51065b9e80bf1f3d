// Every regular file below a folder, found without recursion and without following links.

import ObjectGraph

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Walks folders in the order of their entries' names.
enum FolderWalk {
  /// The files below a folder, hidden ones included; a folder that cannot be listed is a failure among them.
  static func entries(in folder: String) -> [InputList.Entry] {
    var found: [InputList.Entry] = []
    // What is still to be visited, the next one last. The folder itself is followed if it is a link.
    var pending = children(of: folder, below: "", into: &found)
    while let next = pending.popLast() {
      var status = stat()
      guard retryingInterrupts({ lstat(next.path, &status) }) == 0 else {
        found.append(failure(next.path, "cannot open the file: \(systemMessage())"))
        continue
      }
      switch status.st_mode & S_IFMT {
      case S_IFREG: found.append(.input(next))
      case S_IFDIR:
        pending += children(of: next.path, below: next.relativePath + "/", into: &found)
      default: break
      }
    }
    return found
  }

  /// What a folder holds, the last name first.
  private static func children(
    of folder: String, below prefix: String, into found: inout [InputList.Entry]
  ) -> [Input] {
    let base = folder.hasSuffix("/") ? folder : folder + "/"
    do throws(ArchiveError) {
      var children: [Input] = []
      for name in try FolderListing.names(in: folder).reversed() {
        let text = String(decoding: name, as: UTF8.self)
        if text.utf8.elementsEqual(name) {
          children.append(Input(path: base + text, relativePath: prefix + text))
        } else {
          let message = "the name is not UTF-8, so the file cannot be opened"
          found.append(failure(base + text, message))
        }
      }
      return children
    } catch {
      found.append(.failure(path: folder, error))
      return []
    }
  }

  private static func failure(_ path: String, _ message: String) -> InputList.Entry {
    .failure(path: path, ArchiveError(.cannotOpen, message))
  }
}
