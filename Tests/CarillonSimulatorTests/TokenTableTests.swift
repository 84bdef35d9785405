import CarillonCore
import Foundation
import Testing

@testable import CarillonSimulator

@Suite("A million devices in little memory")
struct TokenTableTests {
    private func token(_ number: Int, byteCount: Int = 32) throws -> DeviceToken {
        var generator = SeededGenerator(seed: UInt64(number))
        return generator.deviceToken(byteCount: byteCount)
    }

    @Test("every token of ten thousand, of any length, is found with its device and app, and no other is")
    func found() throws {
        var table = TokenTable()
        let owners = [("a", APNsEnvironment.sandbox), ("a", .production), ("b", .sandbox)].map {
            DeviceStore.TokenOwner(bundleID: $0.0, environment: $0.1)
        }
        for number in 0..<10_000 {
            let fresh = try token(number, byteCount: 4 + number % 100)
            #expect(table.place(of: fresh) == nil)
            #expect(table.insert(fresh, device: number * 2, owner: owners[number % 3]) == number)
        }
        for number in 0..<10_000 {
            let known = try token(number, byteCount: 4 + number % 100)
            let place = try #require(table.place(of: known))
            let entry = table[place]
            #expect(entry.device == number * 2 && entry.owner == owners[number % 3] && entry.end == nil)
            #expect(table.token(at: place) == known)
        }
        #expect(table.entry(of: try token(10_001)) == nil && table.count == 10_000)
        let first = try token(0, byteCount: 4)
        let longer = try #require(DeviceToken(hex: first.hex + "00"))
        #expect(table.entry(of: longer) == nil, "a beginning is not the token")
    }

    @Test("a token ends for itself alone, and its requests are counted for itself alone")
    func ends() throws {
        var table = TokenTable()
        let owner = DeviceStore.TokenOwner(bundleID: "a", environment: .sandbox)
        let places = try (0..<3).map { table.insert(try token($0), device: $0, owner: owner) }
        let now = Timestamp(secondsSince1970: 1_800_000_000)
        table.end(places[1], DeviceStore.TokenEnd(reason: .unregistered, since: now, refusedFrom: now))
        #expect(try (0..<3).map { table.entry(of: try token($0))?.end != nil } == [false, true, false])
        let budget = DeliveryRules.Budget(count: 1, per: .seconds(60))
        #expect([0, 0, 2].map { table.admitRequest(places[$0], under: budget, at: now) } == [true, false, true])
    }

    @Test("what each device takes in the store is bounded")
    func strides() { #expect(MemoryLayout<DeviceStore.Device>.stride <= 48) }
}
