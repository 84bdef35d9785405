import CommonCrypto
import Foundation

/// AES in the mode CBC, its key a digest of the password, the first block what it begins with.
struct Cipher {
    let password: String

    func open(_ sealed: Data) -> String? { crypt(CCOperation(kCCDecrypt), sealed.dropFirst(16), iv: sealed.prefix(16)) }

    func seal(_ text: String, iv: Data) -> Data? {
        run(CCOperation(kCCEncrypt), Data(text.utf8), iv: iv).map { iv + $0 }
    }

    private func crypt(_ operation: CCOperation, _ data: Data, iv: Data) -> String? {
        run(operation, data, iv: iv).flatMap { String(data: $0, encoding: .utf8) }
    }

    private func run(_ operation: CCOperation, _ data: Data, iv: Data) -> Data? {
        var key = [UInt8](repeating: 0, count: Int(CC_SHA256_DIGEST_LENGTH))
        CC_SHA256(Array(password.utf8), CC_LONG(password.utf8.count), &key)
        var output = [UInt8](repeating: 0, count: data.count + kCCBlockSizeAES128)
        var count = 0
        let status = CCCrypt(
            operation, CCAlgorithm(kCCAlgorithmAES), CCOptions(kCCOptionPKCS7Padding), key, kCCKeySizeAES256,
            Array(iv), Array(data), data.count, &output, output.count, &count)
        guard status == kCCSuccess else { return nil }
        return Data(output.prefix(count))
    }
}
