import CarillonCore
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The health of a running service, decoded from the service's answer to `GET /healthz`.
struct RunningHealth: Decodable {
    private struct Notice: Decodable {
        var app: String?
        var listener: String?
        var reason: String?
        var advice: String

        var subject: String { app ?? listener ?? "the service" }
    }

    private var status: String
    private var reason: String?
    private var alarms: [Notice]
    private var warnings: [Notice]
    private var setAside: Int

    private enum CodingKeys: String, CodingKey {
        case status, reason, alarms, warnings
        case setAside = "set_aside"
    }

    /// Asks the service that listens at an address for its health.
    ///
    /// - Parameters:
    ///   - place: the address at which the service listens.
    ///   - isSecure: whether the service speaks TLS at this address.
    /// - Returns: the health; `nil` if no answer comes in time, or the answer is not that of Carillon's service.
    static func of(_ place: ServeCommand.Place, isSecure: Bool) async -> RunningHealth? {
        // Foundation on Linux cannot call an address of IPv6.
        let host = ["0.0.0.0", "::", "::1"].contains(place.host) ? "localhost" : place.host
        var address = URLComponents()
        (address.scheme, address.host, address.port) = (isSecure ? "https" : "http", host, place.port)
        address.path = "/healthz"
        guard let url = address.url else { return nil }
        let session = URLSession(
            configuration: .ephemeral, delegate: ChallengeRefusal(), delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        let request = URLRequest(url: url, timeoutInterval: CommandLimits.healthSeconds)
        guard let (data, _) = try? await session.data(for: request) else { return nil }
        return try? CarillonJSON.decode(RunningHealth.self, from: data)
    }

    /// The health as results of `carillon serve --check`.
    ///
    /// The results are the service's status, its alarms and warnings, and the number of deliveries that it cannot decode.
    var findings: [ServeCheck.Finding] {
        let trouble = alarms.map {
            ServeCheck.Finding(.error, "\($0.subject) cannot send: \($0.reason ?? "unknown"). \($0.advice)")
        }
        let others = warnings.map { ServeCheck.Finding(.warning, "\($0.subject): \($0.advice)") }
        let aside =
            setAside > 0
            ? [ServeCheck.Finding(.warning, "\(setAside) deliveries cannot be decoded: see 'carillon db check'")] : []
        let words = [status, reason].compactMap(\.self).joined(separator: ": ")
        return [.init(status == "ok" ? .ok : .warning, "the running service says: \(words)")] + trouble + others
            + aside
    }
}
