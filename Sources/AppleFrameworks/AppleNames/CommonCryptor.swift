import Crypto
import CryptoExtras
import Foundation

// CommonCrypto's CCCrypt for AES in the modes CBC and ECB, based on swift-crypto, for push code that decrypts:
// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/CCCrypt.3cc.html

public typealias CCOperation = UInt32
public typealias CCAlgorithm = UInt32
public typealias CCOptions = UInt32
public typealias CCCryptorStatus = Int32
public typealias CCStatus = Int32

public var kCCEncrypt: Int { 0 }
public var kCCDecrypt: Int { 1 }
public var kCCAlgorithmAES: Int { 0 }
public var kCCAlgorithmAES128: Int { 0 }
public var kCCOptionPKCS7Padding: Int { 1 }
public var kCCOptionECBMode: Int { 2 }
public var kCCKeySizeAES128: Int { 16 }
public var kCCKeySizeAES192: Int { 24 }
public var kCCKeySizeAES256: Int { 32 }
public var kCCBlockSizeAES128: Int { 16 }
public var kCCSuccess: Int { 0 }
public var kCCParamError: Int { -4300 }
public var kCCBufferTooSmall: Int { -4301 }
public var kCCAlignmentError: Int { -4303 }
public var kCCDecodeError: Int { -4304 }
public var kCCUnimplemented: Int { -4305 }

/// Encrypts or decrypts data in one step.
///
/// - Parameters:
///   - op: `kCCEncrypt` or `kCCDecrypt`.
///   - alg: `kCCAlgorithmAES`; other algorithms are not supported.
///   - options: `kCCOptionPKCS7Padding`, `kCCOptionECBMode`, both, or 0 for CBC without padding.
///   - key: 16, 24 or 32 bytes.
///   - keyLength: the number of bytes of the key.
///   - iv: 16 bytes; `nil` for zeros.
///   - dataIn: the bytes to encrypt or decrypt.
///   - dataInLength: the number of input bytes; without padding a multiple of 16.
///   - dataOut: the output buffer.
///   - dataOutAvailable: the size of the output buffer, in bytes.
///   - dataOutMoved: receives the length of the result, even if the buffer is too small.
/// - Returns: `kCCSuccess`, or the error code for an invalid argument; invalid padding is `kCCDecodeError`.
public func CCCrypt(
    _ op: CCOperation, _ alg: CCAlgorithm, _ options: CCOptions, _ key: UnsafeRawPointer!, _ keyLength: Int,
    _ iv: UnsafeRawPointer!, _ dataIn: UnsafeRawPointer!, _ dataInLength: Int, _ dataOut: UnsafeMutableRawPointer!,
    _ dataOutAvailable: Int, _ dataOutMoved: UnsafeMutablePointer<Int>!
) -> CCCryptorStatus {
    guard Int(alg) == kCCAlgorithmAES else { return Int32(kCCUnimplemented) }
    guard [kCCEncrypt, kCCDecrypt].contains(Int(op)), [16, 24, 32].contains(keyLength), key != nil, dataInLength >= 0,
        Int(options) & ~(kCCOptionPKCS7Padding | kCCOptionECBMode) == 0
    else { return Int32(kCCParamError) }
    let cryptor = AESCryptor(
        key: SymmetricKey(data: bytes(key, keyLength)),
        iv: Int(options) & kCCOptionECBMode != 0
            ? nil : iv.map { Array(bytes($0, 16)) } ?? Array(repeating: 0, count: 16),
        isPadded: Int(options) & kCCOptionPKCS7Padding != 0)
    let input = Array(bytes(dataIn, dataInLength))
    if (!cryptor.isPadded || Int(op) == kCCDecrypt), !input.count.isMultiple(of: 16) {
        return Int32(kCCAlignmentError)
    }
    guard let output = Int(op) == kCCEncrypt ? cryptor.encrypt(input) : cryptor.decrypt(input) else {
        return Int32(kCCDecodeError)
    }
    dataOutMoved?.pointee = output.count
    guard output.count <= dataOutAvailable else { return Int32(kCCBufferTooSmall) }
    guard let dataOut else { return output.isEmpty ? Int32(kCCSuccess) : Int32(kCCParamError) }
    dataOut.copyMemory(from: output, byteCount: output.count)
    return Int32(kCCSuccess)
}

/// AES encryption and decryption, in the modes CBC and ECB.
private struct AESCryptor {
    let key: SymmetricKey
    /// The initialisation vector; `nil` in ECB mode.
    let iv: [UInt8]?
    let isPadded: Bool

    /// Encrypts data.
    ///
    /// - Returns: the encrypted bytes; `nil` if swift-crypto refuses the input.
    func encrypt(_ input: [UInt8]) -> [UInt8]? {
        guard let iv else {
            let rest = 16 - input.count % 16
            return blocks(isPadded ? input + Array(repeating: UInt8(rest), count: rest) : input) {
                try AES.permute(&$0, key: key)
            }
        }
        guard let start = try? AES._CBC.IV(ivBytes: iv) else { return nil }
        return (try? AES._CBC.encrypt(input, using: key, iv: start, noPadding: !isPadded)).map { Array($0) }
    }

    /// Decrypts data.
    ///
    /// - Returns: the decrypted bytes; `nil` if the padding is invalid.
    func decrypt(_ input: [UInt8]) -> [UInt8]? {
        guard let iv else {
            guard let output = blocks(input, { try AES.inversePermute(&$0, key: key) }) else { return nil }
            return isPadded ? stripped(output) : output
        }
        guard let start = try? AES._CBC.IV(ivBytes: iv) else { return nil }
        return (try? AES._CBC.decrypt(input, using: key, iv: start, noPadding: !isPadded)).map { Array($0) }
    }

    private func blocks(_ input: [UInt8], _ change: (inout [UInt8]) throws -> Void) -> [UInt8]? {
        var output: [UInt8] = []
        for start in stride(from: 0, to: input.count, by: 16) {
            var block = Array(input[start..<start + 16])
            guard (try? change(&block)) != nil else { return nil }
            output += block
        }
        return output
    }

    private func stripped(_ output: [UInt8]) -> [UInt8]? {
        guard let last = output.last, (1...16).contains(last), output.count >= Int(last),
            output.suffix(Int(last)).allSatisfy({ $0 == last })
        else { return nil }
        return output.dropLast(Int(last))
    }
}
