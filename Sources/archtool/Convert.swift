// `archtool convert`: files written in another format.

import CommandLineInterface
import KeyedArchives
import ObjectGraph

struct Convert {
  private let session: Session
  private var conversion: Conversion

  init(_ session: Session) throws {
    self.session = session
    let arguments = session.arguments
    let name = arguments.value(of: .conversionTarget) ?? ""
    guard let target = ConversionTarget(rawValue: name) else {
      throw UsageError("'--to' has no format '\(name)'")
    }
    conversion = Conversion(to: target)
    conversion.isTyped = arguments.has(.typed)
    conversion.isCompact = arguments.has(.compact)
  }

  func run() throws {
    session.forEachInput { (input, storage) throws(ArchiveError) in
      var warnings: [ArchiveError] = []
      let place = OutputPlace(for: input, session.arguments)
      try session.write(to: place) { (output) throws(ArchiveError) in
        warnings = try conversion.run(storage, to: &output)
      }
      for warning in warnings { session.warn(warning, file: input.name) }
    }
  }
}
