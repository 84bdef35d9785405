import ArgumentParser
import CarillonAPNs
import CarillonCore
import CommandSupport
import Foundation
import ServiceSupport

/// `carillon push`: sends one payload directly to APNs, to a device token or to a channel.
struct PushCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "push",
        abstract: "Sends one payload to one device token or channel, through Apple's APNs or the simulator.",
        discussion: """
            The payload is sent unchanged; check it first with 'carillon validate'. Exit status: 0 when APNs accepted it, \
            1 when APNs rejected it or it was not sent, 2 when it may have been sent and the result is unknown.

            Examples:
              carillon push --token 8f3c… --topic com.example.chime --payload news.json \\
                --key AuthKey_ABC123DEFG.p8 --team-id TEAM123456
              echo '{"aps":{"alert":"Breaking News!"}}' | carillon push --payload - \\
                --token 8f3c… --topic com.example.chime --key AuthKey_ABC123DEFG.p8 \\
                --team-id TEAM123456 --url https://localhost:2197 --ca ca.pem
              carillon push --token 8f3c… --topic com.example.chime --payload news.json \\
                --certificate chime.p12
              echo '{"aps":{"timestamp":'$(date +%s)',"event":"update","content-state":{"score":1}}}' | carillon push \\
                --token 9a7d… --topic com.example.chime --push-type liveactivity --payload - \\
                --key AuthKey_ABC123DEFG.p8 --team-id TEAM123456
              carillon push --channel dHN0LXNyY2gtY2hubA== --topic com.example.chime \\
                --payload score.json --key AuthKey_ABC123DEFG.p8 --team-id TEAM123456
            """)

    @Option(help: ArgumentHelp("The device token, in hexadecimal.", valueName: "hex"))
    var token: String?

    @Option(
        help: ArgumentHelp(
            "Instead of a token: the id of a broadcast channel; see 'carillon channels'.", valueName: "id"))
    var channel: String?

    @Option(
        help: ArgumentHelp(
            "The app's bundle id; the push type's suffix, such as .voip, is added unless the topic ends with it already.",
            valueName: "bundle id"))
    var topic: String

    @Option(help: ArgumentHelp("A JSON file, or - for standard input.", valueName: "file"))
    var payload: String

    @OptionGroup(title: "Credential") var credential: CredentialOptions

    @Option(
        help:
            "alert, background, voip, … (default: the one that fits: mdm for that key, background if silent, else alert)"
    )
    var pushType: PushType?

    @Option(
        help:
            "10: immediately; 5: saves power; 1: never wakes the phone. Background pushes need 5 or 1. (default: 10, background 5)"
    )
    var priority: APNsPriority?

    @Option(
        help: ArgumentHelp(
            "How many seconds APNs may store it; 0: one attempt only. (default: APNs decides; with --channel 0)",
            valueName: "s"))
    var expiresIn: Int?

    @Option(help: ArgumentHelp("At most 64 bytes; replaces the notification that has the same id.", valueName: "id"))
    var collapseID: String?

    @OptionGroup(title: "APNs") var endpoint: EndpointOptions

    @Flag(help: "Print one JSON object.")
    var json = false

    func validate() throws {
        guard (expiresIn ?? 0) >= 0 else { throw ValidationError("--expires-in must be 0 seconds or more") }
        guard (token == nil) != (channel == nil) else {
            throw ValidationError(
                token == nil ? "--token or --channel is missing" : "use either --token or --channel, not both")
        }
        guard channel == nil || collapseID == nil else {
            throw ValidationError("--collapse-id is for --token: a channel keeps its latest broadcast by itself")
        }
        guard channel == nil || [nil, .liveactivity].contains(pushType) else {
            throw ValidationError("--push-type: a broadcast is always of type liveactivity")
        }
    }

    func run() async throws {
        let clock = SystemClock()
        let push = try makePush(now: clock.now)
        let credential = try credential.credential()
        credential.warn(at: clock.now)
        let client = try endpoint.client(credential, at: try endpoint.endpoint(), clock: clock)
        let report: PushReport
        do {
            switch push {
            case .notification(let notification):
                report = PushReport(
                    try await client.send(notification),
                    topic: PushTopic(given: topic, pushType: notification.pushType))
            case .broadcast(let broadcast): report = PushReport(try await client.send(broadcast))
            }
        } catch {
            report = PushReport(error)
        }
        await client.shutdown()
        try StandardOutput.write(try report.printed(asJSON: json))
        if report.exitCode != .success { throw report.exitCode }
    }

    private enum Push {
        case notification(APNsNotification)
        case broadcast(APNsBroadcast)
    }

    private func makePush(now: Timestamp) throws -> Push {
        guard let channel else { return .notification(try makeNotification(now: now)) }
        let data = try payloadData()
        _ = try Self.pushType(for: data, from: payload)
        return .broadcast(
            APNsBroadcast(
                channelID: channel, bundleID: PushTopic(given: topic, pushType: .liveactivity).bundleID,
                payload: APNsPayload(data), priority: priority ?? .immediate,
                expiration: expiresIn == nil ? .oneAttempt : expiration(now: now), requestID: UUID()))
    }

    private func payloadData() throws -> Data {
        try CommandFile.dataOrInput(at: payload, option: "--payload")
    }

    private func makeNotification(now: Timestamp) throws -> APNsNotification {
        guard let token = token.flatMap({ DeviceToken(hex: $0) }) else {
            throw ValidationError(
                "--token is not a device token: expected 1–\(DeviceToken.byteLimit) bytes in hexadecimal")
        }
        let data = try payloadData()
        let pushType = try pushType ?? Self.pushType(for: data, from: payload)
        return APNsNotification(
            deviceToken: token, topic: PushTopic(given: topic, pushType: pushType).sent, pushType: pushType,
            payload: APNsPayload(data), priority: priority, expiration: expiration(now: now), collapseID: collapseID,
            apnsID: UUID())
    }

    private func expiration(now: Timestamp) -> APNsExpiration {
        switch expiresIn {
        case nil: .unspecified
        case 0: .oneAttempt
        case let seconds?: .at(now + .seconds(seconds))
        }
    }

    /// Returns the push type that fits the payload.
    ///
    /// The function parses the payload only for this purpose; the command sends the payload's bytes unchanged.
    private static func pushType(for data: Data, from path: String) throws -> PushType {
        do {
            return PushType.fitting(try JSONValue(parsing: data).members ?? [:])
        } catch {
            throw ValidationError("--payload \(path): \(error)")
        }
    }
}

extension PushType: ExpressibleByArgument {}
extension APNsPriority: ExpressibleByArgument {}
