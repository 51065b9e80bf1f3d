// Bytes that end where no memory can be read: whoever reads one more ends by a signal.

import ArchiveBasics
import Foundation

/// Makes such bytes.
package enum GuardedBytes {
  /// A copy of bytes, at the end of the last page that can be read.
  ///
  /// - Throws: what the system says if it has no memory.
  package static func copy(_ bytes: some Collection<UInt8>) throws -> ByteStorage {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    let size = (bytes.count + page - 1) / page * page
    let access = PROT_READ | PROT_WRITE
    let memory = mmap(nil, size + page, access, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let memory, memory != MAP_FAILED, mprotect(memory + size, page, PROT_NONE) == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .ENOMEM)
    }
    let place = UnsafeMutableRawBufferPointer(
      start: memory + size - bytes.count, count: bytes.count)
    place.copyBytes(from: bytes)
    return ByteStorage(owning: UnsafeRawBufferPointer(place)) { _ in munmap(memory, size + page) }
  }
}
