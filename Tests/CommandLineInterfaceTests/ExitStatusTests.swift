// The exit codes that scripts rely on.

import ArchiveBasics
import ArchiveGraph
import CommandLineInterface
import Testing

struct ExitStatusTests {
  @Test func hasTheNumbersThatScriptsRelyOn() {
    #expect(ExitStatus.allCases.map(\.rawValue) == [0, 1, 64, 65, 66, 73, 74, 129, 130, 143])
  }

  static let codes: [(code: ArchiveError.Code, status: Int32)] = [
    (.unrecognized, 65), (.unsupported, 65), (.truncated, 65), (.malformed, 65),
    (.dangling, 65), (.cycle, 65), (.unrepresentable, 65), (.limit, 65), (.cannotOpen, 66),
    (.cannotCreate, 73), (.inputOutput, 74), (.missingValue, 1),
  ]

  @Test(arguments: codes)
  func followsFromAnError(code: ArchiveError.Code, status: Int32) {
    #expect(ExitStatus(code).rawValue == status)
  }

  @Test func isTheWorstOfSeveral() {
    #expect(ExitStatus.worst(.done, .done) == .done)
    for left in ExitStatus.allCases {
      for right in ExitStatus.allCases {
        let worst = ExitStatus.worst(left, right)
        #expect(worst.rawValue == max(left.rawValue, right.rawValue))
      }
    }
  }
}
