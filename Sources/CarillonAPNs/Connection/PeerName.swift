import Foundation
import SwiftASN1
import X509

/// The host that a server's certificate must be valid for.
///
/// A host name is compared only with the certificate's names, and an IP address only with the certificate's addresses ([RFC
/// 9110 §4.3.4](https://www.rfc-editor.org/rfc/rfc9110#section-4.3.4), [RFC 9525
/// §6](https://www.rfc-editor.org/rfc/rfc9525#section-6)). NIOSSL is laxer: it accepts the server's address in place of a name,
/// and a wildcard for a whole top-level domain. If the RFCs leave a choice, this type does what curl does.
struct PeerName: Sendable, Hashable {
    private enum Kind: Hashable {
        /// A name, in lower case and without a trailing dot.
        case name(String)
        /// The 4 or 16 bytes of an address.
        case address([UInt8])
    }

    private let kind: Kind

    /// The host for the TLS extension `server_name`; `nil` for an address.
    ///
    /// The extension does not allow addresses ([RFC 6066 §3](https://www.rfc-editor.org/rfc/rfc6066#section-3)).
    var serverName: String? { if case .name(let name) = kind { name } else { nil } }

    /// Parses a host.
    ///
    /// - Parameter host: a name, with or without a trailing dot, or an IPv4 or IPv6 address.
    init(host: String) {
        kind = Self.address(host).map { .address($0) } ?? .name(Self.normalized(host))
    }

    /// Returns whether a certificate is valid for this host.
    ///
    /// The common name counts only if the subject alternative names contain neither a DNS name nor an IP address.
    ///
    /// - Parameter certificate: the server's certificate, after the verification of its chain.
    /// - Returns: whether one of the certificate's names or addresses is the host.
    func matches(_ certificate: Certificate) -> Bool {
        // An extension that cannot be parsed names no host.
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

    /// Returns whether the certificate's subject alternative names can be read or are absent.
    static func hasReadableNames(_ certificate: Certificate) -> Bool {
        do {
            _ = try certificate.extensions.subjectAlternativeNames
            return true
        } catch {
            return false
        }
    }

    /// Returns at most four host names and IP addresses from a certificate, as a text for an error message.
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
        // The names come from a stranger: removes line ends and escapes, and limits the length.
        let shown = names.map {
            String($0.unicodeScalars.filter { (0x21...0x7E).contains($0.value) }.prefix(80).map(Character.init))
        }
        return shown.joined(separator: ", ")
    }

    private static func text(ofAddress bytes: [UInt8]) -> String? {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        guard [4, 16].contains(bytes.count), inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else {
            return nil
        }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Returns whether the host matches a name, which may begin with the wildcard `*.`.
    ///
    /// The wildcard stands for exactly one label. Directly below a top-level domain, as in `*.com`, it matches no host.
    private func matches(pattern: String) -> Bool {
        guard case .name(let name) = kind else { return false }
        let pattern = Self.normalized(pattern)
        guard pattern.hasPrefix("*."), pattern.utf8.dropFirst(2).contains(UInt8(ascii: ".")) else {
            return pattern == name
        }
        guard let dot = name.firstIndex(of: "."), dot != name.startIndex else { return false }
        return name[dot...] == pattern.dropFirst()
    }

    private static func normalized(_ name: String) -> String {
        // Only ASCII has upper and lower case here, because other letters are encoded with xn--.
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
        // Removes the zone of a link-local address, because a certificate never contains a zone.
        let host = host.prefix { $0 != "%" }
        var (four, six) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, String(host), &four) == 1 { return withUnsafeBytes(of: four) { Array($0) } }
        return inet_pton(AF_INET6, String(host), &six) == 1 ? withUnsafeBytes(of: six) { Array($0) } : nil
    }
}
