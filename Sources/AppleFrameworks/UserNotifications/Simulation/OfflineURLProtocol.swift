import Foundation
import FoundationNetworking

/// A URL protocol that makes an app's requests on an offline phone fail with `URLError.notConnectedToInternet`.
///
/// The phone adds it to every session that an app makes, and registers it with the URL loading system for Foundation's shared
/// session. A request fails if the phone whose code makes it is offline; requests from outside any phone are not affected.
@_spi(Simulation) public final class OfflineURLProtocol: URLProtocol {
    /// Whether this class is registered with the URL loading system; reading the value registers the class once.
    public static let isRegistered = URLProtocol.registerClass(OfflineURLProtocol.self)

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
