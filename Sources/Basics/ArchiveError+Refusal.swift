// Errors that mean no: the input is decoded, and what is asked for cannot be made of it.

extension ArchiveError {
  /// Whether the input can be decoded, and its values are not what is asked for or cannot become it.
  ///
  /// An error that names another file is about that file, such as a schema.
  public var isRefusal: Bool { file == nil && (code == .mismatch || code == .unrepresentable) }
}
