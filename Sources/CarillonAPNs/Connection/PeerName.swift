import Foundation
import SwiftASN1
import X509

/// The host whose certificate a server has to show.
///
/// A name is compared with the certificate's names and an address with its addresses, never one with the other
/// ([RFC 9110 §4.3.4](https://www.rfc-editor.org/rfc/rfc9110#section-4.3.4),
/// [RFC 9525 §6](https://www.rfc-editor.org/rfc/rfc9525#section-6)). NIOSSL accepts the server's address for a name too, and
/// a wildcard for a whole top-level domain. Where the RFCs leave a choice, this is curl's.
struct PeerName: Sendable, Hashable {
    private enum Kind: Hashable {
        /// A name, in lower case and without a trailing dot.
        case name(String)
        /// The 4 or 16 bytes of an address.
        case address([UInt8])
    }

    private let kind: Kind

    /// The host for the TLS extension server_name; `nil` for an address, which may not stand there
    /// ([RFC 6066 §3](https://www.rfc-editor.org/rfc/rfc6066#section-3)).
    var serverName: String? { if case .name(let name) = kind { name } else { nil } }

    /// - Parameter host: a name, with or without a trailing dot, or an IPv4 or IPv6 address.
    init(host: String) {
        kind = Self.address(host).map { .address($0) } ?? .name(Self.normalized(host))
    }

    /// Whether a certificate is for this host.
    ///
    /// The common name counts only where the certificate has no subject alternative name of either kind.
    ///
    /// - Parameter certificate: the server's own certificate, whose chain has been verified.
    /// - Returns: whether one of its names or addresses is the host.
    func matches(_ certificate: Certificate) -> Bool {
        // An unreadable extension names no host.
        guard let names = try? certificate.extensions.subjectAlternativeNames ?? SubjectAlternativeNames() else {
            return false
        }
        var hasAlternative = false
        for name in names {
            switch name {
            case .dnsName(let pattern):
                hasAlternative = true
                if matches(pattern: pattern) { return true }
            case .ipAddress(let bytes):
                hasAlternative = true
                if kind == .address(Array(bytes.bytes)) { return true }
            default: continue
            }
        }
        guard !hasAlternative, let commonName = Self.commonName(of: certificate) else { return false }
        return matches(pattern: commonName)
    }

    /// Whether the certificate's list of names can be read, or it has none.
    static func hasReadableNames(_ certificate: Certificate) -> Bool {
        do {
            _ = try certificate.extensions.subjectAlternativeNames
            return true
        } catch {
            return false
        }
    }

    /// Returns the first names and addresses in a certificate, for a person.
    static func text(of certificate: Certificate) -> String {
        let alternatives = (try? certificate.extensions.subjectAlternativeNames).map(Array.init) ?? []
        var names = alternatives.prefix(4).compactMap { name -> String? in
            switch name {
            case .dnsName(let name): name
            case .ipAddress(let bytes): text(ofAddress: Array(bytes.bytes))
            default: nil
            }
        }
        if alternatives.isEmpty { names = [commonName(of: certificate)].compactMap(\.self) }
        // A stranger's text: no line ends, no escapes, no end.
        return names.map { name in
            String(decoding: name.utf8.filter { (0x21...0x7E).contains($0) }.prefix(80), as: UTF8.self)
        }
        .joined(separator: ", ")
    }

    private static func text(ofAddress bytes: [UInt8]) -> String? {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        guard [4, 16].contains(bytes.count), inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil
        else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Compares the host with a name that may begin with `*.`, which stands for one label, and never for one directly below a
    /// top-level domain.
    private func matches(pattern: String) -> Bool {
        guard case .name(let name) = kind else { return false }
        let pattern = Self.normalized(pattern)
        guard pattern.hasPrefix("*."), pattern.dropFirst(2).contains(".") else { return pattern == name }
        guard let dot = name.firstIndex(of: "."), dot != name.startIndex else { return false }
        return name[dot...] == pattern.dropFirst()
    }

    private static func normalized(_ name: String) -> String {
        // Only ASCII has upper and lower case here: a name beyond it is written with xn--.
        let lower = String(decoding: name.utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }, as: UTF8.self)
        return lower.hasSuffix(".") ? String(lower.dropLast()) : lower
    }

    private static func commonName(of certificate: Certificate) -> String? {
        certificate.subject.lazy.flatMap { $0 }
            .last { $0.type == .RDNAttributeType.commonName }
            .flatMap { String($0.value) }
    }

    /// Returns the 4 or 16 bytes of an address; `nil` for a name.
    static func address(_ host: String) -> [UInt8]? {
        // An address of a link names the link too, which no certificate does.
        let host = host.prefix { $0 != "%" }
        var (four, six) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, String(host), &four) == 1 { return withUnsafeBytes(of: four) { Array($0) } }
        return inet_pton(AF_INET6, String(host), &six) == 1 ? withUnsafeBytes(of: six) { Array($0) } : nil
    }
}
