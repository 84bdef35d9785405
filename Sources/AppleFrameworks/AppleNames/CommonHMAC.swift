import Crypto
import Foundation

// CommonCrypto's HMAC, based on swift-crypto.

/// The digest algorithm of an HMAC.
public typealias CCHmacAlgorithm = UInt32

public var kCCHmacAlgSHA1: Int { 0 }
public var kCCHmacAlgMD5: Int { 1 }
public var kCCHmacAlgSHA256: Int { 2 }
public var kCCHmacAlgSHA384: Int { 3 }
public var kCCHmacAlgSHA512: Int { 4 }

/// Writes the HMAC of `dataLength` bytes at `data` to `macOut`, which must have room for a digest.
///
/// Writes nothing if the algorithm is unknown.
public func CCHmac(
    _ algorithm: CCHmacAlgorithm, _ key: UnsafeRawPointer!, _ keyLength: Int, _ data: UnsafeRawPointer!,
    _ dataLength: Int,
    _ macOut: UnsafeMutableRawPointer!
) {
    guard let macOut else { return }
    let key = SymmetricKey(data: bytes(key, keyLength))
    let data = bytes(data, dataLength)
    let code: [UInt8]
    switch Int(algorithm) {
    case kCCHmacAlgSHA1: code = Array(HMAC<Insecure.SHA1>.authenticationCode(for: data, using: key))
    case kCCHmacAlgMD5: code = Array(HMAC<Insecure.MD5>.authenticationCode(for: data, using: key))
    case kCCHmacAlgSHA256: code = Array(HMAC<SHA256>.authenticationCode(for: data, using: key))
    case kCCHmacAlgSHA384: code = Array(HMAC<SHA384>.authenticationCode(for: data, using: key))
    case kCCHmacAlgSHA512: code = Array(HMAC<SHA512>.authenticationCode(for: data, using: key))
    default: return
    }
    macOut.copyMemory(from: code, byteCount: code.count)
}
