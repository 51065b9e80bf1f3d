// A conversion as a rewriting, so that it can replace files like any other rewriting.

import Basics
import KeyedArchives

/// Writes archives in another format.
package struct ConversionRewriting: ArchiveRewriting {
  private let conversion: Conversion

  /// Makes a rewriting.
  package init(_ conversion: Conversion) { self.conversion = conversion }

  /// Converts one input.
  ///
  /// - Throws: the error of the conversion.
  package mutating func rewrite(_ input: RewriteInput) throws(ArchiveError) -> Rewritten {
    var output = OutputBuffer(descriptor: nil)
    let notes = try conversion.run(input.storage, name: input.name, to: &output)
    let storage = output.takeBytes().intoStorage()
    let format = conversion.target.rawValue
    if notes.warnings.isEmpty, notes.losses.isEmpty,
      storage.bytes.count == input.storage.bytes.count,
      storage.bytes.elementsEqual(input.storage.bytes)
    {
      return .unchanged("is \(format) already")
    }
    return .changed(
      RewrittenArchive(
        storage: storage, summary: "to \(format)",
        details: RewriteDetails(
          format: conversion.target, warnings: notes.warnings, losses: notes.losses)))
  }
}
