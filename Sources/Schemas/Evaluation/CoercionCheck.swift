// Where a schema is content with a value and NSKeyedUnarchiver would not be: types that it does not coerce.
//
// A schema speaks of values as JSON has them, in which 2009.0 is an integer; an object's own code decodes by type.
// Format facts: Apple's reference of NSKeyedUnarchiver, "Overview".

import ObjectGraph

/// Finds fields that a class cannot decode by the method that the schema's type stands for.
enum CoercionCheck {
  /// What the decoding method of a type raises for a value that stands in an object itself.
  ///
  /// - Parameters:
  ///   - value: the field's value.
  ///   - types: what the schema allows; several types say nothing of the method.
  /// - Returns: nil if the method takes the value.
  static func objection(to value: Value, _ types: TypeMask) -> (method: String, exception: String)?
  {
    switch (types, value) {
    case (.integer, .real), (.integer, .single):
      return ("decodeInteger(forKey:)", "NSInvalidUnarchiveOperationException")
    case (.integer, .unsigned(let number)) where number > UInt64(Int64.max):
      return ("decodeInteger(forKey:)", "NSRangeException")
    case (.number, .integer), (.number, .unsigned):
      return ("decodeDouble(forKey:)", "NSInvalidUnarchiveOperationException")
    default: return nil
    }
  }
}
