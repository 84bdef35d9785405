import CarillonCore
import HTTPTypes
import Hummingbird

/// A middleware that refuses requests that a page of another site sends with its visitor's browser.
///
/// A page of another site has no credentials of the service, but it calls from its visitor's address and network.
/// `docs/threat-model.md` has the rules and their reasons, ``LocalAccess`` decides.
struct BrowserGuard: RouterMiddleware {
    let service: ServiceContext

    func handle(
        _ request: Request, context: ServiceRequestContext,
        next: (Request, ServiceRequestContext) async throws -> Response
    ) async throws -> Response {
        // No page of another site can read an answer, so only requests that may change something are refused.
        let changesNothing = [.get, .head, .options].contains(request.method)
        if !changesNothing,
            let refusal = LocalAccess.refusalOfOtherSite(
                request.access, isProxied: service.isProxy(context.peer))
        {
            throw Problem(refusal)
        }
        return try await next(request, context)
    }
}

/// A middleware that refuses requests whose `Host` may be the name of another site (DNS rebinding).
///
/// It guards the routes that need no credentials and tell about apps. A page of another site whose name points at this service
/// could read their answers.
struct HostGuard: RouterMiddleware {
    let service: ServiceContext
    /// Whether the connections of this listener use TLS.
    ///
    /// Such a connection has proved the name to the browser.
    let isSecure: Bool
    private let access: LocalAccess

    init(service: ServiceContext, isSecure: Bool) {
        (self.service, self.isSecure) = (service, isSecure)
        access = LocalAccess(
            names: service.configuration.hostNames, takesAddresses: true, takesPrivateNames: true,
            advice: "Call this path by an IP address, or name the host with --host-name.")
    }

    func handle(
        _ request: Request, context: ServiceRequestContext,
        next: (Request, ServiceRequestContext) async throws -> Response
    ) async throws -> Response {
        // A proxy that another site's page can reach is public already.
        if !isSecure, !service.isProxy(context.peer), let refusal = access.refusalOfHost(in: request.access) {
            throw Problem(refusal)
        }
        return try await next(request, context)
    }
}

extension ServiceContext {
    /// Returns whether the other end of a connection is a trusted proxy.
    fileprivate func isProxy(_ peer: Peer?) -> Bool { peer.map(proxies.withLock { $0 }.trusts) ?? false }
}

extension Request {
    /// The header fields by which ``LocalAccess`` decides.
    fileprivate var access: LocalAccess.Request {
        LocalAccess.Request(
            host: head.authority, origin: headers[.origin],
            fetchSite: HTTPField.Name("Sec-Fetch-Site").flatMap { headers[$0] }, contentType: headers[.contentType])
    }
}

extension Problem {
    fileprivate init(_ refusal: LocalAccess.Refusal) {
        self.init(HTTPResponse.Status(code: refusal.status), "other-site", refusal.title, refusal.detail)
    }
}
