// The keywords of numbers, strings, counts and whole values.

import ArchiveBasics
import ArchiveGraph
import ArchivePatterns

extension AllowedValues {
  /// `enum` and `const`.
  func check(
    _ subject: CheckedValue, _ canonical: CanonicalTable, _ report: inout ValidationReport
  ) {
    do throws(ArchiveError) {
      if try contain(subject.node, subject.value, canonical) { return }
      report.add(keyword, expectation, subject)
    } catch {
      report.end(with: error, subject)
    }
  }
}

extension SchemaNode {
  /// The keywords of numbers and strings; the schema stays where it is, since a copy counts references.
  @inline(__always)
  static func checkScalar(
    _ rules: UnsafePointer<SchemaNode>, _ subject: CheckedValue, _ report: inout ValidationReport
  ) {
    switch subject.value {
    case .string(let text): rules.pointee.strings?.pointee.check(text, subject, &report)
    case .integer, .unsigned, .wide, .real, .single:
      rules.pointee.numbers?.pointee.check(subject, &report)
    case .date, .data:
      guard let strings = rules.pointee.strings, let form = JSONForm.text(of: subject.value)
      else { return }
      strings.pointee.check(form, subject, &report)
    default: return
    }
  }
}

extension NumberRules {
  fileprivate func check(_ subject: CheckedValue, _ report: inout ValidationReport) {
    func check(_ keyword: String, _ limit: NumberLimit?, _ words: String, _ fits: (Int) -> Bool) {
      guard let limit, limit.order(of: subject.value).map(fits) != true else { return }
      report.add(keyword, "\(words) \(limit.text)", subject)
    }
    check("minimum", minimum, "at least") { $0 >= 0 }
    check("maximum", maximum, "at most") { $0 <= 0 }
    check("exclusiveMinimum", exclusiveMinimum, "more than") { $0 > 0 }
    check("exclusiveMaximum", exclusiveMaximum, "less than") { $0 < 0 }
    if let divisor = multipleOf,
      ExactNumber(subject.value)?.isMultiple(of: divisor.exact) != true
    {
      report.add("multipleOf", "a multiple of \(divisor.text)", subject)
    }
  }
}

extension StringRules {
  fileprivate func check(
    _ text: Text, _ subject: CheckedValue, _ report: inout ValidationReport
  ) {
    // Handles the most common case without creating a string.
    if text.isSevenBit, pattern == nil, format == nil {
      return length.check(text.byteCount, "Length", "character", subject, &report)
    }
    check(text.string, subject, &report)
  }

  fileprivate func check(
    _ string: String, _ subject: CheckedValue, _ report: inout ValidationReport
  ) {
    // Characters are code points (Validation section 6.3.1).
    if !length.isOpen {
      length.check(string.unicodeScalars.count, "Length", "character", subject, &report)
    }
    if let pattern, !report.matches(string, pattern, subject) {
      report.add("pattern", "a string that matches \(pattern.source)", subject)
    }
    if let format, !format.accepts(string) {
      report.add("format", "a string of the format \(format.rawValue)", subject)
    }
  }
}

extension CountLimits {
  /// The keywords that limit a count.
  ///
  /// - Parameter suffix: the end of their names, after `min` and `max`.
  func check(
    _ count: Int, _ suffix: StaticString, _ unit: String, _ subject: CheckedValue,
    _ report: inout ValidationReport
  ) {
    if let minimum, count < minimum {
      report.add("min\(suffix)", "at least \(Counted.text(minimum, unit))", subject)
    }
    if let maximum, count > maximum {
      report.add("max\(suffix)", "at most \(Counted.text(maximum, unit))", subject)
    }
  }
}

extension ValidationReport {
  /// Whether a string matches, which counts as steps; if the answer cannot be determined, the validation ends.
  mutating func matches(
    _ string: String, _ pattern: ECMAPattern, _ subject: CheckedValue?
  ) -> Bool {
    let before = pattern.cost
    defer { charge(pattern.cost &- before) }
    do {
      return try pattern.matches(string)
    } catch {
      let message = "the pattern \(pattern.source) cannot be matched: \(error.reason)"
      end(with: ArchiveError(.limit, message), subject)
      return true
    }
  }
}

// MARK: - The keywords of arrays and objects as wholes; a schema treats sets as arrays

extension ArrayRules {
  static func check(
    _ elements: Elements, _ rules: UnsafeMutablePointer<ArrayRules>, _ subject: CheckedValue,
    _ canonical: CanonicalTable, _ report: inout ValidationReport
  ) {
    rules.pointee.count.check(elements.count, "Items", "item", subject, &report)
    if !rules.pointee.isUnique { return }
    var seen: [UInt32: Int] = [:]
    for index in 0..<elements.count {
      do throws(ArchiveError) {
        let number = try canonical.number(of: report.graph.node(elements, index))
        guard let first = seen.updateValue(index, forKey: number) else { continue }
        return report.add(
          "uniqueItems", "items that differ", subject,
          found: "the same at \(first) and \(index)")
      } catch {
        return report.end(with: error, subject)
      }
    }
  }
}

extension ObjectRules {
  static func check(
    _ pairs: Pairs, _ rules: UnsafeMutablePointer<ObjectRules>, _ subject: CheckedValue,
    _ names: inout MemberNames, _ report: inout ValidationReport
  ) {
    rules.pointee.count.check(pairs.count, "Properties", "member", subject, &report)
    if rules.pointee.dependents.isEmpty { return }
    let names = names.of(subject.node, pairs)
    for (keyword, name, required) in rules.pointee.dependents where names.contains(Array(name.utf8))
    {
      for other in required where !names.contains(Array(other.utf8)) {
        report.add(
          keyword, "a member '\(other)' beside '\(name)'", subject, keywordSuffix: "/" + name)
      }
    }
  }
}
