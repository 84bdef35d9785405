import CarillonCore
import CarillonServer
import Foundation
import FoundationNetworking
import Logging
import NIOCore
import ServiceLifecycle
import TestSupport
import Testing

@testable import CarillonPhones
@testable import CommandSupport

enum StackWithoutPhones {
    /// Runs the service of the local stack and what keeps its page current, without phones.
    static func run(in folder: TemporaryFolder, _ body: (LocalStack) async throws -> Void) async throws {
        let logger = Logger(label: "up") { _ in SwiftLogNoOpLogHandler() }
        let stack = try await LocalStack.gather(
            LocalStackDirectory(path: folder.url.appending(path: "data").path), port: 0, apnsPort: 0, logger: logger)
        let services: [any Service] = [
            SimulatorService(simulator: stack.simulator), APNsClientService(client: stack.apns), stack.certificates,
            stack.service, stack.tracker,
        ]
        let group = ServiceGroup(
            configuration: .init(services: services.map { .init(service: $0) }, logger: logger))
        async let running: Void = group.run()
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(stack))
        } catch {
            result = .failure(error)
        }
        await group.triggerGracefulShutdown()
        try await running
        try result.get()
    }

    /// Sends a message to the phones' user, and returns when a page shows it.
    static func send(_ id: String, _ stack: LocalStack) async throws -> String {
        let events = try #require(stack.pageState.subscribe())
        var request = URLRequest(url: try await stack.address().appending(path: "v1/notifications"))
        request.httpMethod = "POST"
        request.httpBody = Data(
            #"{"id":"\#(id)","to":{"user":"\#(LocalStack.user)"},"payload":{"aps":{"alert":"Hello"}}}"#.utf8)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue("Bearer \(stack.apiKey)", forHTTPHeaderField: "Authorization")
        let (_, response) = try await ProgramSession.own.data(for: request)
        try #require((response as? HTTPURLResponse)?.statusCode == 202)
        var told = ""
        for await event in events {
            told += String(decoding: event.bytes.readableBytesView, as: UTF8.self)
            if told.contains("\"id\":\"\(id)\"") { break }
        }
        return told
    }
}
