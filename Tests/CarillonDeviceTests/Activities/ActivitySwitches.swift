import ActivityKit
import CarillonCore
import CarillonDevice
import Foundation

/// A switch of the rules 41 to 47 that is not a ``PhoneRule``: its name, another value, and a scenario.
@MainActor struct ActivitySwitch {
    let name: String
    let number: Int
    /// Gives the switch another value than its default.
    let change: @MainActor (inout PhoneRules) -> Void
    /// Whether the default was seen to hold.
    let isKept: @MainActor (PhoneRules) async throws -> Bool

    static let all = [olderEnd] + lifetimes + [places] + starts + budgets

    private static let olderEnd = ActivitySwitch(name: "olderEndIsIgnored", number: 41) {
        $0.olderEndIsIgnored = true
    } isKept: { rules in
        try await Ride.run(rules: rules) { ride in
            try await ride.app.open()
            try await ride.request()
            try await ride.push(ride.end(["timestamp": .double(ride.now - 1)]))
            return ride.activities.map(\.state) == [.ended]
        }
    }

    private static let lifetimes = [
        ActivitySwitch(name: "activeActivitySeconds", number: 43) {
            $0.activeActivitySeconds = 3600
        } isKept: { rules in
            try await states(rules) { try await $0.app.advance(by: .seconds(8 * 3600 - 1)) } == [.active]
        },
        ActivitySwitch(name: "endedActivitySeconds", number: 43) {
            $0.endedActivitySeconds = 3600
        } isKept: { rules in
            try await states(rules) { ride in
                try await ride.push(ride.end())
                try await ride.app.advance(by: .seconds(4 * 3600 - 1))
            } == [.ended]
        },
        ActivitySwitch(name: "updateEndsActivities", number: 43) {
            $0.updateEndsActivities = false
        } isKept: { rules in
            try await states(rules) { ride in
                try await ride.app.phone.perform(.install(ride.app.bundleID))
                try await ride.app.phone.settled()
            }.isEmpty
        },
        ActivitySwitch(name: "restartEndsActivities", number: 43) {
            $0.restartEndsActivities = true
        } isKept: { rules in
            try await states(rules) { await $0.app.phone.restart() } == [.active]
        },
    ]

    private static let places = ActivitySwitch(name: "activitiesPerApp", number: 44) {
        $0.activitiesPerApp = 2
    } isKept: { rules in
        try await states(rules) { ride in
            for line in ["1", "2", "3", "4", "5"] { _ = try? await ride.request(line) }
        }.count == 5
    }

    private static let starts = [
        ActivitySwitch(name: "activityWakeSeconds", number: 45) {
            $0.activityWakeSeconds = 5
        } isKept: { rules in
            try await Ride.run(rules: rules) { ride in
                try await ride.app.open()
                try await ride.app.suspend()
                try await ride.push(ride.start())
                try await ride.app.advance(by: .seconds(29))
                return ride.app.state == .background
            }
        },
        ActivitySwitch(name: "startNeedsInputPushToken", number: 45) {
            $0.startNeedsInputPushToken = true
        } isKept: { rules in
            try await Ride.run(rules: rules) { ride in
                try await ride.app.open()
                try await ride.push(ride.start())
                return ride.activities.first?.pushToken != nil
            }
        },
        ActivitySwitch(name: "activityUpdatesBeginWithCurrent", number: 45) {
            $0.activityUpdatesBeginWithCurrent = false
        } isKept: { rules in
            try await Ride.run(rules: rules) { ride in
                try await ride.app.open()
                try await ride.request()
                await ride.app.phone.run(in: ride.app.bundleID) {
                    Task { for await _ in Activity<RideAttributes>.activityUpdates { ride.log.write("late") } }
                }
                try await ride.app.phone.settled()
                return ride.log.contains("late")
            }
        },
    ]

    private static let budgets = [
        ActivitySwitch(name: "activityUpdatesPerHour", number: 47) {
            $0.activityUpdatesPerHour = 3
        } isKept: {
            try await showsAllUpdates($0, isFrequent: false)
        },
        ActivitySwitch(name: "frequentActivityUpdatesPerHour", number: 47) {
            $0.frequentActivityUpdatesPerHour = 3
        } isKept: {
            try await showsAllUpdates($0, isFrequent: true)
        },
        ActivitySwitch(name: "activityStartsPerHour", number: 47) {
            $0.activityStartsPerHour = 1
        } isKept: { rules in
            try await Ride.run(rules: rules) { ride in
                try await ride.app.open()
                for line in ["1", "2", "3"] { try await ride.push(ride.start(line)) }
                return ride.activities.count == 3
            }
        },
    ]

    /// Returns the states of the Live Activities after the app has started one and something has happened.
    private static func states(
        _ rules: PhoneRules, after body: @MainActor (Ride) async throws -> Void
    ) async throws -> [LiveActivity.State] {
        try await Ride.run(rules: rules) { ride in
            try await ride.app.open()
            try await ride.request()
            try await body(ride)
            return ride.activities.map(\.state)
        }
    }

    private static func showsAllUpdates(_ rules: PhoneRules, isFrequent: Bool) async throws -> Bool {
        try await Ride.run(rules: rules) {
            $0.supportsFrequentLiveActivityUpdates = isFrequent
        } _: { ride in
            try await ride.app.open()
            try await ride.request(minutes: 90)
            for minutes in 1...20 { try await ride.push(ride.update(minutes)) }
            return ride.minutes == [20]
        }
    }
}
