import Foundation
import FoundationNetworking
@_spi(Simulation) import UserNotifications

/// Makes the requests of an app on an offline phone fail as in aeroplane mode: `URLError.notConnectedToInternet`.
///
/// Registered with the URL loading system when the first phone is made, which covers `URLSession.shared`. A request
/// belongs to the phone whose code has made it; requests from outside of any phone are let through.
///
/// Differs from iOS: a session made from a configuration of its own is covered only if that configuration's
/// `protocolClasses` begins with this class, since Foundation on Linux does not ask registered classes there; and what is
/// already under way when the phone goes offline is not cut off.
public final class OfflineURLProtocol: URLProtocol {
    static let isRegistered = URLProtocol.registerClass(OfflineURLProtocol.self)

    public override class func canInit(with request: URLRequest) -> Bool {
        guard let scheme = request.url?.scheme?.lowercased(), ["http", "https"].contains(scheme) else { return false }
        return SimulatedDevices.current.map { !$0.isOnline } ?? false
    }

    public override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    public override func startLoading() {
        client?.urlProtocol(self, didFailWithError: URLError(.notConnectedToInternet))
    }

    public override func stopLoading() {}
}
