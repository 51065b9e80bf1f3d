// What the options and operands of a command line say of its inputs.

import Batches

extension ParsedArguments {
  /// The inputs; what the command writes into a folder is none.
  public var selection: InputSelection {
    var selection = InputSelection(
      operands: operands, isRecursive: has(.recursive), lists: values(of: .filesFrom))
    selection.isNullSeparated = has(.null)
    selection.filter.included = values(of: .include).map(Glob.init)
    selection.filter.excluded = values(of: .exclude).map(Glob.init)
    selection.filter.passedOver = values(of: .outputDirectory) + values(of: .report)
    return selection
  }
}
