import CarillonCore
import CarillonDevice
import Foundation
import TestSupport
import Testing

/// Pushes that are lost, repeated and reordered, to an app that is killed in between.
@MainActor @Suite("Random pushes to a Live Activity") struct ActivityRandomTests {
    nonisolated private static let seeds = Seeds(fixed: 1...6, drawn: 3, filter: "ActivityRandomTests")

    @Test("the phone shows the newest push that arrived, and never an older one after a newer", arguments: seeds.all)
    func newestWins(_ seed: UInt64) async throws {
        let again = Comment(rawValue: Self.seeds.again(seed))
        try await Ride.run { ride in
            var random = SeededGenerator(seed: seed)
            try await ride.app.open()
            try await ride.request(minutes: 0)
            let first = ride.now
            // Each push says when it was made, and shows this number.
            var pushes = (1...40).map { number in ride.update(number, ["timestamp": .double(first + Double(number))]) }
            pushes = pushes.filter { _ in Int.random(in: 0..<4, using: &random) > 0 }
            pushes += pushes.filter { _ in Int.random(in: 0..<4, using: &random) == 0 }
            for index in pushes.indices {
                pushes.swapAt(index, min(pushes.count - 1, index + Int.random(in: 0..<6, using: &random)))
            }
            var newest = 0
            for push in pushes {
                try await disturb(ride, &random)
                try await ride.push(push)
                newest = max(newest, push["aps"]?["content-state"]?["minutes"]?.intValue ?? 0)
                #expect(ride.minutes == [newest], again)
            }
            try await ride.push(ride.end(["timestamp": .double(first + 100)]))
            for push in pushes.prefix(5) { try await ride.push(push) }
            #expect(ride.minutes == [newest] && ride.activities.map(\.state) == [.ended], again)
        }
    }

    private func disturb(_ ride: Ride, _ random: inout SeededGenerator) async throws {
        switch Int.random(in: 0..<12, using: &random) {
        case 0: try? ride.app.phone.system.terminate(ride.app.bundleID)
        case 1: try await ride.app.forceQuit()
        case 2: try? await ride.app.open()
        case 3: await ride.app.phone.restart()
        case 4: try await ride.app.advance(by: .seconds(60))
        case 5:
            await ride.app.phone.goOffline()
            await ride.app.phone.goOnline()
        default: break
        }
    }
}
