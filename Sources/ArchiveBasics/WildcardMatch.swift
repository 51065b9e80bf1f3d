// The one matcher of wildcards: file names, paths, and names of classes and keys go by it.

/// How the parts of a pattern match a sequence of elements.
package struct WildcardMatch {
  /// Where what each part matched begins; the last number is the count of elements.
  package let starts: [Int]

  /// Matches a whole sequence from left to right; nil if the pattern does not fit it.
  ///
  /// A part for any run of elements takes as few as it can. A mismatch returns only to the last such part: those before
  /// it have matched in the shortest way, and a longer one could not leave more to the rest. So the work is at most the
  /// product of both lengths.
  ///
  /// - Parameters:
  ///   - isRun: whether a part matches any run of elements.
  ///   - fits: whether a part that is not such a run matches an element.
  package init?<Part, Element>(
    of parts: [Part], in elements: some RandomAccessCollection<Element>,
    isRun: (Part) -> Bool, fits: (Part, Element) -> Bool
  ) {
    var starts = [Int](repeating: 0, count: parts.count + 1)
    var (part, position) = (0, 0)
    var retry: (part: Int, end: Int)?
    let count = elements.count
    while position < count || part < parts.count {
      if part < parts.count {
        starts[part] = position
        if isRun(parts[part]) {
          retry = (part, position)
          part += 1
          continue
        }
        if position < count,
          fits(parts[part], elements[elements.index(elements.startIndex, offsetBy: position)])
        {
          part += 1
          position += 1
          continue
        }
      }
      guard let last = retry, last.end < count else { return nil }
      retry = (last.part, last.end + 1)
      part = last.part + 1
      position = last.end + 1
    }
    starts[parts.count] = count
    self.starts = starts
  }
}
