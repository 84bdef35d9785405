import Crypto
import Foundation

// CommonCrypto's digests, based on swift-crypto, with the types that Swift imports on Apple's platforms:
// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/CC_SHA.3cc.html

/// CommonCrypto's type for byte counts.
public typealias CC_LONG = UInt32

public var CC_MD5_DIGEST_LENGTH: Int32 { 16 }
public var CC_SHA1_DIGEST_LENGTH: Int32 { 20 }
public var CC_SHA256_DIGEST_LENGTH: Int32 { 32 }
public var CC_SHA384_DIGEST_LENGTH: Int32 { 48 }
public var CC_SHA512_DIGEST_LENGTH: Int32 { 64 }
public var CC_MD5_BLOCK_BYTES: Int32 { 64 }
public var CC_SHA1_BLOCK_BYTES: Int32 { 64 }
public var CC_SHA256_BLOCK_BYTES: Int32 { 64 }
public var CC_SHA384_BLOCK_BYTES: Int32 { 128 }
public var CC_SHA512_BLOCK_BYTES: Int32 { 128 }

/// Writes the MD5 digest of `len` bytes at `data` as 16 bytes at `md`.
///
/// Does nothing if `md` is `nil`.
@discardableResult public func CC_MD5(
    _ data: UnsafeRawPointer!, _ len: CC_LONG, _ md: UnsafeMutablePointer<UInt8>!
) -> UnsafeMutablePointer<UInt8>! { digest(Insecure.MD5.self, data, len, md) }

/// Writes the SHA-1 digest of `len` bytes at `data` as 20 bytes at `md`.
@discardableResult public func CC_SHA1(
    _ data: UnsafeRawPointer!, _ len: CC_LONG, _ md: UnsafeMutablePointer<UInt8>!
) -> UnsafeMutablePointer<UInt8>! { digest(Insecure.SHA1.self, data, len, md) }

/// Writes the SHA-256 digest of `len` bytes at `data` as 32 bytes at `md`.
@discardableResult public func CC_SHA256(
    _ data: UnsafeRawPointer!, _ len: CC_LONG, _ md: UnsafeMutablePointer<UInt8>!
) -> UnsafeMutablePointer<UInt8>! { digest(SHA256.self, data, len, md) }

/// Writes the SHA-384 digest of `len` bytes at `data` as 48 bytes at `md`.
@discardableResult public func CC_SHA384(
    _ data: UnsafeRawPointer!, _ len: CC_LONG, _ md: UnsafeMutablePointer<UInt8>!
) -> UnsafeMutablePointer<UInt8>! { digest(SHA384.self, data, len, md) }

/// Writes the SHA-512 digest of `len` bytes at `data` as 64 bytes at `md`.
@discardableResult public func CC_SHA512(
    _ data: UnsafeRawPointer!, _ len: CC_LONG, _ md: UnsafeMutablePointer<UInt8>!
) -> UnsafeMutablePointer<UInt8>! { digest(SHA512.self, data, len, md) }

/// The state of an unfinished MD5 digest.
public struct CC_MD5_CTX: Sendable {
    fileprivate var hash = Insecure.MD5()
    public init() {}
}

/// The state of an unfinished SHA-1 digest.
public struct CC_SHA1_CTX: Sendable {
    fileprivate var hash = Insecure.SHA1()
    public init() {}
}

/// The state of an unfinished SHA-256 digest.
public struct CC_SHA256_CTX: Sendable {
    fileprivate var hash = SHA256()
    public init() {}
}

/// The state of an unfinished SHA-512 digest.
public struct CC_SHA512_CTX: Sendable {
    fileprivate var hash = SHA512()
    public init() {}
}

