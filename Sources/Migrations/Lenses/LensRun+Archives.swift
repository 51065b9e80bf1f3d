// The operation on archives in data values.

import Basics
import ObjectGraph

extension LensRun {
  /// Takes the archive that a data value holds from one version of its family to another.
  mutating func takeArchive(
    _ name: String?, _ step: ArchiveStep, _ value: LensValue
  ) throws(ArchiveError) {
    guard let target = try target(name, value), !bringBack(target) else { return }
    guard let scalar = target.scalar(in: graph), case .data(let bytes) = scalar else {
      throw problem(
        "needs data that holds an archive, found \(target.kind(in: graph))", target, member: name)
    }
    guard let archives else {
      throw problem("leads into an archive, which is not opened here", target, member: name)
    }
    if isGoingBack, let source = archives.source(place, of: bytes) {
      target.content = .scalar(.data(source))
      return
    }
    let outcome = try take(bytes, step.looked(direction), by: archives, name)
    if let loss = outcome.loss {
      lose(
        .value, name, value: target.form, became: .data(outcome.bytes), note: loss,
        storage: target.heldStorage(in: graph))
    }
    archives.remember(place, outcome.bytes, from: bytes)
    target.content = .scalar(.data(outcome.bytes))
  }

  private func take(
    _ bytes: [UInt8], _ step: ArchiveStep, by archives: ArchiveSteps, _ name: String?
  ) throws(ArchiveError) -> ArchiveSteps.Outcome {
    let path = (name.map { self.path.appending(.key($0)) } ?? self.path)
      .appending(.content("archive")).description
    func located(_ error: ArchiveError) -> ArchiveError {
      ArchiveError(
        error.code, error.message, path: path + String((error.path ?? "$").dropFirst()),
        file: error.file)
    }
    do throws(ArchiveError) {
      let outcome = try archives.take(bytes, step)
      // The way back is only tried.
      if !isGoingBack { archives.warn(outcome.warnings.map(located)) }
      return outcome
    } catch {
      throw located(error)
    }
  }
}
