// Operations as they apply in a direction: backwards, each is its inverse.

import ObjectGraph
import Schemas

extension LensOperation.Kind {
  /// The operation whose forward direction equals this one in a direction.
  func resolved(for direction: LensDirection) -> LensOperation.Kind {
    if direction == .forward { return self }
    switch self {
    case .rename(let source, let destination):
      return .rename(source: destination, destination: source)
    case .add(let name, let standard): return .remove(name: name, default: standard)
    case .remove(let name, let standard): return .add(name: name, default: standard)
    case .hoist(let host, let name, let prunes):
      return .plunge(host: host, name: name, creates: prunes)
    case .plunge(let host, let name, let creates):
      return .hoist(host: host, name: name, prunes: creates)
    case .wrap(let name): return .head(name: name)
    case .head(let name): return .wrap(name: name)
    case .archive(let name, let step): return .archive(name: name, step.resolved(for: .backward))
    case .class(let name, let source, let destination):
      return .class(name: name, source: destination, destination: source)
    case .store(let name, let storage): return .store(name: name, as: storage.other)
    case .nullable(let name, let becomesAbsent):
      return .nullable(name: name, becomesAbsent: !becomesAbsent)
    case .copy(_, let destination): return .remove(name: destination, default: nil)
    case .split(let name, let separator): return .join(name: name, separator: separator)
    case .join(let name, let separator): return .split(name: name, separator: separator)
    case .nest(let name, let member): return .pluck(name: name, member: member)
    case .pluck(let name, let member): return .nest(name: name, member: member)
    case .group(let grouping): return .ungroup(grouping)
    case .ungroup(let grouping): return .group(grouping)
    case .when(let condition, let after, let lens):
      return .when(after, after: condition, lens: lens)
    // The inverse of `default` depends on the kept values: without them it leaves values unchanged.
    case .in, .map, .convert, .default, .use: return self
    }
  }
}