@discardableResult public func CC_MD5_Init(_ c: UnsafeMutablePointer<CC_MD5_CTX>!) -> Int32 { start(c, CC_MD5_CTX()) }
@discardableResult public func CC_MD5_Update(
    _ c: UnsafeMutablePointer<CC_MD5_CTX>!, _ data: UnsafeRawPointer!, _ len: CC_LONG
) -> Int32 { update(c, \.hash, data, len) }
@discardableResult public func CC_MD5_Final(
    _ md: UnsafeMutablePointer<UInt8>!, _ c: UnsafeMutablePointer<CC_MD5_CTX>!
) -> Int32 { finish(c, \.hash, md) }

@discardableResult public func CC_SHA1_Init(_ c: UnsafeMutablePointer<CC_SHA1_CTX>!) -> Int32 {
    start(c, CC_SHA1_CTX())
}
@discardableResult public func CC_SHA1_Update(
    _ c: UnsafeMutablePointer<CC_SHA1_CTX>!, _ data: UnsafeRawPointer!, _ len: CC_LONG
) -> Int32 { update(c, \.hash, data, len) }
@discardableResult public func CC_SHA1_Final(
    _ md: UnsafeMutablePointer<UInt8>!, _ c: UnsafeMutablePointer<CC_SHA1_CTX>!
) -> Int32 { finish(c, \.hash, md) }

@discardableResult public func CC_SHA256_Init(_ c: UnsafeMutablePointer<CC_SHA256_CTX>!) -> Int32 {
    start(c, CC_SHA256_CTX())
}
@discardableResult public func CC_SHA256_Update(
    _ c: UnsafeMutablePointer<CC_SHA256_CTX>!, _ data: UnsafeRawPointer!, _ len: CC_LONG
) -> Int32 { update(c, \.hash, data, len) }
@discardableResult public func CC_SHA256_Final(
    _ md: UnsafeMutablePointer<UInt8>!, _ c: UnsafeMutablePointer<CC_SHA256_CTX>!
) -> Int32 { finish(c, \.hash, md) }

@discardableResult public func CC_SHA512_Init(_ c: UnsafeMutablePointer<CC_SHA512_CTX>!) -> Int32 {
    start(c, CC_SHA512_CTX())
}
@discardableResult public func CC_SHA512_Update(
    _ c: UnsafeMutablePointer<CC_SHA512_CTX>!, _ data: UnsafeRawPointer!, _ len: CC_LONG
) -> Int32 { update(c, \.hash, data, len) }
@discardableResult public func CC_SHA512_Final(
    _ md: UnsafeMutablePointer<UInt8>!, _ c: UnsafeMutablePointer<CC_SHA512_CTX>!
) -> Int32 { finish(c, \.hash, md) }

func bytes(_ data: UnsafeRawPointer?, _ count: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : count)
}

private func digest<Hash: HashFunction>(
    _ hash: Hash.Type, _ data: UnsafeRawPointer?, _ count: CC_LONG, _ place: UnsafeMutablePointer<UInt8>?
) -> UnsafeMutablePointer<UInt8>? {
    guard let place else { return nil }
    var hash = Hash()
    hash.update(bufferPointer: bytes(data, Int(count)))
    place.update(from: Array(hash.finalize()), count: Hash.Digest.byteCount)
    return place
}

private func start<Context>(_ context: UnsafeMutablePointer<Context>?, _ new: Context) -> Int32 {
    context?.pointee = new
    return context == nil ? 0 : 1
}

private func update<Context, Hash: HashFunction>(
    _ context: UnsafeMutablePointer<Context>?, _ hash: WritableKeyPath<Context, Hash>, _ data: UnsafeRawPointer?,
    _ count: CC_LONG
) -> Int32 {
    context?.pointee[keyPath: hash].update(bufferPointer: bytes(data, Int(count)))
    return context == nil ? 0 : 1
}

private func finish<Context, Hash: HashFunction>(
    _ context: UnsafeMutablePointer<Context>?, _ hash: WritableKeyPath<Context, Hash>,
    _ place: UnsafeMutablePointer<UInt8>?
) -> Int32 {
    guard let context, let place else { return 0 }
    place.update(from: Array(context.pointee[keyPath: hash].finalize()), count: Hash.Digest.byteCount)
    return 1
}
