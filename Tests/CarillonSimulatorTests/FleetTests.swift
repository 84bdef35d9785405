import CarillonCore
import Foundation
import NIOCore
import Synchronization
import Testing

@testable import CarillonSimulator

@Suite("A fleet")
struct FleetTests {
    @Test("a device with a push that waits takes less than 10 KB, so that 100,000 fit into 1 GB")
    func memory() throws {
        let count = 20_000
        let payload = #"{"aps":{"alert":"Hello"},"padding":"\#(String(repeating: "x", count: 300))"}"#
        let least = count * payload.utf8.count
        var used = 0
        // Tests that end at that moment give memory back, which hides what the fleet takes.
        for _ in 0..<5 where used <= least { used = try usedBytes(count, payload) }
        #expect(used < count * 10_000, "\(used / count) bytes a device")
        #expect(used > least, "the measurement is off: \(used / count) bytes a device")
    }

    /// Returns the bytes of memory that a fleet takes, whose devices have a waiting push each.
    private func usedBytes(_ count: Int, _ payload: String) throws -> Int {
        let fleet = DeviceFleet(
            rules: DeliveryRules(), tokenByteCount: 32,
            clock: ManualClock(start: Timestamp(secondsSince1970: 1_790_000_000)), generator: SeededGenerator(seed: 1),
            journal: Journal(limit: 0), counters: Counters())
        let before = try residentByteCount()
        let request = PushRequest(
            topic: "app", bundleID: "app", pushType: .alert, priority: 10, expiration: .unspecified,
            rule: PushTypeRule())
        for index in 0..<count {
            let token = fleet.issueToken(device: "phone-\(index)", topic: "app", environment: .sandbox)
            try fleet.submit(
                request, to: RequestTarget(deviceTokenText: token.hexadecimal[...]), id: UUID(),
                payload: .init(string: payload), in: .sandbox, onAcceptance: { _ in })
        }
        let used = try residentByteCount() - before
        #expect(fleet.summaries().count == count)
        return used
    }

    @Test("no token is issued twice, and one of an earlier simulator is kept until it is void")
    func tokens() {
        func fleet() -> DeviceFleet {
            DeviceFleet(
                rules: DeliveryRules(), tokenByteCount: 32,
                clock: ManualClock(start: Timestamp(secondsSince1970: 1_790_000_000)),
                generator: SeededGenerator(seed: 1), journal: Journal(limit: 0), counters: Counters())
        }
        func issue(_ fleet: DeviceFleet, _ earlier: Data?) -> Data {
            fleet.issueToken(device: "phone", topic: "app", environment: .sandbox, earlier: earlier)
        }
        let first = fleet()
        let old = issue(first, nil)
        first.invalidate(old)
        let new = issue(first, old)
        #expect(new != old && issue(first, nil) == new, "what is void is not issued again")

        // The seed draws the tokens of the first fleet again, and one of them is in use already.
        let second = fleet()
        #expect(issue(second, new) == new)
        second.invalidate(new)
        let next = issue(second, nil)
        #expect(next != new && next != old)
    }

    /// A fleet with one phone, whose first push is being delivered until ``goesOn``.
    private final class BusyPhone: Sendable {
        let fleet = DeviceFleet(
            rules: DeliveryRules(), tokenByteCount: 32,
            clock: ManualClock(start: Timestamp(secondsSince1970: 1_790_000_000)), generator: SeededGenerator(seed: 1),
            journal: Journal(limit: 100), counters: Counters())
        let token: Data
        private let goesOn = DispatchSemaphore(value: 0)
        private let received = Mutex<[String]>([])
        private let hasLetGo = Mutex(false)

        var isLetGo: Bool { hasLetGo.withLock { $0 } }

        init() { token = fleet.issueToken(device: "phone", topic: "app", environment: .sandbox) }

        var names: [String] { received.withLock { $0 } }

        func connect(isBusy: Bool = false) {
            fleet.connect(device: "phone") { [self] push in
                received.withLock { $0.append(String(decoding: push.payload, as: UTF8.self)) }
                if isBusy { goesOn.wait() }
            }
        }

        func letGo() {
            hasLetGo.withLock { $0 = true }
            goesOn.signal()
        }

        func send(_ name: String) throws {
            try fleet.submit(
                PushRequest(
                    topic: "app", bundleID: "app", pushType: .alert, priority: 10, expiration: .unspecified,
                    rule: PushTypeRule()),
                to: RequestTarget(deviceTokenText: token.hexadecimal[...]), id: UUID(), payload: .init(string: name),
                in: .sandbox, onAcceptance: { _ in })
        }

        /// Sends a push whose delivery does not end.
        func sendAndWait(_ name: String) async {
            DispatchQueue.global().async { [self] in try? send(name) }
            while names.isEmpty { await Task.yield() }
        }
    }

