import AppleNames
import Foundation
import Testing

@Suite("CommonCrypto and the locks of os, over what Linux has; digests and ciphers as openssl computes them")
struct AppleNamesTests {
    private let text = Array("The quick brown fox".utf8)

    private func hex(_ bytes: [UInt8]) -> String { bytes.map { String(format: "%02x", $0) }.joined() }

    private typealias Digest = (UnsafeRawPointer?, CC_LONG, UnsafeMutablePointer<UInt8>?) -> UnsafeMutablePointer<
        UInt8
    >?

    @Test("digests at once")
    func digests() {
        let all: [(Int32, Digest, String)] = [
            (CC_MD5_DIGEST_LENGTH, { CC_MD5($0, $1, $2) }, "a2004f37730b9445670a738fa0fc9ee5"),
            (CC_SHA1_DIGEST_LENGTH, { CC_SHA1($0, $1, $2) }, "c519c1a06cdbeb2bc499e22137fb48683858b345"),
            (
                CC_SHA256_DIGEST_LENGTH, { CC_SHA256($0, $1, $2) },
                "5cac4f980fedc3d3f1f99b4be3472c9b30d56523e632d151237ec9309048bda9"
            ),
            (
                CC_SHA384_DIGEST_LENGTH, { CC_SHA384($0, $1, $2) },
                "2e45933dd1a1e6a6928a732d58abeb180c225e5e7b99c64eb6f233a7b99ee4635c17f44ca544cf620cf4289deb4c08cf"
            ),
            (
                CC_SHA512_DIGEST_LENGTH, { CC_SHA512($0, $1, $2) },
                "015e6d23e760f612cca616c54f110cb12dd54213f1e046c7607081372402eff4936b379296ed549236020afb37bd3e728a044a4243754f095498c98bc24f77e0"
            ),
        ]
        for (length, digest, expected) in all {
            var place = [UInt8](repeating: 0, count: Int(length))
            _ = digest(text, CC_LONG(text.count), &place)
            #expect(hex(place) == expected)
            #expect(digest(text, CC_LONG(text.count), nil) == nil)
        }
        var empty = [UInt8](repeating: 0, count: 16)
        CC_MD5(nil, 0, &empty)
        #expect(hex(empty) == "d41d8cd98f00b204e9800998ecf8427e")
    }

