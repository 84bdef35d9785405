import CarillonCore
import CarillonDevice
import UserNotifications

/// A sequence of random actions of a person and of a sender.
@MainActor struct RandomRun {
    var random: SeededGenerator

    mutating func step(_ number: Int, _ app: AppUnderTest) async throws {
        let phone = app.phone
        // What cannot be done at this moment is part of the play.
        switch Int.random(in: 0..<15, using: &random) {
        case 0...2: try await app.push(["aps": ["alert": .string("Number \(number)"), "badge": .int(Int64(number))]])
        case 3...4: try await app.push(["aps": ["content-available": 1], "number": .int(Int64(number % 3))])
        case 5: try? await app.open()
        case 6: await phone.pressHome()
        case 7: await phone.lock()
        case 8: await phone.unlock()
        case 9: if let first = app.notifications.first { try? await app.tap(first.request.identifier) }
        case 10: try? await phone.answerPermission(allow: Bool.random(using: &random))
        case 11: try await app.forceQuit()
        case 12: await phone.restart()
        case 13: try await phone.system.warnOfMemory(app.bundleID)
        default: try await app.advance(by: .seconds(Int.random(in: 1...20, using: &random)))
        }
        try await phone.settled()
    }

    static func play(_ seed: UInt64) async throws -> [PhoneEvent] {
        let bundle = AppBundle(bundleID: "com.example.busy", name: "Busy", makeDelegate: { BusyApp() })
        return try await AppUnderTest.run(bundle, seed: seed) { app in
            var play = RandomRun(random: SeededGenerator(seed: seed))
            for number in 0..<12 { try await play.step(number, app) }
            try await app.advance(by: .seconds(60))
            return app.phone.history
        }
    }
}