    @Test("a push that comes while a device disconnects replaces the older ones, and no broadcast vanishes")
    func orderAtDisconnect() async throws {
        let phone = BusyPhone()
        phone.fleet.follow(["seven"], of: "app", device: "phone")
        phone.connect(isBusy: true)
        await phone.sendAndWait("0")
        try phone.send("1")
        try phone.send("2")
        phone.fleet.carryOut(
            .broadcast(DeviceStore.Channel(id: "seven", bundleID: "app"), priority: 10, .unspecified), id: UUID(),
            payload: .init(string: "7"))
        let ending = Task { await phone.fleet.disconnect(device: "phone") }
        while phone.fleet.summary(of: "phone")?.isOnline != false { await Task.yield() }
        try phone.send("3")
        phone.letGo()
        await ending.value
        phone.connect()
        #expect(phone.names == ["0", "7", "3"])
        let tally = try #require(phone.fleet.summary(of: "phone")?.tally)
        #expect(tally.delivered == 3 && tally.discarded == [.replaced: 2])
    }

    @Test("what a device has not got over its old connection comes first over its new one")
    func orderAtReattachment() async throws {
        let phone = BusyPhone()
        phone.connect(isBusy: true)
        await phone.sendAndWait("0")
        for name in ["1", "2"] { try phone.send(name) }
        phone.connect()
        try phone.send("3")
        #expect(phone.names == ["0", "1", "2", "3"])
        phone.letGo()
    }

    @Test("each of two disconnects at once returns only when nothing is delivered any more")
    func disconnectTwice() async throws {
        let phone = BusyPhone()
        phone.connect(isBusy: true)
        await phone.sendAndWait("0")
        let (ends, more) = AsyncStream.makeStream(of: Void.self)
        for _ in 0..<2 {
            Task {
                await phone.fleet.disconnect(device: "phone")
                #expect(phone.isLetGo)
                more.yield()
            }
        }
        while phone.fleet.summary(of: "phone")?.isOnline != false { await Task.yield() }
        for _ in 0..<1000 { await Task.yield() }
        phone.letGo()
        var iterator = ends.makeAsyncIterator()
        for _ in 0..<2 { await iterator.next() }
    }

    @Test(
        "every device of a fleet that is held over one admin connection gets its push, while the sender sees only 200")
    func overOneConnection() async throws {
        let count = 2000
        try await SimulatorFixture.with({
            $0.adminPort = 0
            $0.journalLimit = 0
        }) { fixture in
            let setup: JSONValue = [
                "host": .string(fixture.simulator.host), "port": .int(Int64(fixture.simulator.port)),
                "ca": .string(fixture.simulator.caCertificatePEM),
                "admin_url": .string(try #require(fixture.simulator.adminURL)),
                "authorization": .string(try await ForeignSender(fixture: fixture).bearer()),
                "topic": .string(SimulatorFixture.bundleID), "count": .int(Int64(count)),
            ]
            let seen = try await ForeignProgram.python("fleet.py", input: setup)
            #expect(seen["statuses"] == ["200": .int(Int64(count))])
            #expect(seen["devices_reached"]?.intValue == count)
            #expect(seen["pushes"]?.intValue == count)
            #expect(seen["strangers"]?.intValue == 0)
            #expect(seen["census"]?["fewest"] == 1 && seen["census"]?["most"] == 1)
            #expect(seen["census"]?["online"]?.intValue == count)
            let census = fixture.simulator.devices.census()
            #expect(census.devices == count && census.delivered == count && census.waiting == 0)
        }
    }

    @Test("a census counts who was reached, what waits and what was lost, and why")
    func census() async throws {
        try await SimulatorFixture.with { fixture in
            let (online, offline) = (fixture.token(device: "online"), fixture.token(device: "offline"))
            fixture.simulator.devices.connect(device: "online") { _ in }
            _ = try await ForeignSender(fixture: fixture).send([
                .alert(to: online), .alert(to: online), .alert(to: offline), .alert(to: offline),
                .alert(to: offline, replacing: ["apns-expiration": "0"]),
            ])
            let census = fixture.simulator.devices.census()
            #expect(census.devices == 2 && census.online == 1 && census.reached == 1)
            #expect(census.delivered == 2 && census.fewest == 0 && census.most == 2 && census.waiting == 1)
            #expect(census.discarded == [.replaced: 1, .oneAttempt: 1])
            let summary = try #require(fixture.simulator.devices.summary(of: "offline"))
            #expect(summary.tally.stored == [.offline: 2] && summary.tally.discarded == census.discarded)
            #expect(summary.waiting.map(\.cause) == [.offline])
        }
    }

    /// The second field of statm: resident pages.
    private func residentByteCount() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        return try #require(pages) * 4096
    }
}