    @Test("digests piece by piece")
    func pieces() {
        var (one, two) = ([UInt8](repeating: 0, count: 16), [UInt8](repeating: 0, count: 20))
        var (three, four) = ([UInt8](repeating: 0, count: 32), [UInt8](repeating: 0, count: 64))
        var (md5, sha1, sha256, sha512) = (CC_MD5_CTX(), CC_SHA1_CTX(), CC_SHA256_CTX(), CC_SHA512_CTX())
        for _ in 1...2 {
            // A context that was used before is begun anew.
            #expect(
                [CC_MD5_Init(&md5), CC_SHA1_Init(&sha1), CC_SHA256_Init(&sha256), CC_SHA512_Init(&sha512)] == [
                    1, 1, 1, 1,
                ])
            for byte in text {
                CC_MD5_Update(&md5, [byte], 1)
                CC_SHA1_Update(&sha1, [byte], 1)
                CC_SHA256_Update(&sha256, [byte], 1)
                CC_SHA512_Update(&sha512, [byte], 1)
            }
        }
        CC_MD5_Final(&one, &md5)
        CC_SHA1_Final(&two, &sha1)
        CC_SHA256_Final(&three, &sha256)
        CC_SHA512_Final(&four, &sha512)
        #expect(hex(one) == "a2004f37730b9445670a738fa0fc9ee5")
        #expect(hex(two) == "c519c1a06cdbeb2bc499e22137fb48683858b345")
        #expect(hex(three) == "5cac4f980fedc3d3f1f99b4be3472c9b30d56523e632d151237ec9309048bda9")
        #expect(hex(four).hasPrefix("015e6d23e760f612") && hex(four).hasSuffix("98c98bc24f77e0"))
        #expect(CC_MD5_Init(nil) == 0 && CC_MD5_Update(nil, text, 1) == 0 && CC_MD5_Final(&one, nil) == 0)
    }

    @Test(
        "codes with a key",
        arguments: [
            (kCCHmacAlgMD5, "d006bc60c92ff6e54f615474fe835e02"),
            (kCCHmacAlgSHA1, "22f9e077a3cebd09248154f85d9a56c79941fd96"),
            (kCCHmacAlgSHA256, "203d1e5cedd2d18f8c5a3beff0bd9c1ebcb97097dfcb288c46b00c9227fde2c0"),
            (
                kCCHmacAlgSHA384,
                "60638fa0aa4b044fc6f50d5c4a11dd5c26863cd335e3aac16ac6434fc79505dfb05bc3d02a556e271979b41c9379f579"
            ),
            (
                kCCHmacAlgSHA512,
                "36f44b125a8a90639dc46733039571792e081e0fd8685ff746784b02ed14aa35629d562c7117cde4a701570551faa5a5e1b7ef1eb5c3bcd4cc1fdb8923fcf14e"
            ),
        ])
    func codes(algorithm: Int, expected: String) {
        var place = [UInt8](repeating: 0, count: expected.count / 2)
        CCHmac(CCHmacAlgorithm(algorithm), "key", 3, text, text.count, &place)
        #expect(hex(place) == expected)
        var untouched: [UInt8] = [7]
        CCHmac(99, "key", 3, text, text.count, &untouched)
        #expect(untouched == [7])
    }

    private func crypt(
        _ operation: Int, _ options: Int, key: Int, _ input: [UInt8], room: Int = 64, iv: [UInt8]? = nil
    ) -> (status: Int, output: [UInt8]) {
        var (output, count) = ([UInt8](repeating: 0, count: room), 0)
        let status = CCCrypt(
            CCOperation(operation), CCAlgorithm(kCCAlgorithmAES128), CCOptions(options), Array(UInt8(0)..<UInt8(key)),
            key,
            iv, input, input.count, &output, output.count, &count)
        return (Int(status), Array(output.prefix(count)))
    }

    @Test("AES in the mode ECB, with and without padding, and what is wrong with the arguments")
    func blocks() {
        let ecb = kCCOptionECBMode | kCCOptionPKCS7Padding
        let whole = crypt(kCCEncrypt, ecb, key: 16, Array("sixteen bytes at".utf8))
        #expect(hex(whole.output) == "94bc548f9cba30988e7ccf5a7b744377954f64f2e4e86e9eee82d20216684899")
        let longer = crypt(kCCEncrypt, ecb, key: 24, Array("seventeen bytes a!".utf8))
        #expect(hex(longer.output) == "40bc19d959fe29bae3f9b9b406d72b91cfa31bb6956388fcd2601fe4c6cfe370")
        #expect(crypt(kCCDecrypt, ecb, key: 24, longer.output).output == Array("seventeen bytes a!".utf8))
        let bare = crypt(kCCEncrypt, kCCOptionECBMode, key: 16, Array("sixteen bytes at".utf8))
        #expect(bare.output == Array(whole.output.prefix(16)))
        #expect(crypt(kCCDecrypt, kCCOptionECBMode, key: 16, bare.output).output == Array("sixteen bytes at".utf8))
        #expect(crypt(kCCEncrypt, kCCOptionECBMode, key: 16, text).status == kCCAlignmentError)
        #expect(crypt(kCCDecrypt, ecb, key: 16, bare.output).status == kCCDecodeError)
        #expect(crypt(kCCDecrypt, ecb, key: 16, []).status == kCCDecodeError)
        #expect(crypt(kCCEncrypt, ecb, key: 15, text).status == kCCParamError)
        #expect(crypt(2, ecb, key: 16, text).status == kCCParamError)
        #expect(crypt(kCCEncrypt, 8, key: 16, text).status == kCCParamError)
    }

    @Test("AES in the mode CBC: without a start it is zeros; a buffer that is too small is told what it needs")
    func chains() {
        let padded = crypt(kCCEncrypt, kCCOptionPKCS7Padding, key: 32, text)
        #expect(padded.output.count == 32)
        #expect(crypt(kCCEncrypt, kCCOptionPKCS7Padding, key: 32, text, iv: Array(repeating: 0, count: 16)) == padded)
        #expect(crypt(kCCDecrypt, kCCOptionPKCS7Padding, key: 32, padded.output).output == text)
        let bare = crypt(kCCEncrypt, 0, key: 16, Array(text.prefix(16)))
        #expect(bare.output.count == 16 && crypt(kCCDecrypt, 0, key: 16, bare.output).output == Array(text.prefix(16)))
        var count = 0
        let status = CCCrypt(
            CCOperation(kCCEncrypt), CCAlgorithm(kCCAlgorithmAES), CCOptions(kCCOptionPKCS7Padding), text, 16, nil,
            text,
            text.count, nil, 0, &count)
        #expect(Int(status) == kCCBufferTooSmall && count == 32)
        #expect(CCCrypt(0, 1, 0, text, 16, nil, text, 16, nil, 0, nil) == CCCryptorStatus(kCCUnimplemented))
    }

    @Test("locks let one in at a time")
    func locks() async {
        let counted = OSAllocatedUnfairLock(initialState: 0)
        let plain = OSAllocatedUnfairLock()
        await withTaskGroup(of: Void.self) { group in
            for _ in 1...8 { group.addTask { for _ in 1...500 { counted.withLock { $0 += 1 } } } }
        }
        #expect(counted.withLock { $0 } == 4000 && counted.withLockIfAvailable { $0 } == 4000)
        plain.lock()
        #expect(!plain.lockIfAvailable())
        plain.unlock()
        #expect(plain.withLock { true })
        var lock = os_unfair_lock()
        os_unfair_lock_lock(&lock)
        #expect(!os_unfair_lock_trylock(&lock))
        os_unfair_lock_unlock(&lock)
        #expect(os_unfair_lock_trylock(&lock))
        os_unfair_lock_unlock(&lock)
    }
}
