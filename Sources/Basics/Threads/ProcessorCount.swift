// How many processors this process may use.

/// The processors that are available to this process.
package enum ProcessorCount {
  /// Their number: on Linux those that the process may run on, on macOS those that are active.
  package static var available: Int {
    #if canImport(Darwin)
      var count: Int32 = 0
      var size = MemoryLayout<Int32>.size
      let isKnown = sysctlbyname("hw.activecpu", &count, &size, nil, 0) == 0
      return isKnown ? max(1, Int(count)) : 1
    #else
      return allowed ?? max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    #endif
  }

  #if !canImport(Darwin)
    /// The processors that the process may run on: the mask that sched_setaffinity(2) set, as proc(5) shows it.
    private static var allowed: Int? {
      do throws(ArchiveError) {
        let status = try ByteStorage.open(path: "/proc/self/status")
        return count(in: String(decoding: status.bytes, as: UTF8.self))
      } catch {
        return nil
      }
    }
  #endif

  /// Counts the bits of the mask in the text of `/proc/self/status`.
  package static func count(in status: String) -> Int? {
    for line in status.split(separator: "\n") where line.hasPrefix("Cpus_allowed:") {
      let bits = line.drop { $0 != ":" }.reduce(0) { $0 + ($1.hexDigitValue ?? 0).nonzeroBitCount }
      return bits > 0 ? bits : nil
    }
    return nil
  }
}
