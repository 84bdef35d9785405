// This is the BoringSSL that is part of NIOSSL. NIOSSL itself cannot list the contents of an archive. NIOSSL stops the process
// if a key or certificate is missing (NIOSSL/SSLPKCS12Bundle.swift), or if a password has a byte above 127
// (NIOSSL/SSLPrivateKey.swift).
import CNIOBoringSSL
import NIOSSL

/// Opens password-protected files with BoringSSL, so that NIOSSL gets only decrypted keys and certificates.
enum EncryptedFile {
    /// The entries of a `.p12` archive.
    struct Contents: Sendable {
        var hasKey: Bool
        /// The key; `nil` if the archive has no key that TLS can use.
        var key: NIOSSLPrivateKey?
        /// The certificates, in the archive's order.
        var certificates: [NIOSSLCertificate]
    }

    /// The reason why a `.p12` archive cannot be opened.
    enum Refusal: Error, Sendable {
        case severalKeys, withoutMAC, textInIt, wrongPassword, other
    }

    /// Opens a `.p12` archive.
    ///
    /// - Parameters:
    ///   - archive: a `.p12` file's bytes.
    ///   - password: the archive's password; empty for none.
    /// - Returns: the entries.
    /// - Throws: the reason why the archive cannot be opened.
    static func contents(ofArchive archive: [UInt8], password: String) throws(Refusal) -> Contents {
        guard !archive.isEmpty, let certificates = OPENSSL_sk_new_null() else { throw .other }
        var key: OpaquePointer?
        ERR_clear_error()
        defer {
            while let certificate = OPENSSL_sk_pop(certificates) { X509_free(OpaquePointer(certificate)) }
            OPENSSL_sk_free(certificates)
            ERR_clear_error()
        }
        let isOpen = archive.withUnsafeBufferPointer { bytes in
            var input = CBS(data: bytes.baseAddress, len: bytes.count)
            return PKCS12_get_key_and_certs(&key, certificates, &input, password) == 1
        }
        guard isOpen else {
            EVP_PKEY_free(key)
            throw refusal
        }
        let (hasKey, readableKey) = (key != nil, key.flatMap { readable($0) })
        var chain: [NIOSSLCertificate] = []
        for index in 0..<OPENSSL_sk_num(certificates) {
            let certificate = OPENSSL_sk_value(certificates, index).map { OpaquePointer($0) }
            guard let bytes = encoded({ i2d_X509(certificate, $0) }),
                let certificate = try? NIOSSLCertificate(bytes: bytes, format: .der)
            else { throw .other }
            chain.append(certificate)
        }
        return Contents(hasKey: hasKey, key: readableKey, certificates: chain)
    }

    /// The reason why BoringSSL refused the archive, from its latest error.
    private static var refusal: Refusal {
        switch ERR_GET_REASON(ERR_peek_last_error()) {
        case PKCS8_R_MULTIPLE_PRIVATE_KEYS_IN_PKCS12: .severalKeys
        case PKCS8_R_MISSING_MAC: .withoutMAC
        case PKCS8_R_INVALID_CHARACTERS: .textInIt
        case PKCS8_R_INCORRECT_PASSWORD: .wrongPassword
        default: .other
        }
    }

    /// Returns the DER bytes that one of BoringSSL's `i2d_…` functions writes; `nil` if the function fails.
    private static func encoded(_ write: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>) -> Int32) -> [UInt8]? {
        var encoded: UnsafeMutablePointer<UInt8>?
        let count = write(&encoded)
        guard count > 0, let encoded else { return nil }
        defer { OPENSSL_free(encoded) }
        return Array(UnsafeBufferPointer(start: encoded, count: Int(count)))
    }

    /// Decrypts a private key.
    ///
    /// - Parameters:
    ///   - pem: a file with the key in PEM.
    ///   - password: the key's password, at most 1,023 bytes.
    /// - Returns: the key; `nil` if the password is wrong or there is no key.
    static func privateKey(pem: String, password: String) -> NIOSSLPrivateKey? {
        let bytes = Array(pem.utf8)
        guard !bytes.isEmpty else { return nil }
        return bytes.withUnsafeBytes { bytes in
            guard let input = BIO_new_mem_buf(bytes.baseAddress, bytes.count) else { return nil }
            defer {
                BIO_free(input)
                ERR_clear_error()
            }
            let key = password.withCString {
                PEM_read_bio_PrivateKey(input, nil, nil, UnsafeMutableRawPointer(mutating: $0))
            }
            return key.flatMap { readable($0) }
        }
    }

    /// Converts a key of BoringSSL into a key of NIOSSL, and frees BoringSSL's key.
    private static func readable(_ key: OpaquePointer) -> NIOSSLPrivateKey? {
        defer { EVP_PKEY_free(key) }
        guard let bytes = encoded({ i2d_PrivateKey(key, $0) }) else { return nil }
        return try? NIOSSLPrivateKey(bytes: bytes, format: .der)
    }
}
