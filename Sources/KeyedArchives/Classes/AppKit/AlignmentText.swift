// Alignments of text as summaries show them.

/// Names of NSTextAlignment, whose numbers differ between macOS and iOS.
enum AlignmentText {
  /// The name of an alignment, nil for unknown numbers.
  static func name(_ number: Int64) -> String? {
    switch number {
    case 0: return "left"
    case 1: return "alignment 1 (right on macOS, center on iOS)"
    case 2: return "alignment 2 (center on macOS, right on iOS)"
    case 3: return "justified"
    case 4: return "natural"
    default: return nil
    }
  }
}
