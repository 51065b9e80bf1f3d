// The formats of pictures.

import Basics

/// A format that a picture is written in.
public enum PictureFormat: String, Sendable {
  /// The language of Graphviz.
  case dot
  /// Mermaid's flowcharts, which many documents show.
  case mermaid
  /// GraphML, for programs that analyze graphs.
  case graphml
}

extension Picture {
  /// Writes the picture.
  public func write(as format: PictureFormat, to output: inout OutputBuffer) {
    switch format {
    case .dot: DOTWriter(picture: self).write(to: &output)
    case .mermaid: MermaidWriter(picture: self).write(to: &output)
    case .graphml: GraphMLWriter(picture: self).write(to: &output)
    }
  }
}
