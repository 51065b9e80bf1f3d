// Digests of values: equal for values that a comparison treats as equal.

import ArchiveBasics
import ArchiveGraph

/// 128 bits that are equal for equal values, and for different ones only by an accident that no file can bring about.
///
/// They are keyed with a random number of the process, and have no meaning outside it.
struct ValueDigest: Hashable {
  let first: UInt64
  let second: UInt64

  static let none = ValueDigest(first: 0, second: 0)

  /// The mark of a container whose digest is not known yet, with the number of the container.
  static func open(_ number: Int) -> ValueDigest {
    ValueDigest(first: 0, second: UInt64(number))
  }

  /// The number in the mark of a container; nil for a digest.
  var number: Int? { first == 0 && second != 0 ? Int(truncatingIfNeeded: second) : nil }
}

/// Computes a digest: Swift's own keyed hash, twice.
struct DigestMaker {
  /// What kind of value is hashed, so that no two kinds give the same bits.
  enum Kind: UInt8 {
    case null, boolean, integer, single, real, date, data, string, uid
    case list, set, members, member, className, cycle
  }

  private var first = Hasher()
  private var second = Hasher()

  /// The digest of a value of a kind with what is combined.
  @inline(__always)
  static func digest(
    _ kind: Kind, _ combine: (inout DigestMaker) -> Void = { _ in }
  ) -> ValueDigest {
    var maker = DigestMaker(kind)
    combine(&maker)
    return maker.finalize()
  }

  init(_ kind: Kind) {
    first.combine(kind.rawValue)
    second.combine(~kind.rawValue)
  }

  mutating func combine(_ number: UInt64) {
    first.combine(number)
    second.combine(number)
  }

  mutating func combine(_ digest: ValueDigest) {
    first.combine(digest.first)
    second.combine(digest.second)
  }

  mutating func combine(_ bytes: ByteView) {
    first.combine(bytes: bytes)
    second.combine(bytes: bytes)
  }

  mutating func combine(_ text: Text) {
    text.withCharacterBytes { combine($0) }
  }

  mutating func combine(_ text: String) {
    var text = text
    text.withByteView { combine($0) }
  }

  func finalize() -> ValueDigest {
    ValueDigest(
      first: UInt64(bitPattern: Int64(first.finalize())),
      second: UInt64(bitPattern: Int64(second.finalize())))
  }
}

/// The digests of a container's children, joined one by one.
struct JoinedDigests {
  private var first: UInt64 = 0
  private var second: UInt64 = 0
  private var count: UInt64 = 0

  /// Joins the next child, whose position counts.
  mutating func append(_ digest: ValueDigest) {
    first = Self.mix(first ^ digest.first)
    second = Self.mix(second ^ digest.second)
    count &+= 1
  }

  /// Joins a child whose position does not count.
  mutating func add(_ digest: ValueDigest) {
    first &+= digest.first
    second &+= digest.second
    count &+= 1
  }

  /// The digest of a container of a kind.
  func digest(_ kind: DigestMaker.Kind, of className: String?) -> ValueDigest {
    DigestMaker.digest(kind) {
      $0.combine(ValueDigest(first: first, second: second))
      $0.combine(count)
      if let className { $0.combine(className) }
    }
  }

  /// A bijection that is not linear, so that sequences cannot cancel each other out (the finalizer of SplitMix64;
  /// Steele, Lea and Flood, 2014).
  private static func mix(_ number: UInt64) -> UInt64 {
    var bits = number &+ 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    return bits ^ bits >> 31
  }
}
