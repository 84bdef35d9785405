// NIOSSL's own copy of BoringSSL: NIOSSL cannot be asked what an archive holds, and traps where a key or certificate is missing
// (NIOSSL/SSLPKCS12Bundle.swift) and where a password has a byte above 127 (NIOSSL/SSLPrivateKey.swift).
import CNIOBoringSSL
import NIOSSL

/// Reads password-protected files with BoringSSL, before NIOSSL gets to see them.
enum EncryptedFile {
    /// The number of keys and certificates in a `.p12` archive.
    struct Contents: Sendable, Hashable {
        var hasKey: Bool
        var certificates: Int
    }

    /// Opens a `.p12` archive and counts its entries.
    ///
    /// - Parameters:
    ///   - archive: a `.p12` file's bytes.
    ///   - password: the archive's password; empty for none.
    /// - Returns: the entries; `nil` if the password is wrong or the bytes are no archive.
    static func contents(ofArchive archive: [UInt8], password: String) -> Contents? {
        guard !archive.isEmpty, let certificates = OPENSSL_sk_new_null() else { return nil }
        var key: OpaquePointer?
        defer {
            EVP_PKEY_free(key)
            while let certificate = OPENSSL_sk_pop(certificates) { X509_free(OpaquePointer(certificate)) }
            OPENSSL_sk_free(certificates)
            ERR_clear_error()
        }
        let isOpen = archive.withUnsafeBufferPointer { bytes in
            var input = CBS(data: bytes.baseAddress, len: bytes.count)
            return PKCS12_get_key_and_certs(&key, certificates, &input, password) == 1
        }
        return isOpen ? Contents(hasKey: key != nil, certificates: OPENSSL_sk_num(certificates)) : nil
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

    /// Converts a key of BoringSSL's into one of NIOSSL's, and takes ownership of it.
    private static func readable(_ key: OpaquePointer) -> NIOSSLPrivateKey? {
        defer { EVP_PKEY_free(key) }
        var encoded: UnsafeMutablePointer<UInt8>?
        let count = i2d_PrivateKey(key, &encoded)
        guard count > 0, let encoded else { return nil }
        defer { OPENSSL_free(encoded) }
        return try? NIOSSLPrivateKey(bytes: Array(UnsafeBufferPointer(start: encoded, count: Int(count))), format: .der)
    }
}
