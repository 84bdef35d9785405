import ArgumentParser
import CarillonCore
import CarillonServer
import CommandSupport
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The options with which a command calls a running service, as a backend does.
struct ServiceOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The service's address.", valueName: "url"))
    var url = "http://127.0.0.1:8080"

    @Option(help: ArgumentHelp("The API key. (default: the environment variable CARILLON_API_KEY)", valueName: "key"))
    var key: String?

    @Option(help: ArgumentHelp("The app's bundle id, where the key is for several.", valueName: "bundle id"))
    var topic: String?

    func validate() throws {
        try ServiceAddress.check(url, schemes: ["http", "https"])
    }

    /// Calls the service and prints the answer's JSON.
    ///
    /// - Throws: an error whose description gives the reason, if the service does not answer or refuses the call.
    func perform(_ method: String, _ path: String, body: JSONValue? = nil, headers: [String: String] = [:]) async throws
    {
        try StandardOutput.write(json: try await answer(method, path, body: body, headers: headers))
    }

    /// Calls the service.
    ///
    /// The parameters of the query without a value are left out. A `name` follows the path as its last part, whatever characters
    /// it has.
    ///
    /// - Returns: the answer's JSON.
    /// - Throws: an error whose description gives the reason, if the service does not answer or refuses the call.
    func answer(
        _ method: String, _ path: String, name: String? = nil, list: String? = nil, query: [String: String?] = [:],
        body: JSONValue? = nil, headers: [String: String] = [:]
    ) async throws -> Data {
        var request = try request(method, path, name: name, list: list, query)
        request.httpBody = try body?.encoded()
        if body != nil { request.setValue("application/json", forHTTPHeaderField: "Content-Type") }
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        let answer: (data: Data, response: URLResponse)
        let challenges = ChallengeRefusal()
        let session = URLSession(configuration: .ephemeral, delegate: challenges, delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        do {
            answer = try await session.data(for: request)
        } catch {
            throw RefusedCall(
                challenges.hasRefused
                    ? "\(url) asks for a user and a password, which no service of Carillon's does: is there a proxy before it?"
                    : Self.reason(of: error, url))
        }
        let status = (answer.response as? HTTPURLResponse)?.statusCode ?? 0
        guard (200..<300).contains(status) else { throw RefusedCall(refusal: answer.data, status: status) }
        return answer.data
    }

    /// Returns a sentence about a call that got no answer.
    static func reason(of error: any Error, _ url: String) -> String {
        let cause = (error as NSError).localizedDescription
        // URLSession on Linux has no error code for an untrusted certificate, only libcurl's sentence.
        guard cause.hasPrefix("SSL certificate problem") else {
            return "no response from \(url): is the service running there?"
        }
        return
            "\(url) is not trusted: \(cause). Add the authority of its certificate to the system's, on Debian as a .crt file in "
            + "/usr/local/share/ca-certificates with 'update-ca-certificates'"
    }

    /// The characters that a part of a path may have as they are ([RFC 3986 §2.3](https://www.rfc-editor.org/rfc/rfc3986#section-2.3)).
    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    func request(
        _ method: String, _ path: String, name: String? = nil, list: String? = nil, _ query: [String: String?]
    ) throws -> URLRequest {
        let secret = key ?? ProcessInfo.processInfo.environment["CARILLON_API_KEY"] ?? ""
        let key = secret.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !key.isEmpty else {
            throw ValidationError(
                "--key is missing: an API key of 'carillon api-keys create', or set CARILLON_API_KEY")
        }
        var parts = URLComponents(string: url)
        let base = parts?.path ?? ""
        parts?.path = (base.hasSuffix("/") ? String(base.dropLast()) : base) + path
        if let name, let before = parts?.percentEncodedPath {
            let encoded = name.addingPercentEncoding(withAllowedCharacters: Self.unreserved) ?? ""
            parts?.percentEncodedPath = "\(before)/\(encoded)\(list.map { "/\($0)" } ?? "")"
        }
        var given = query.compactMapValues(\.self)
        if let topic { given["topic"] = topic }
        // URLComponents leaves "+" as it is, which a server may read as a space.
        let items = given.sorted { $0.key < $1.key }.map { URLQueryItem(name: $0.key, value: $0.value) }
        if !items.isEmpty {
            parts?.queryItems = items
            let encoded = parts?.percentEncodedQuery
            parts?.percentEncodedQuery = encoded?.replacing("+", with: "%2B")
        }
        guard let address = parts?.url else { throw ValidationError("--url: \(url) is not an address") }
        var request = URLRequest(url: address, timeoutInterval: CommandLimits.callSeconds)
        request.httpMethod = method
        request.setValue("Bearer \(key)", forHTTPHeaderField: "Authorization")
        return request
    }
}

/// Refuses URLSession's authentication challenges, for instance after a 401.
///
/// Without an answer to the challenge, URLSession on Linux would wait forever.
final class ChallengeRefusal: NSObject, URLSessionTaskDelegate {
    private let state = Mutex(false)

    /// Whether this object has refused an authentication challenge of its `URLSession` task.
    var hasRefused: Bool { state.withLock { $0 } }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        // On Apple's platforms, URLSession asks about the server's TLS certificate by a challenge too, and the system
        // answers it.
        #if !canImport(FoundationNetworking)
            if challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust {
                return completionHandler(.performDefaultHandling, nil)
            }
        #endif
        state.withLock { $0 = true }
        completionHandler(.cancelAuthenticationChallenge, nil)
    }
}

/// An error that explains why a service refused a command's request or did not answer it.
struct RefusedCall: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    init(refusal data: Data, status: Int) {
        guard let problem = try? CarillonJSON.decode(ProblemDocument.self, from: data) else {
            self.init("the server answered \(status), and is no service of Carillon's as it seems")
            return
        }
        let place = problem.pointer.map { $0.isEmpty ? "" : "\($0): " } ?? ""
        self.init("\(problem.title) (\(status)): \(place)\(problem.detail)")
    }
}
