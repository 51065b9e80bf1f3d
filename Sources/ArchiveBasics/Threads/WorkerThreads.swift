// Threads with stacks at least as large as the main thread's.

/// Several threads that run the same closure.
@usableFromInline package struct WorkerThreads {
  /// Decoders recurse to a bounded depth that fits a main thread's stack: threads get at least as much.
  private static let stackSize = 16 << 20

  private var threads: [pthread_t] = []

  /// How many threads could be started.
  @usableFromInline package var count: Int { threads.count }

  /// Starts threads; signals that end a run are delivered to the calling thread.
  @usableFromInline package init(count: Int, _ body: @escaping @Sendable () -> Void) {
    var attributes = pthread_attr_t()
    guard pthread_attr_init(&attributes) == 0 else { return }
    defer { _ = pthread_attr_destroy(&attributes) }
    _ = pthread_attr_setstacksize(&attributes, Self.stackSize)
    var blocked = sigset_t()
    var before = sigset_t()
    _ = sigemptyset(&blocked)
    for signal in [SIGINT, SIGTERM, SIGHUP] { _ = sigaddset(&blocked, signal) }
    _ = pthread_sigmask(SIG_BLOCK, &blocked, &before)
    defer { _ = pthread_sigmask(SIG_SETMASK, &before, nil) }
    for _ in 0..<count {
      guard let thread = Self.start(&attributes, body) else { return }
      threads.append(thread)
    }
  }

  /// Waits until all have ended.
  @usableFromInline package func join() {
    for thread in threads { _ = pthread_join(thread, nil) }
  }

  private final class Task: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  private static func start(
    _ attributes: inout pthread_attr_t, _ body: @escaping @Sendable () -> Void
  ) -> pthread_t? {
    let task = Unmanaged.passRetained(Task(body))
    #if canImport(Glibc)
      var thread = pthread_t()
    #else
      var thread: pthread_t?
    #endif
    let result = pthread_create(
      &thread, &attributes,
      { context in
        WorkerThreads.run(context)
        return nil
      }, task.toOpaque())
    guard result == 0 else {
      task.release()
      return nil
    }
    return thread
  }

  private static func run(_ context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    Unmanaged<Task>.fromOpaque(context).takeRetainedValue().body()
  }
}

// MARK: - How many processors this process may use

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
      (try? ByteStorage.open(path: "/proc/self/status")).flatMap {
        count(in: String(decoding: $0.bytes, as: UTF8.self))
      }
    }
  #endif

  /// Counts the bits of the mask in the text of `/proc/self/status`.
  public static func count(in status: String) -> Int? {
    for line in status.split(separator: "\n") where line.hasPrefix("Cpus_allowed:") {
      let bits = line.drop { $0 != ":" }.reduce(0) { $0 + ($1.hexDigitValue ?? 0).nonzeroBitCount }
      return bits > 0 ? bits : nil
    }
    return nil
  }
}
