import CarillonCore
import Foundation
import FoundationNetworking
import TestSupport
import Testing

@testable import CommandSupport
@testable import ServiceSupport

/// `carillon serve` in a process of its own, which takes requests and sends nothing.
struct ServiceProgram: Sendable {
    static let topic = "com.example.chime"

    /// The folder of `--data`.
    let folder: TemporaryFolder
    /// The address at which it answers.
    let base: URL

    /// - Parameter options: options of `serve` besides those that every test needs.
    static func run(_ options: [String] = [], _ body: (ServiceProgram) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let program = try RunningProgram(
            [
                "serve", "--data", folder.url.path, "--topic", topic, "--role", "api", "--port", "0",
            ] + options)
        let result: Result<Void, any Error>
        do {
            let service = ServiceProgram(folder: folder, base: try await address(program))
            result = .success(try await body(service))
        } catch {
            result = .failure(error)
        }
        _ = await program.interrupt()
        try result.get()
    }

    /// Waits until a service is ready, and returns its address.
    static func address(_ program: RunningProgram) async throws -> URL {
        for await line in program.lines where line.hasPrefix(ReadyLine.prefix) {
            return try #require(URL(string: String(line.dropFirst(ReadyLine.prefix.count))))
        }
        throw MissingProgram(path: "a service that is ready")
    }

    /// Runs a command about what the service has, such as `sign-in-keys create`, and reads what it prints as JSON.
    @discardableResult
    func command(_ name: String, _ subcommand: String, _ arguments: String...) async throws -> JSONValue? {
        let run = try await CarillonProgram.run(
            [name, subcommand, "--data", folder.url.path, "--topic", Self.topic] + arguments)
        try #require(run.status == 0, "\(run.transcript)")
        return try? JSONValue(parsing: run.output)
    }

    /// Registers a new installation, and returns the answer's status.
    ///
    /// - Parameter proxied: the client's address, as a proxy names it; `nil` for none.
    static func register(_ name: String, for proxied: String? = nil, at base: URL) async throws -> Int {
        let body: JSONValue = [
            "installation": .string(name), "secret": .string(String(repeating: "5e", count: 32)),
            "topic": .string(topic), "environment": "sandbox", "permission": "authorized",
            "token": .string(Data(name.utf8).hexadecimal),
        ]
        var request = URLRequest(url: base.appending(path: "v1/devices"))
        request.httpMethod = "POST"
        request.httpBody = try body.encoded()
        if let proxied { request.setValue(proxied, forHTTPHeaderField: "X-Forwarded-For") }
        let (_, response) = try await ProgramSession.own.data(for: request)
        return try #require(response as? HTTPURLResponse).statusCode
    }

    /// Registers a new installation with a sign-in token, as the SDK does.
    func register(_ installation: String, signInToken: String) async throws -> (status: Int, json: JSONValue) {
        let body: JSONValue = [
            "installation": .string(installation), "secret": .string(String(repeating: "5e", count: 32)),
            "topic": .string(Self.topic), "environment": "sandbox", "permission": "authorized",
            "token": .string(Data(installation.utf8).hexadecimal), "sign_in_token": .string(signInToken),
        ]
        var request = URLRequest(url: base.appending(path: "v1/devices"))
        request.httpMethod = "POST"
        request.httpBody = try body.encoded()
        let (data, response) = try await ProgramSession.own.data(for: request)
        return (try #require(response as? HTTPURLResponse).statusCode, try JSONValue(parsing: data))
    }
}
