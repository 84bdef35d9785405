import Foundation

#if canImport(FoundationNetworking)  // On Linux, URLSession is a module of its own.
    import FoundationNetworking
#endif

/// The values by which the app in the shop and the app in a test differ.
public struct ParcelSettings: Sendable {
    /// The address of the Carillon service.
    public var service: URL
    /// Asks the app's backend for a sign-in token; `nil` if nobody is signed in.
    public var signInToken: @Sendable () async throws -> String?

    public init(service: URL, signInToken: @escaping @Sendable () async throws -> String?) {
        self.service = service
        self.signInToken = signInToken
    }

    /// The settings of the app in the shop, whose backend knows from a cookie which user asks.
    public static var production: ParcelSettings? {
        guard let service = URL(string: "https://push.example.com"),
            let backend = URL(string: "https://www.example.com/sign-in-token")
        else { return nil }
        return ParcelSettings(service: service) {
            let (data, answer) = try await URLSession.shared.data(from: backend)
            switch (answer as? HTTPURLResponse)?.statusCode {
            case 200: return String(decoding: data, as: UTF8.self)
            case 401: return nil
            // Thrown, because it does not mean that nobody is signed in: the SDK asks again later.
            default: throw URLError(.badServerResponse)
            }
        }
    }
}
