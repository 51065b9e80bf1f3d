// Paths and queries: the first line is an expression, the remaining bytes are an archive.

import ArchiveBasics
import ArchiveEditing
import ArchiveGraph
import ArchivePropertyLists
import ArchiveQueries
import ArchiveWriting
import KeyedArchives

enum FuzzQueries {
  static func feed(_ storage: ByteStorage) {
    let (line, rest) = split(storage)
    let text = String(decoding: line.prefix(1000), as: UTF8.self)
    checkPath(text)
    do throws(ArchiveError) {
      let graph = try ArchiveReader(limits: limits).read(rest)
      ask(text, graph)
      find(text, graph)
      if let path = parsed(text) { _ = try path.resolve(in: graph) }
    } catch {}
  }

  private static func parsed(_ text: String) -> ValuePath? {
    do throws(ArchiveError) {
      return try ValuePath(parsing: text)
    } catch {
      if let offset = error.offset, offset > text.unicodeScalars.count {
        fatalError("a fault beyond the text")
      }
      return nil
    }
  }

  /// A path that is shown is read back as itself, in both notations.
  private static func checkPath(_ text: String) {
    do throws(ArchiveError) {
      let path = try GraphPath(parsing: text)
      if try GraphPath(parsing: path.description) != path { fatalError("a path is another") }
      let keys = path.steps.filter { if case .content = $0 { false } else { true } }
      if try GraphPath(parsing: path.normalized).steps != keys {
        fatalError("a normalized path is another")
      }
    } catch {
      if error.code != .malformed { fatalError("\(error)") }
    }
  }

  /// The results of a query: every path leads to a value, and a query without filters finds it again.
  private static func ask(_ text: String, _ graph: ObjectGraph) {
    do throws(ArchiveError) {
      let query = try JSONPath(parsing: text)
      var run = QueryRun(query, in: graph)
      var count = 0
      while let node = try run.next(), count < 200 {
        count += 1
        let path = run.path.normalized
        var again = QueryRun(try JSONPath(parsing: path), in: graph)
        guard try again.next() != nil || isAmbiguous(run.path, graph) else {
          fatalError("nothing at \(path)")
        }
        _ = graph.value(of: node)
      }
    } catch {}
  }

  /// Whether a path names a member of which there are two: it leads to the first.
  private static func isAmbiguous(_ path: GraphPath, _ graph: ObjectGraph) -> Bool {
    var node = graph.root
    for step in path.steps {
      while case .data = graph.value(of: node), let content = graph.content(of: node) {
        node = content
      }
      guard case .key(let key) = step else {
        do throws(ArchiveError) { node = try graph.node(at: GraphPath([step]), from: node) } catch {
          return false
        }
        continue
      }
      let members = members(key, of: graph.value(of: node), in: graph)
      if members.count > 1 { return true }
      guard let member = members.first else { return false }
      node = member
    }
    return false
  }

  /// The members with a name, or with a key that is not text and has the name for a label.
  private static func members(_ key: String, of value: Value, in graph: ObjectGraph) -> [Node] {
    switch value {
    case .dictionary(let pairs), .object(_, let pairs):
      return (0..<pairs.count).filter {
        graph.memberName(pairs, $0)?.sameCharacters(as: key)
          ?? (graph.label(of: graph.key(pairs, $0)) == key)
      }.map { graph.value(pairs, $0) }
    default: return []
    }
  }

  private static func find(_ text: String, _ graph: ObjectGraph) {
    do throws(ArchiveError) {
      let matcher = try NodeMatcher(
        classPattern: nil, keyPattern: nil, expression: text, value: nil, types: [])
      var search = NodeSearch(matcher, in: graph)
      while try search.next() != nil { _ = search.path }
    } catch {}
  }
}
