// The words of operations, for lens files and for plans.

import ObjectGraph

extension LensOperation {
  /// The operation as a plan names it: `remove note`, `hoist calories out of nutrition`.
  public var title: String {
    switch kind {
    case .rename(let source, let destination): "rename \(source) to \(destination)"
    case .hoist(let host, let name, _): "hoist \(name) out of \(host)"
    case .plunge(let host, let name, _): "plunge \(name) into \(host)"
    case .head(let name): "head of \(name ?? "the value")"
    case .add(let name, _), .remove(let name, _), .in(let name, _), .default(let name, _),
      .use(let name):
      "\(word) \(name)"
    case .wrap(let name), .convert(let name, _): "\(word) \(name ?? "the value")"
    case .archive(let name, let step):
      "in the archive of \(name ?? "the value") from \(step.labels.source) to \(step.target)"
    case .map: "map"
    case .class(let name, let source, let destination):
      "class of \(name ?? "the value") from \(source) to \(destination)"
    case .store(let name, let storage): "store \(name) \(storage.rawValue)"
    case .nullable(let name, let becomesAbsent):
      "nullable \(name), null to \(becomesAbsent ? "absent" : "present")"
    case .copy(let source, let destination): "copy \(source) to \(destination)"
    case .split(let name, let separator), .join(let name, let separator):
      "\(word) \(name ?? "the value") at \"\(separator)\""
    case .nest(let name, let member): "nest \(name ?? "the value") as \(member)"
    case .pluck(let name, let member): "pluck \(member) of \(name ?? "the value")"
    case .group(let grouping), .ungroup(let grouping): "\(word) \(grouping.title)"
    case .when(let condition, _, _): "when \(condition.title)"
    }
  }

  /// The operation's word in lens files.
  public var word: String {
    switch kind {
    case .rename: "rename"
    case .add: "add"
    case .remove: "remove"
    case .hoist: "hoist"
    case .plunge: "plunge"
    case .wrap: "wrap"
    case .head: "head"
    case .in, .archive: "in"
    case .map: "map"
    case .convert: "convert"
    case .class: "class"
    case .store: "store"
    case .default: "default"
    case .nullable: "nullable"
    case .copy: "copy"
    case .split: "split"
    case .join: "join"
    case .nest: "nest"
    case .pluck: "pluck"
    case .group: "group"
    case .ungroup: "ungroup"
    case .when: "when"
    case .use: "use"
    }
  }
}
