import CarillonCore
import Foundation
import FoundationNetworking

/// A customer's backend, which calls the service over plain HTTP and JSON with an API key.
struct DemoBackend: Sendable {
    let service: URL
    let apiKey: String

    struct Answer: Sendable {
        let status: Int
        let body: JSONValue

        /// The detail or title of a problem document; otherwise the HTTP status.
        var problem: String { body["detail"]?.stringValue ?? body["title"]?.stringValue ?? "HTTP \(status)" }
    }

    func send(_ message: JSONValue) async throws -> Answer {
        try await call("POST", "/v1/notifications", body: message)
    }

    func recall(_ id: String) async throws -> Answer { try await call("DELETE", "/v1/notifications/\(id)") }

    private func call(_ method: String, _ path: String, body: JSONValue? = nil) async throws -> Answer {
        guard let url = URL(string: path, relativeTo: service) else { throw DemoFailure("\(path) is not a valid path") }
        var request = URLRequest(url: url, timeoutInterval: 10)
        request.httpMethod = method
        request.setValue("Bearer \(apiKey)", forHTTPHeaderField: "Authorization")
        if let body {
            request.httpBody = try body.encoded()
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        let (data, response) = try await URLSession.shared.data(for: request)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        return Answer(status: status, body: data.isEmpty ? .null : try JSONValue(parsing: data))
    }
}
