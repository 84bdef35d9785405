import ActivityKit
import CarillonCore
import CarillonDevice
import Foundation

/// Scenarios of rules about Live Activities.
extension RuleScenario {
    static let activities: [RuleScenario] = [
        RuleScenario(.olderUpdateIsIgnored) { rules in
            try await Ride.run(rules: rules) { ride in
                try await ride.app.open()
                try await ride.request()
                try await ride.push(ride.update(5))
                try await ride.push(ride.update(8, ["timestamp": .double(ride.now - 1)]))
                return ride.minutes == [5]
            }
        },
        RuleScenario(.farTimestampIsIgnored) { rules in
            try await Ride.run(rules: rules) { ride in
                try await ride.app.open()
                try await ride.request()
                try await ride.push(ride.update(5, ["timestamp": .double(ride.now + 8 * 3600 + 1)]))
                return ride.minutes == [9]
            }
        },
        RuleScenario(.undecodableContentIsIgnored) { rules in
            try await Ride.run(rules: rules) { ride in
                try await ride.app.open()
                try await ride.request()
                try await ride.push(ride.update(5, ["content-state": ["minutes": "five", "stop": "Quay"]]))
                return ride.minutes == [9]
            }
        },
        RuleScenario(.staleDateMakesStale) { rules in
            try await Ride.run(rules: rules) { ride in
                try await ride.app.open()
                try await ride.request()
                try await ride.push(ride.update(5, ["stale-date": .double(ride.now + 60)]))
                try await ride.app.advance(by: .seconds(60))
                return ride.activities.map(\.state) == [.stale]
            }
        },
        RuleScenario(.activityNeedsPlistKey) { rules in
            try await Ride.run(rules: rules) {
                $0.supportsLiveActivities = false
            } _: { ride in
                // The person's switch must not stand in the way of the other rule.
                ride.app.phone.rules.ignored.insert(.activitySwitchCounts)
                try await ride.app.open()
                return await refusal(of: ride) == .unsupportedTarget
            }
        },
        RuleScenario(.requestNeedsForeground) { rules in
            try await Ride.run(rules: rules) { ride in
                try await ride.app.open()
                await ride.app.phone.pressHome()
                return await refusal(of: ride) == .visibility
            }
        },
        RuleScenario(.activitySwitchCounts) { rules in
            try await Ride.run(rules: rules) { ride in
                try ride.app.phone.activities.set(false, for: ride.app.bundleID)
                try await ride.app.open()
                return await refusal(of: ride) == .denied
            }
        },
        RuleScenario(.activitySizeIsLimited) { rules in
            try await Ride.run(rules: rules) { ride in
                try await ride.app.open()
                return await refusal(of: ride, line: String(repeating: "7", count: 4096)) == .attributesTooLarge
            }
        },
        RuleScenario(.pushToStartWakesApp) { rules in
            try await Ride.run(rules: rules) { ride in
                try await ride.app.open()
                try ride.app.phone.system.terminate(ride.app.bundleID)
                try await ride.push(ride.start())
                return ride.log.contains("began 7") && ride.log.contains("token 32")
            }
        },
        RuleScenario(.endedActivityTokenIsInvalid) { rules in
            let link = TokenLink()
            return try await Ride.run(rules: rules, link: link) { ride in
                try await ride.app.open()
                try await ride.request()
                let token = ride.activities.first?.pushToken
                try await ride.push(ride.end())
                return token != nil && link.invalidated == [token].compactMap(\.self)
            }
        },
    ]

    @MainActor private static func refusal(of ride: Ride, line: String = "7") async -> ActivityAuthorizationError? {
        do {
            try await ride.request(line)
            return nil
        } catch {
            return error as? ActivityAuthorizationError
        }
    }
}
