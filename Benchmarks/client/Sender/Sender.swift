import CarillonAPNs
import CarillonCore
import Foundation
import Logging

/// A program that has nothing but the client in it, for the memory that the client takes: `carillon bench client` is the
/// whole of `carillon`, whose code alone is more.
///
/// Arguments: the simulator's address, its certificate authority, its key, its team, the topic, a file of device tokens,
/// and how many notifications to send. It prints how many were accepted, and the most memory that it had, in kB.
@main struct Sender {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 8, let url = URL(string: arguments[1]), let count = Int(arguments[7]) else {
            FileHandle.standardError.write(Data("usage: sender URL CA KEY TEAM TOPIC TOKENS COUNT\n".utf8))
            exit(64)
        }
        let client = try APNsClient(
            configuration: APNsConfiguration(
                endpoint: APNsEndpoint(host: url.host() ?? "localhost", port: url.port ?? 443),
                credential: .signingKey(
                    try APNsSigningKey(pem: text(arguments[3]), keyID: "SIMKEY0001", teamID: arguments[4])),
                trustRoots: .pem(try text(arguments[2])), clock: SystemClock(), seed: .random(in: .min ... .max)),
            logger: Logger(label: "sender"))
        let tokens = try text(arguments[6]).split(separator: "\n").compactMap { DeviceToken(hex: String($0)) }
        let notifications = Notifications(tokens: tokens, topic: arguments[5], count: count)
        var accepted = 0
        for try await delivery in client.send(contentsOf: notifications) {
            if case .success(.accepted) = delivery.result { accepted += 1 }
        }
        await client.shutdown()
        let status = try text("/proc/self/status").split(separator: "\n")
        let peak = status.first { $0.hasPrefix("VmHWM:") }?.split(whereSeparator: { !$0.isNumber }).first
        print(accepted, peak ?? "0")
    }
}

extension Sender {
    private static func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    /// One message to many devices, made one by one as they are asked for.
    private struct Notifications: AsyncSequence, AsyncIteratorProtocol {
        let tokens: [DeviceToken]
        let topic: String
        let count: Int
        var number = 0
        let payload = APNsPayload(
            Data(#"{"aps":{"alert":{"title":"Breaking News!","body":"A line or two of text"}}}"#.utf8))

        func makeAsyncIterator() -> Notifications { self }

        mutating func next() async -> APNsNotification? {
            guard number < count else { return nil }
            number += 1
            return APNsNotification(
                deviceToken: tokens[number % tokens.count], topic: topic, pushType: .alert, payload: payload,
                apnsID: UUID())
        }
    }
}
