import ActivityKit
import CarillonCore
import CarillonDevice
import CarillonExplain
import Foundation
import Testing
import UIKit

@MainActor @Suite("Live Activities") struct ActivityTests {
    @Test("an app updates and ends its own, and the newest content is what it reads")
    func byTheApp() async throws {
        try await Ride.run { ride in
            try await ride.app.open()
            let id = try await ride.request()
            await ride.app.phone.run(in: ride.app.bundleID) {
                Task {
                    let activity = Activity<RideAttributes>.activities.first { $0.id == id }
                    await activity?.update(
                        ActivityContent(state: .init(minutes: 3, stop: "Mole"), staleDate: nil, relevanceScore: 50),
                        alertConfiguration: AlertConfiguration(
                            title: "Soon", body: "\(3) min", sound: .named("horn.caf")))
                    ride.log.write("reads \(activity?.content.state.minutes ?? 0)")
                    await activity?.end(nil, dismissalPolicy: .immediate)
                    ride.log.write("reads \(String(describing: activity?.activityState))")
                }
            }
            try await ride.app.phone.settled()
            #expect(ride.log.contains("reads 3") && ride.log.contains("minutes 3"))
            #expect(ride.log.lines.contains { $0.contains("dismissed") })
            #expect(ride.activities.isEmpty && ride.app.phone.sounds.map(\.name) == ["horn.caf"])
        }
    }

    @Test("the most relevant leads, then the newest; a push to one of the app's other tokens changes nothing")
    func order() async throws {
        try await Ride.run { ride in
            try await ride.app.open()
            for line in ["1", "2", "3"] { try await ride.request(line) }
            let first = try #require(ride.activities.last?.pushToken)
            try await ride.push(ride.update(2, ["relevance-score": 100]), to: first)
            #expect(ride.activities.map { $0.attributes["line"]?.stringValue } == ["1", "3", "2"])
            let start = try #require(ride.app.phone.activities.startToken(of: ride.app.bundleID))
            #expect(try await ride.push(ride.update(1), to: start).first?.contains("only starts") == true)
            #expect(try await ride.push(ride.update(1), to: Data([1])).first?.contains("another token") == true)
        }
    }

