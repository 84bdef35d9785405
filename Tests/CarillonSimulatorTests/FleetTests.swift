import CarillonCore
import Foundation
import NIOCore
import Testing

@testable import CarillonSimulator

@Suite("A fleet")
struct FleetTests {
    @Test("a device with a push that waits takes less than 10 KB, so that 100,000 fit into 1 GB")
    func memory() throws {
        let count = 20_000
        let fleet = DeviceFleet(
            rules: DeliveryRules(), tokenByteCount: 32,
            clock: ManualClock(start: Timestamp(secondsSince1970: 1_790_000_000)), generator: SeededGenerator(seed: 1),
            journal: Journal(limit: 0), counters: Counters())
        let before = try residentByteCount()
        let request = PushRequest(
            topic: "app", bundleID: "app", pushType: .alert, priority: 10, expiration: .unspecified,
            rule: PushTypeRule())
        let payload = #"{"aps":{"alert":"Hello"},"padding":"\#(String(repeating: "x", count: 300))"}"#
        for index in 0..<count {
            let token = fleet.issueToken(device: "phone-\(index)", topic: "app", environment: .sandbox)
            try fleet.submit(
                request, to: RequestTarget(deviceTokenText: token.hexadecimal[...]), id: UUID(),
                payload: .init(string: payload), in: .sandbox, onAcceptance: {})
        }
        let used = try residentByteCount() - before
        #expect(used < count * 10_000, "\(used / count) bytes a device")
        #expect(used > count * payload.utf8.count, "the measurement is off: \(used / count) bytes a device")
        #expect(fleet.summaries().count == count)
    }

    /// The second field of statm: resident pages.
    private func residentByteCount() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        return try #require(pages) * 4096
    }
}
