import Articles
import CarillonAPNs
import CarillonCore
import CarillonServer
import CarillonSimulator
import Foundation
import FoundationNetworking
import Logging
import ServiceLifecycle
import TestSupport
import Testing

@testable import CarillonPhones
@testable import CommandSupport

@Suite("A push of the page that is signed with a certificate")
struct CertificatePushTests {
    private static let payload: JSONValue = #"{"aps":{"alert":"Breaking News!"}}"#

    /// The local stack without its phones, and the URL of its route for pushes.
    private func withStack(_ body: (LocalStack, URL) async throws -> APNsClient) async throws -> APNsClient {
        let folder = try TemporaryFolder()
        let logger = Logger(label: "up") { _ in SwiftLogNoOpLogHandler() }
        let stack = try await LocalStack.gather(
            LocalStackDirectory(path: folder.url.appending(path: "data").path), port: 0, apnsPort: 0, logger: logger)
        stack.service.addRoutes { PageRoutes(stack: stack, phoneHost: PhoneHost { [] }).add(to: $0) }
        let group = ServiceGroup(
            configuration: .init(
                services: [
                    .init(service: SimulatorService(simulator: stack.simulator)),
                    .init(service: APNsClientService(client: stack.apns)), .init(service: stack.certificates),
                    .init(service: stack.service),
                ], logger: logger))
        async let running: Void = group.run()
        let result: Result<APNsClient, any Error>
        do {
            result = .success(try await body(stack, try await stack.address().appending(path: "push")))
        } catch {
            result = .failure(error)
        }
        await group.triggerGracefulShutdown()
        try await running
        return try result.get()
    }

    private func push(_ json: JSONValue, to url: URL) async throws -> (status: Int, answer: JSONValue) {
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.httpBody = try json.encoded()
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        let (data, response) = try await ProgramSession.own.data(for: request)
        return (try #require(response as? HTTPURLResponse).statusCode, try JSONValue(parsing: data))
    }

    @Test("it carries no token, goes over a connection of its app's own, and APNs refuses another topic")
    func certificate() async throws {
        let client = try await withStack { stack, url in
            let tutorial = ArticleApp.tutorial.bundleID
            let token = stack.simulator.devices.issueToken(
                device: "phone-2", topic: tutorial, environment: LocalStack.environment, earlier: nil)
            _ = stack.directory.note(PhoneTokens(app: DeviceToken(token)), for: tutorial, of: "phone-2")
            for (phone, credential) in [
                ("phone-1", "key"), ("phone-1", "certificate"), ("phone-1", "certificate"), ("phone-2", "certificate"),
            ] {
                let json: JSONValue = [
                    "phone": .string(phone), "payload": Self.payload, "signed_with": .string(credential),
                ]
                #expect(try await push(json, to: url).answer["status"] == 200)
            }
            let requests = stack.simulator.requests()
            #expect(requests.map { $0.header("authorization") != nil } == [true, false, false, false])
            let connections = requests.map(\.connection)
            #expect(connections[1] == connections[2] && Set(connections).count == 3)

            let call = try await push(
                ["token": "0a0b", "payload": "{}", "push_type": "voip", "signed_with": "certificate"], to: url)
            #expect(call.answer["status"] == 400 && call.answer["reason"] == "TopicDisallowed")
            let another = try await push(
                [
                    "phone": "phone-1", "payload": Self.payload, "signed_with": "certificate",
                    "certificate": .string(tutorial),
                ], to: url)
            #expect(another.answer["status"] == 400 && another.answer["reason"] == "TopicDisallowed")
            return try await stack.certificates.client(for: LocalStack.topic)
        }
        await #expect(throws: APNsError.self, "the stack's end is its clients' end") {
            try await client.send(
                APNsNotification(
                    deviceToken: try #require(DeviceToken(hex: "0a0b")), topic: LocalStack.topic, pushType: .alert,
                    payload: APNsPayload(Data("{}".utf8)), apnsID: UUID()))
        }
    }

    @Test("a credential that there is none of is refused")
    func unknown() async throws {
        _ = try await withStack { stack, url in
            let refused = try await push(["token": "0a0b", "payload": "{}", "signed_with": "seal"], to: url)
            #expect(refused.status == 422 && refused.answer["detail"] == "signed_with is key or certificate")
            let unknown = try await push(
                ["token": "0a0b", "payload": "{}", "signed_with": "certificate", "certificate": "com.example.nobody"],
                to: url)
            #expect(unknown.status == 422)
            #expect(
                unknown.answer["detail"]?.stringValue?.hasPrefix("There is no certificate of com.example.nobody")
                    == true)
            return stack.apns
        }
    }
}
