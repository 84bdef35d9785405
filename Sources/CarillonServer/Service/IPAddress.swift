import Foundation

/// An IPv4 or IPv6 address without its port, whatever its spelling was.
package struct IPAddress: Sendable, Hashable, CustomStringConvertible {
    /// The address: 4 bytes for IPv4, 16 bytes for IPv6.
    let bytes: [UInt8]

    /// Reads an address.
    ///
    /// The text may have a port (`203.0.113.7:443`, `[2001:db8::1]:443`) and the name of an interface (`fe80::1%eth0`), which are
    /// left out. An IPv4 address in the form of an IPv6 address (`::ffff:203.0.113.7`) becomes an IPv4 address.
    ///
    /// - Parameter text: the address.
    package init?(_ text: String) {
        guard let host = Self.host(text[...]), let bytes = Self.parsed(String(host)) else { return nil }
        self.init(bytes)
    }

    /// Creates an address of the bytes of one (``parsed(_:)``); an IPv4 address in the form of an IPv6 address becomes an IPv4 address.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes.starts(with: Self.mappedPrefix) && bytes.count == 16 ? Array(bytes.suffix(4)) : bytes
    }

    fileprivate init(bytes: [UInt8]) { self.bytes = bytes }

    /// The first 96 bits of an IPv6 address that stands for an IPv4 address
    /// ([RFC 4291 §2.5.5.2](https://www.rfc-editor.org/rfc/rfc4291#section-2.5.5.2)).
    static let mappedPrefix: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]

    package var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, bytes, &text, socklen_t(text.count)) != nil else {
            return "?"
        }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The part of the address that belongs to one subscriber: all of an IPv4 address, or the 64-bit network of an IPv6 address.
    ///
    /// The service counts clients by their networks.
    var network: IPAddress {
        bytes.count == 4 ? self : IPAddress(bytes: bytes.prefix(8) + [UInt8](repeating: 0, count: 8))
    }

    /// Returns the bytes of an address without a port; `nil` for any other text.
    static func parsed(_ text: String) -> [UInt8]? {
        // `inet_pton` would read only the text before a NUL.
        guard !text.utf8.contains(0) else { return nil }
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: count)
            if inet_pton(family, text, &bytes) == 1 { return bytes }
        }
        return nil
    }

    /// Returns an address without its port and its interface; `nil` if the port is none.
    private static func host(_ text: Substring) -> Substring? {
        var host = text
        if host.first == "[" {
            guard let end = host.firstIndex(of: "]") else { return nil }
            guard isPort(host[host.index(after: end)...]) else { return nil }
            host = host[host.index(after: host.startIndex)..<end]
        } else if let colon = host.firstIndex(of: ":"), colon == host.lastIndex(of: ":") {
            // An IPv6 address has two colons or more.
            guard isPort(host[colon...]) else { return nil }
            host = host[..<colon]
        }
        return host.prefix { $0 != "%" }
    }

    /// Returns whether a text is empty, or a colon and a number.
    private static func isPort(_ text: Substring) -> Bool {
        guard text.first == ":" else { return text.isEmpty }
        return text.utf8.dropFirst().allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}

/// A range of addresses: one address, or a network such as `10.0.0.0/8`.
package struct AddressRange: Sendable, Hashable, CustomStringConvertible {
    private let network: [UInt8]
    /// The number of leading bits that all addresses of the range have in common.
    private let bitCount: Int

    /// Reads an address or a network.
    ///
    /// - Parameter text: an address, or an address, a slash and the number of bits of the network.
    /// - Throws: ``Mistake``, which says what is wrong.
    package init(_ text: String) throws(Mistake) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, var bytes = IPAddress.parsed(String(first)) else {
            throw Mistake(description: "expected an IP address or a network, such as 10.0.0.7 or 10.0.0.0/8")
        }
        var bits = bytes.count * 8
        if parts.count == 2 {
            guard parts[1].utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
                let given = Int(parts[1]), (0...bits).contains(given)
            else { throw Mistake(description: "expected 0 to \(bits) bits after the slash") }
            bits = given
        }
        if bytes.starts(with: IPAddress.mappedPrefix), bytes.count == 16, bits >= 96 {
            (bytes, bits) = (Array(bytes.suffix(4)), bits - 96)
        }
        network = Self.masked(bytes, bits)
        bitCount = bits
        // The rest of the address suggests that another number of bits was meant.
        guard network == bytes else {
            throw Mistake(
                description:
                    "the address has more bits than \(bits); write \(IPAddress(bytes: network))/\(bits), or leave the slash out"
            )
        }
    }

    /// A mistake in the text of a range.
    package struct Mistake: Error, CustomStringConvertible {
        package let description: String
    }

    package var description: String {
        bitCount == network.count * 8 ? "\(IPAddress(bytes: network))" : "\(IPAddress(bytes: network))/\(bitCount)"
    }

    func contains(_ address: IPAddress) -> Bool {
        address.bytes.count == network.count && Self.masked(address.bytes, bitCount) == network
    }

    /// Returns an address whose bits after the first `bitCount` are 0.
    private static func masked(_ bytes: [UInt8], _ bitCount: Int) -> [UInt8] {
        bytes.enumerated().map { index, byte in
            let bits = min(max(bitCount - index * 8, 0), 8)
            return byte & UInt8(truncatingIfNeeded: 0xff00 >> bits)
        }
    }
}

/// The proxies whose `X-Forwarded-For` header the service believes, by their addresses.
package struct TrustedProxies: Sendable, Hashable, ExpressibleByArrayLiteral {
    private let ranges: [AddressRange]

    package init(_ ranges: [AddressRange]) { self.ranges = ranges }

    package init(arrayLiteral ranges: AddressRange...) { self.ranges = ranges }

    func contains(_ address: IPAddress) -> Bool { ranges.contains { $0.contains(address) } }
}
