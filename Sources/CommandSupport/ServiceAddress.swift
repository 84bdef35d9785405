import ArgumentParser
import Foundation

/// Checks the address of a service, as the value of the option `--url`.
package enum ServiceAddress {
    /// Checks that a text is the address of a server that this program can call.
    ///
    /// - Parameters:
    ///   - url: the text.
    ///   - schemes: the accepted schemes, such as `http`.
    /// - Throws: an error whose description names the option and the remedy.
    package static func check(_ url: String, schemes: Set<String>) throws {
        guard let address = URL(string: url), let scheme = address.scheme, schemes.contains(scheme),
            let host = address.host
        else { throw ValidationError("--url: \(url) is not an address like http://127.0.0.1:8080") }
        #if os(Linux)
            // https://github.com/swiftlang/swift-corelibs-foundation/issues/5496
            guard !host.utf8.contains(UInt8(ascii: ":")) else {
                throw ValidationError(
                    "--url: \(url): give a host name in the place of the IPv6 address, which Foundation on Linux cannot "
                        + "call")
            }
        #endif
    }
}
