import CarillonCore
import Foundation
import Synchronization
import Testing

@testable import CarillonSimulator

@Suite("Devices that follow broadcast channels")
struct FollowingTests {
    private static let path = "/1/apps/\(SimulatorFixture.bundleID)/channels"

    private func channel(_ sender: ForeignSender, storing: Bool) async throws -> String {
        let body = #"{"message-storage-policy":\#(storing ? 1 : 0),"push-type":"LiveActivity"}"#
        let answers = try await sender.send([ForeignSender.Request(path: Self.path, body: body)])
        return try #require(answers.first?.headers["apns-channel-id"])
    }

    private func broadcast(_ text: String, to channel: String, expiration: String) -> ForeignSender.Request {
        ForeignSender.Request(
            path: "/4/broadcasts/apps/\(SimulatorFixture.bundleID)",
            headers: [
                ("apns-channel-id", channel), ("apns-push-type", "liveactivity"), ("apns-expiration", expiration),
            ], body: #"{"aps":{"event":"\#(text)"}}"#)
    }

    private func attach(_ device: String, on fixture: SimulatorFixture, to log: Log) {
        fixture.simulator.devices.connect(device: device) { log.append($0) }
    }

    @Test("a broadcast reaches every device that follows the channel and no other, without a device token")
    func reaches() async throws {
        try await SimulatorFixture.with { fixture in
            let (sender, log) = (ForeignSender(fixture: fixture), Log())
            let (mine, other) = (try await channel(sender, storing: false), try await channel(sender, storing: false))
            for (device, channels) in [("a", [mine]), ("b", [mine, other]), ("c", [other]), ("d", [])] {
                attach(device, on: fixture, to: log)
                try fixture.simulator.followChannels(channels, topic: SimulatorFixture.bundleID, device: device)
            }
            let answers = try await sender.send([broadcast("goal", to: mine, expiration: "0")])
            #expect(answers.map(\.status) == [200])
            #expect(log.pushes.map(\.device) == ["a", "b"])
            let push = try #require(log.pushes.first)
            #expect(push.channelID == mine && push.token == nil && push.pushType == .liveactivity)
            #expect(
                push.bundleID == SimulatorFixture.bundleID
                    && push.topic == "\(SimulatorFixture.bundleID).push-type.liveactivity")
            #expect(String(decoding: push.payload, as: UTF8.self) == #"{"aps":{"event":"goal"}}"#)
            #expect(push.apnsID.uuidString.lowercased() == answers[0].headers["apns-request-id"]?.lowercased())
        }
    }

    @Test("storage policy 1 keeps the most recent broadcast for a follower who is offline, 0 keeps none")
    func storage() async throws {
        try await SimulatorFixture.with { fixture in
            let (sender, log) = (ForeignSender(fixture: fixture), Log())
            let (keeping, passing) = (
                try await channel(sender, storing: true), try await channel(sender, storing: false)
            )
            try fixture.simulator.followChannels([keeping, passing], topic: SimulatorFixture.bundleID, device: "phone")
            let token = fixture.token()
            let later = "\(SimulatorFixture.start.secondsSince1970 + 3600)"
            let answers = try await sender.send([
                .alert(to: token), broadcast("1", to: keeping, expiration: later),
                broadcast("2", to: keeping, expiration: later), broadcast("3", to: passing, expiration: "0"),
            ])
            #expect(answers.map(\.status) == [200, 200, 200, 200])
            attach("phone", on: fixture, to: log)
            // The alert keeps its own place.
            #expect(log.texts == [#"{"aps":{"alert":"Hello"}}"#, #"{"aps":{"event":"2"}}"#])
            let tally = try #require(fixture.simulator.devices.summary(of: "phone")?.tally)
            #expect(tally.discarded == [.replaced: 1, .oneAttempt: 1] && tally.delivered == 2)
        }
    }

