import ArgumentParser
import CarillonAPNs
import CarillonCore
import CommandSupport
import Foundation
import Logging
import ServiceSupport

/// The option for an HTTP proxy, for networks that reach APNs only through a proxy.
struct ProxyOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The HTTP proxy through which APNs is reached: http://user:password@host:3128; 'none' for no proxy. (default: the environment variables HTTPS_PROXY or ALL_PROXY, and NO_PROXY)",
            valueName: "url"))
    var proxy: String?

    /// Returns the proxy for an endpoint, from the option or the environment; `nil` for none.
    ///
    /// - Throws: an error whose description names the option or the variable. The description never contains the
    ///   password.
    func proxy(for endpoint: APNsEndpoint) throws -> APNsProxy? {
        guard proxy != "none" else { return nil }
        do {
            if let proxy { return try APNsProxy(url: proxy) }
            return try APNsProxy.named(for: endpoint, in: ProcessInfo.processInfo.environment)
        } catch {
            throw ValidationError("\(proxy == nil ? "HTTPS_PROXY or ALL_PROXY" : "--proxy"): \(error)")
        }
    }
}

/// The options for APNs' address and the time limit, for every command that sends to APNs.
struct EndpointOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The address of APNs, for example https://localhost:2197. (default: Apple's)", valueName: "url"))
    var url: String?

    @Flag(help: "Use Apple's sandbox, for apps run from Xcode. (default: production)")
    var sandbox = false

    @Option(help: ArgumentHelp("The certificate authority to trust instead of the system's (PEM).", valueName: "file"))
    var ca: String?

    @OptionGroup var proxy: ProxyOption

    @Option(help: ArgumentHelp("Give up after this many seconds.", valueName: "s"))
    var timeout = 30

    func validate() throws {
        guard !sandbox || url == nil else { throw ValidationError("use either --sandbox or --url, not both") }
        guard (1...600).contains(timeout) else { throw ValidationError("--timeout must be between 1 and 600 seconds") }
    }

    /// Returns the endpoint for pushes, as selected by the options.
    ///
    /// - Throws: an error whose description names the option and the expected form of its value.
    func endpoint() throws -> APNsEndpoint {
        if let url { return try APNsEndpoint(url: url, option: "--url") }
        return sandbox ? .sandbox : .production
    }

    /// Returns the endpoint at which channels are managed, as selected by the options.
    ///
    /// Apple's hosts for managing channels differ from its hosts for pushes. Any other server has one address for both.
    ///
    /// - Throws: an error whose description names the option and the expected form of its value.
    func channelEndpoint() throws -> APNsEndpoint {
        if let url { return try APNsEndpoint(url: url, option: "--url") }
        return sandbox ? .sandboxChannels : .productionChannels
    }

    /// Makes a client for a few pushes, without log output.
    func client(
        _ credential: APNsCredential, at endpoint: APNsEndpoint, clock: any CarillonClock
    ) throws -> APNsClient {
        let trustRoots: APNsTrustRoots =
            if let ca { .pem(try CommandFile.pem(at: ca, option: "--ca")) } else { .system }
        return try APNsClient(
            configuration: APNsConfiguration(
                endpoint: endpoint, credential: credential, trustRoots: trustRoots, clock: clock,
                seed: UInt64.random(in: .min ... .max), defaultDeadline: .seconds(timeout),
                proxy: try proxy.proxy(for: endpoint)),
            logger: Logger(label: "carillon") { _ in SwiftLogNoOpLogHandler() })
    }
}
