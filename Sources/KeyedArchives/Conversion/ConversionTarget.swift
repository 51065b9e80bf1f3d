// The formats that a property list or an archive can be written in.

/// What `convert` writes.
public enum ConversionTarget: String, Sendable, CaseIterable {
  /// A binary property list.
  case binary = "binary1"
  /// An XML property list.
  case xml = "xml1"
  /// An OpenStep property list, with GNUstep's types where OpenStep has none.
  case openStep = "openstep"
  /// JSON.
  case json
  /// A Swift literal.
  case swift
  /// An Objective-C literal.
  case objectiveC = "objc"
  /// A keyed archive, as a binary property list.
  case keyedArchive = "keyed-archive"
  /// A typedstream.
  case typedStream = "typedstream"

  /// Whether the format is for people to read and for terminals to show.
  public var isText: Bool { ![.binary, .keyedArchive, .typedStream].contains(self) }
}