    @Test(
        "a push that lacks something, or has a wrong value, changes nothing and says why",
        arguments: [
            (#"{"aps":{"event":"update","timestamp":1798794000}}"#, "lacks aps.content-state"),
            (#"{"aps":{"event":"update","content-state":{}}}"#, "lacks aps.timestamp"),
            (#"{"aps":{"event":"update","timestamp":"now","content-state":{}}}"#, "aps.timestamp must be a number"),
            (#"{"aps":{"event":"stop","timestamp":1}}"#, "lacks aps.event"),
            (#"{"aps":{"timestamp":1798794000}}"#, "lacks aps.event"),
            (#"{"aps":{"event":"update","timestamp":1798794000,"content-state":[1]}}"#, "must be a dictionary"),
            (
                #"{"aps":{"event":"start","timestamp":1798794000,"content-state":{},"attributes":{},"attributes-type":"X"}}"#,
                "lacks aps.alert"
            ),
            (
                #"{"aps":{"event":"start","timestamp":1798794000,"content-state":{},"attributes":{},"attributes-type":"Rid","alert":{}}}"#,
                "it has RideAttributes"
            ),
            (
                #"{"aps":{"event":"start","timestamp":1798794000,"content-state":{"minutes":1,"stop":""},"attributes":{},"attributes-type":"RideAttributes","alert":{}}}"#,
                "the key line is missing"
            ),
        ])
    func malformed(_ payload: String, _ why: String) async throws {
        try await Ride.run { ride in
            try await ride.app.open()
            try await ride.request()
            let trace = try await ride.app.push(Data(payload.utf8), type: .liveactivity)
            #expect(trace.notes.joined(separator: "; ").contains(why), "\(trace.notes)")
            #expect(trace.isFinished && ride.minutes == [9])
        }
    }

    @Test(
        "carillon validate and the phone agree on the keys that each event needs",
        arguments: ["start", "update", "end"])
    func validateAgrees(_ event: String) async throws {
        for key in ["timestamp", "event", "content-state", "attributes-type", "attributes", "alert", "stale-date"] {
            try await Ride.run { ride in
                try await ride.app.open()
                if event != "start" { try await ride.request() }
                let whole = event == "start" ? ride.start() : event == "update" ? ride.update(1) : ride.end()
                var aps = whole["aps"]?.objectValue ?? [:]
                aps[key] = nil
                let payload: JSONValue = ["aps": .object(aps)]
                let explained = PayloadExplanation(of: try payload.encoded(), pushType: .liveactivity)
                let isMissed = explained.lines.contains { $0.meaning.hasPrefix("Missing") }
                let isIgnored = try await ride.push(payload).contains { $0.hasPrefix("ignored: the push lacks") }
                #expect(isMissed == isIgnored, "\(event) without \(key)")
            }
        }
    }

    @Test("a payload that is no JSON is refused before it reaches a phone")
    func noJSON() async throws {
        try await Ride.run { ride in
            let error = await #expect(throws: PhoneError.self) {
                try await ride.app.push(Data("{".utf8), type: .liveactivity)
            }
            #expect(error?.code == .unusablePayload)
        }
    }

    @Test("a broadcast updates all that follow its channel, and no other")
    func channel() async throws {
        try await Ride.run { ride in
            try await ride.app.open()
            try await ride.request("1", pushType: .channel("c1"))
            try await ride.request("2", pushType: .channel("c2"))
            try await ride.request("3")
            let push = IncomingPush(
                topic: ride.app.bundleID, pushType: .liveactivity, payload: try ride.update(1).encoded(),
                apnsID: UUID(),
                channelID: "c1")
            await ride.app.phone.receive(push)
            #expect(ride.minutes == [9, 9, 1])
        }
    }

    @Test("an app without a push type has no token")
    func noPushType() async throws {
        try await Ride.run { ride in
            try await ride.app.open()
            try await ride.request(pushType: nil)
            #expect(ride.activities.first?.pushToken == nil)
            #expect(try await ride.push(ride.update(1)).first?.contains("no push token") == true)
        }
    }

    @Test("a token waits for the network, and the deleted app's cards are gone")
    func offline() async throws {
        try await Ride.run(link: TokenLink()) { ride in
            try await ride.app.open()
            await ride.app.phone.goOffline()
            try await ride.request()
            #expect(ride.activities.first?.pushToken == nil)
            await ride.app.phone.goOnline()
            try await ride.app.phone.settled()
            #expect(ride.activities.first?.pushToken != nil && ride.log.contains("token 40"))
            try await ride.app.phone.uninstall(ride.app.bundleID)
            #expect(ride.app.phone.activities.shown(of: ride.app.bundleID).isEmpty)
        }
    }

    @Test("the state of a phone that is switched off for good keeps the cards, which get new tokens")
    func saved() async throws {
        try await Ride.run { ride in
            try await ride.app.open()
            try await ride.request()
            let state = try JSONDecoder().decode(
                SwitchedOffAppState.self, from: JSONEncoder().encode(ride.app.phone.savedState(of: ride.app.bundleID)))
            try await Ride.run { other in
                try other.app.phone.restore(state, of: other.app.bundleID)
                await other.app.phone.boot()
                try await other.app.phone.settled()
                #expect(other.minutes == [9] && other.activities.first?.pushToken != nil)
            }
        }
    }
}

/// Apple's documented ways to request, observe and end, written anew: they compile unchanged.
@MainActor @Suite("Code as Apple documents it") struct ActivityIdiomTests {
    @Test("request, observe the token, and read the JSON of a content state")
    func adventure() async throws {
        let log = CallLog()
        var bundle = AppBundle(bundleID: "com.example.ride", name: "Ride", makeDelegate: { QuietApp() })
        bundle.supportsLiveActivities = true
        try await AppUnderTest.run(bundle) { app in
            try await app.open()
            await app.phone.run(in: app.bundleID) {
                guard ActivityAuthorizationInfo().areActivitiesEnabled else { return }
                do {
                    let ride = RideAttributes(line: "7")
                    let initialState = RideAttributes.ContentState(minutes: 9, stop: "Quay")
                    let activity = try Activity.request(
                        attributes: ride, content: .init(state: initialState, staleDate: nil), pushType: .token)
                    Task {
                        for await pushToken in activity.pushTokenUpdates {
                            let pushTokenString = pushToken.reduce("") { $0 + String(format: "%02x", $1) }
                            log.write("token \(pushTokenString.count)")
                        }
                    }
                } catch {
                    log.write("\(error.localizedDescription)")
                }
            }
            try await app.phone.settled()
            #expect(log.contains("token 64"))
            try await app.push(
                [
                    "aps": [
                        "timestamp": .int(app.clock.now.secondsSince1970), "event": "update",
                        "content-state": ["minutes": 2, "stop": "Mole"],
                    ]
                ], type: .liveactivity)
            #expect(app.liveActivities.first?.stateValues.map(\.text) == ["2", "Mole"])
        }
    }
}
