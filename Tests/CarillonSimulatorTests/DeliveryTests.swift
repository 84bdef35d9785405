import CarillonCore
import Foundation
import Synchronization
import Testing

@testable import CarillonSimulator

/// The pushes that were handed to a device.
private final class ReceivedPushes: Sendable {
    private let state = Mutex<[SimulatorPush]>([])
    var pushes: [SimulatorPush] { state.withLock { $0 } }
    func receive(_ push: SimulatorPush) { state.withLock { $0.append(push) } }
}

@Suite("Delivery over a real connection, sent by httpx and PyJWT")
struct DeliveryTests {
    @Test("a push reaches the connected device as it was sent, byte for byte")
    func delivered() async throws {
        try await SimulatorFixture.with { fixture in
            let (token, received) = (fixture.token(), ReceivedPushes())
            fixture.simulator.devices.connect(device: "phone", deliver: received.receive)
            let body = #"{ "aps" : {"alert":"Grüß dich"}, "carillon": 1 }"#
            let answers = try await ForeignSender(fixture: fixture).send([
                .alert(to: token, replacing: ["apns-collapse-id": "news-1", "apns-priority": "5"], body: body)
            ])
            #expect(answers.map(\.status) == [200])
            #expect(answers.first?.body == "")
            let push = try #require(received.pushes.first)
            #expect(received.pushes.count == 1)
            #expect(push.payload == Data(body.utf8))
            #expect(push.token == token)
            #expect(push.topic == SimulatorFixture.bundleID)
            #expect(push.pushType == .alert)
            #expect(push.collapseID == "news-1")
            #expect(push.priority == 5)
            #expect(answers.first?.headers["apns-id"] == push.apnsID.uuidString)
        }
    }

    @Test("while the device is offline the newest push waits, and is handed over at connect")
    func stored() async throws {
        try await SimulatorFixture.with { fixture in
            let (token, received) = (fixture.token(), ReceivedPushes())
            _ = try await ForeignSender(fixture: fixture).send([
                .alert(to: token, body: #"{"aps":{"alert":"one"}}"#),
                .alert(to: token, body: #"{"aps":{"alert":"two"}}"#),
            ])
            fixture.simulator.devices.connect(device: "phone", deliver: received.receive)
            #expect(
                received.pushes.map { String(decoding: $0.payload, as: UTF8.self) } == [#"{"aps":{"alert":"two"}}"#])
            let until = SimulatorFixture.start + DeliveryRules.longestStorage
            #expect(
                fixture.deviceEvents.map(\.kind) == [
                    .stored(.offline, until: until), .discarded(.replaced), .stored(.offline, until: until),
                    .delivered(late: false),
                ])
        }
    }

    @Test("a push whose expiration passes while it waits is discarded, and the journal says why")
    func expired() async throws {
        try await SimulatorFixture.with { fixture in
            let (token, received) = (fixture.token(), ReceivedPushes())
            let end = SimulatorFixture.start + .seconds(60)
            _ = try await ForeignSender(fixture: fixture).send([
                .alert(to: token, replacing: ["apns-expiration": "\(end.secondsSince1970)"])
            ])
            fixture.clock.advance(by: .seconds(60))
            fixture.simulator.devices.connect(device: "phone", deliver: received.receive)
            #expect(received.pushes.isEmpty)
            #expect(fixture.deviceEvents.map(\.kind) == [.stored(.offline, until: end), .discarded(.expired)])
        }
    }

    @Test("with the expiry rule on late, an expired push is handed over and marked as late")
    func late() async throws {
        try await SimulatorFixture.with({ $0.delivery.expiry = .late }) { fixture in
            let (token, received) = (fixture.token(), ReceivedPushes())
            let end = SimulatorFixture.start + .seconds(60)
            _ = try await ForeignSender(fixture: fixture).send([
                .alert(to: token, replacing: ["apns-expiration": "\(end.secondsSince1970)"])
            ])
            fixture.clock.advance(by: .seconds(61))
            fixture.simulator.devices.connect(device: "phone", deliver: received.receive)
            #expect(received.pushes.count == 1)
            #expect(fixture.deviceEvents.last?.kind == .delivered(late: true))
            #expect(fixture.simulator.devices.summary(of: "phone")?.tally.deliveredLate == 1)
        }
    }

    @Test("expiration 0 is one attempt: an offline device never sees the push")
    func oneAttempt() async throws {
        try await SimulatorFixture.with { fixture in
            let (token, received) = (fixture.token(), ReceivedPushes())
            let answers = try await ForeignSender(fixture: fixture).send([
                .alert(to: token, replacing: ["apns-expiration": "0"])
            ])
            #expect(answers.map(\.status) == [200])
            fixture.simulator.devices.connect(device: "phone", deliver: received.receive)
            #expect(received.pushes.isEmpty)
            #expect(fixture.deviceEvents.map(\.kind) == [.discarded(.oneAttempt)])
        }
    }

    @Test("a device that comes back before its old connection is noticed to be gone stays online")
    func reattachment() async throws {
        try await SimulatorFixture.with { fixture in
            let got = Mutex(0)
            let old = fixture.simulator.devices.attach(device: "phone") { _ in }
            fixture.simulator.devices.connect(device: "phone") { _ in got.withLock { $0 += 1 } }
            await fixture.simulator.devices.detach(old)
            _ = try await ForeignSender(fixture: fixture).send([.alert(to: fixture.token())])
            #expect(got.withLock { $0 } == 1)
        }
    }

    @Test("nothing is handed over after disconnect has returned")
    func disconnected() async throws {
        try await SimulatorFixture.with { fixture in
            let (token, received) = (fixture.token(), ReceivedPushes())
            fixture.simulator.devices.connect(device: "phone", deliver: received.receive)
            await fixture.simulator.devices.disconnect(device: "phone")
            _ = try await ForeignSender(fixture: fixture).send([.alert(to: token)])
            #expect(received.pushes.isEmpty)
        }
    }
}
