/// An entry of `NO_PROXY`: the hosts that are reached without the proxy.
///
/// An entry has the meaning that curl and Go give it. A port or `*.`, which only Go supports, has Go's meaning. A leading dot,
/// which curl and Go interpret differently, is ignored, as in curl.
struct ProxyException: Sendable, Hashable {
    private enum Hosts: Hashable {
        case all
        /// A host and its subdomains.
        case domain(String)
        /// The subdomains of a host, without the host itself.
        case below(String)
        /// All addresses whose first `bits` bits equal the first bits of this address.
        case addresses([UInt8], bits: Int)
        /// No host, because the entry is invalid.
        case none
    }

    private let hosts: Hosts
    /// The only port to which the entry applies; `nil` for all ports.
    private let port: Int?

    /// Parses an entry.
    ///
    /// - Parameter entry: the entry, without white space around it.
    init(_ entry: some StringProtocol) {
        var (name, port): (String, Int?) = (String(entry), nil)
        if name.hasPrefix("["), let end = name.firstIndex(of: "]") {
            let rest = name[name.index(after: end)...]
            if rest.hasPrefix(":") { port = Int(rest.dropFirst()) ?? 0 }
            name = String(name[name.index(after: name.startIndex)..<end]) + (rest.hasPrefix("/") ? rest : "")
        } else if let colon = name.firstIndex(of: ":"), colon == name.lastIndex(of: ":") {
            // An address with several colons has no port.
            port = Int(name[name.index(after: colon)...]) ?? 0
            name = String(name[..<colon])
        }
        self.port = port
        hosts = Self.hosts(name)
    }

    private static func hosts(_ name: String) -> Hosts {
        if name == "*" { return .all }
        let parts = name.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        if let address = parts.first.flatMap({ PeerName.address(String($0)) }) {
            guard parts.count == 2 else { return .addresses(address, bits: address.count * 8) }
            guard let bits = Int(parts[1]), (0...address.count * 8).contains(bits) else { return .none }
            return .addresses(address, bits: bits)
        }
        if name.hasPrefix("*.") {
            let parent = normalized(name.dropFirst(2))
            return parent.isEmpty ? .none : .below(parent)
        }
        let domain = normalized(name.hasPrefix(".") ? name.dropFirst() : name[...])
        return domain.isEmpty ? .none : .domain(domain)
    }

    /// Returns whether the entry names the endpoint's host and port.
    func matches(_ endpoint: APNsEndpoint) -> Bool {
        guard port == nil || port == endpoint.port else { return false }
        let host = Self.normalized(endpoint.host[...])
        return switch hosts {
        case .all: true
        case .none: false
        case .domain(let name): host == name || host.hasSuffix(".\(name)")
        case .below(let name): host.hasSuffix(".\(name)")
        case .addresses(let network, let bits):
            PeerName.address(host).map { Self.agree($0, network, bits: bits) } ?? false
        }
    }

    /// Returns whether two addresses, both IPv4 or both IPv6, have their first `bits` bits in common.
    private static func agree(_ address: [UInt8], _ network: [UInt8], bits: Int) -> Bool {
        guard address.count == network.count else { return false }
        return zip(address, network).enumerated().allSatisfy { index, bytes in
            let count = min(8, max(0, bits - 8 * index))
            return count == 0 || bytes.0 >> (8 - count) == bytes.1 >> (8 - count)
        }
    }

    /// Returns a name in lower case and without a trailing dot.
    private static func normalized(_ name: Substring) -> String {
        (name.hasSuffix(".") ? name.dropLast() : name).lowercased()
    }
}
