// What Swift's module of the GNU C library adds to it, as far as the program needs it.
//
// Under these names they come before those of Swift's module, and the program is linked without it: it brings a hundred
// functions of libm, which the loader looks up at each start, and libm itself. Whatever else of it is used works, but
// brings both back; `make instructions` shows it. A file that imports Swift's module itself, or Foundation, sees that
// one's first. `errno` is public since public functions that are inlined ask for it.

// swift-format-ignore-file: AlwaysUseLowerCamelCase

#if canImport(Glibc)
  internal import CSystemCalls

  /// The error of the thread's last system call: errno(3).
  @_disfavoredOverload
  public var errno: Int32 {
    get { __errno_location().pointee }
    set { __errno_location().pointee = newValue }
  }

  /// The environment of the process: environ(7).
  @_disfavoredOverload
  package var environ: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> { archtool_environ() }

  /// The bits of a file's mode that tell its kind, and the kinds: inode(7).
  @_disfavoredOverload
  package var S_IFMT: UInt32 { 0o170000 }
  /// A pipe.
  @_disfavoredOverload
  package var S_IFIFO: UInt32 { 0o010000 }
  /// A folder.
  @_disfavoredOverload
  package var S_IFDIR: UInt32 { 0o040000 }
  /// A regular file.
  @_disfavoredOverload
  package var S_IFREG: UInt32 { 0o100000 }
  /// A symbolic link.
  @_disfavoredOverload
  package var S_IFLNK: UInt32 { 0o120000 }
  /// Whether everybody may write a file.
  @_disfavoredOverload
  package var S_IWOTH: UInt32 { 0o002 }

  /// What a signal does by itself: signal(7).
  @_disfavoredOverload
  package var SIG_DFL: __sighandler_t? { nil }
  /// That a signal is ignored.
  @_disfavoredOverload
  package var SIG_IGN: __sighandler_t { unsafeBitCast(1, to: __sighandler_t.self) }

  /// What `mmap` gives if it fails: mmap(2).
  @_disfavoredOverload
  package var MAP_FAILED: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: -1) }

  /// Opens a file: open(2).
  @_disfavoredOverload
  package func open(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 {
    archtool_open(path, flags, 0)
  }

  /// Opens a file, or makes it: open(2).
  @_disfavoredOverload
  package func open(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: UInt32) -> Int32 {
    archtool_open(path, flags, mode)
  }

  /// Opens a file in a folder: open(2).
  @_disfavoredOverload
  package func openat(_ folder: Int32, _ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 {
    archtool_openat(folder, path, flags, 0)
  }

  /// Opens a file in a folder, or makes it: open(2).
  @_disfavoredOverload
  package func openat(
    _ folder: Int32, _ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: UInt32
  ) -> Int32 {
    archtool_openat(folder, path, flags, mode)
  }

  /// Asks for a property of a descriptor: fcntl(2).
  @_disfavoredOverload
  package func fcntl(_ descriptor: Int32, _ command: Int32) -> Int32 {
    archtool_fcntl(descriptor, command, 0)
  }

  /// Changes a property of a descriptor: fcntl(2).
  @_disfavoredOverload
  package func fcntl(_ descriptor: Int32, _ command: Int32, _ value: Int32) -> Int32 {
    archtool_fcntl(descriptor, command, value)
  }

  /// Asks a device: ioctl(2).
  @_disfavoredOverload
  package func ioctl(
    _ descriptor: Int32, _ request: UInt, _ value: UnsafeMutableRawPointer
  ) -> Int32 {
    archtool_ioctl(descriptor, request, value)
  }
#endif