    @Test("who follows no longer, has deleted the app, or whose channel is deleted gets nothing, not even what waited")
    func over() async throws {
        try await SimulatorFixture.with { fixture in
            let (sender, log) = (ForeignSender(fixture: fixture), Log())
            let id = try await channel(sender, storing: true)
            for device in ["left", "deleted", "stays"] {
                try fixture.simulator.followChannels([id], topic: SimulatorFixture.bundleID, device: device)
            }
            try fixture.simulator.followChannels([], topic: SimulatorFixture.bundleID, device: "left")
            fixture.simulator.devices.invalidate(fixture.token(device: "deleted").data)
            _ = try await sender.send([
                broadcast("1", to: id, expiration: "\(SimulatorFixture.start.secondsSince1970 + 60)")
            ])
            #expect(fixture.simulator.devices.summaries().filter { $0.storedCount > 0 }.map(\.device) == ["stays"])
            _ = try await sender.send([
                ForeignSender.Request(method: "DELETE", path: Self.path, headers: [("apns-channel-id", id)], body: "")
            ])
            for device in ["left", "deleted", "stays"] { attach(device, on: fixture, to: log) }
            #expect(log.pushes.isEmpty)
            #expect(throws: SimulatorError.self) {
                try fixture.simulator.followChannels([id], topic: SimulatorFixture.bundleID, device: "late")
            }
        }
    }

    @Test("a device attached over the admin port follows there, and is told when a channel does not exist")
    func overAdminPort() async throws {
        try await SimulatorFixture.with({ $0.adminPort = 0 }) { fixture in
            let sender = ForeignSender(fixture: fixture)
            let id = try await channel(sender, storing: true)
            let url = try #require(fixture.simulator.adminURL)
            func follow(_ channel: String) -> JSONValue {
                [
                    "method": "PUT", "path": "/devices/phone/channels",
                    "body": ["topic": .string(SimulatorFixture.bundleID), "channels": [.string(channel)]],
                ]
            }
            _ = try await ForeignProgram.python(
                "admin.py", input: ["url": .string(url), "steps": [follow(id)]])
            _ = try await sender.send([
                broadcast("1", to: id, expiration: "\(SimulatorFixture.start.secondsSince1970 + 60)")
            ])
            let answers = try await ForeignProgram.python(
                "admin.py",
                input: [
                    "url": .string(url),
                    "steps": [
                        follow("AAAA"), ["method": "GET", "path": "/devices/phone"], ["attach": "phone"],
                        ["take": "phone", "count": 1], ["method": "GET", "path": "/devices/nobody"],
                    ],
                ]
            ).arrayValue
            #expect(answers?.first?["status"] == 400)
            #expect(answers?.first?["body"]?["detail"]?.stringValue?.contains("has no channel AAAA") == true)
            #expect(answers?[1]["body"]?["waiting"]?.arrayValue?.first?["cause"] == "offline")
            #expect(answers?[2].arrayValue?.first?["channel"] == .string(id))
            #expect(answers?[3]["status"] == 404)
            try await followTogether(id, fixture: fixture, url: url)
        }
    }
}

extension FollowingTests {
    /// Three devices at once follow the channel, and then nothing.
    private func followTogether(_ id: String, fixture: SimulatorFixture, url: String) async throws {
        for (channels, followers) in [([JSONValue.string(id)], 4), ([], 1)] {
            let step: JSONValue = [
                "method": "PUT", "path": "/fleet/channels",
                "body": [
                    "prefix": "f-", "count": 3, "topic": .string(SimulatorFixture.bundleID),
                    "channels": .array(channels),
                ],
            ]
            let answers = try await ForeignProgram.python(
                "admin.py", input: ["url": .string(url), "steps": [step, step]])
            #expect(answers.arrayValue?.map { $0["status"] } == [204, 204])
            let store = fixture.simulator.devices.store
            #expect(store.followers.values.map(\.count) == [followers], "twice is once")
            #expect(store.following.count == followers)
        }
    }
}

/// The pushes that a device received.
private final class Log: Sendable {
    private let state = Mutex<[SimulatorPush]>([])
    var pushes: [SimulatorPush] { state.withLock { $0 } }
    var texts: [String] { pushes.map { String(decoding: $0.payload, as: UTF8.self) } }
    func append(_ push: SimulatorPush) { state.withLock { $0.append(push) } }
}
