import ActivityKit
import CarillonCore
import CarillonDevice
import UIKit

/// A ride as a Live Activity.
struct RideAttributes: ActivityAttributes {
    struct ContentState: Codable, Hashable {
        var minutes: Int
        var stop: String
        var arrival: Date?
    }

    var line: String
}

/// An app that observes its Live Activities, and writes down what it hears.
final class RideApp: UIResponder, UIApplicationDelegate {
    private let log: CallLog

    init(_ log: CallLog) { self.log = log }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        log.write("launched")
        Task {
            for await token in Activity<RideAttributes>.pushToStartTokenUpdates { log.write("start \(token.count)") }
        }
        Task { for await activity in Activity<RideAttributes>.activityUpdates { observe(activity) } }
        Task {
            for await isOn in ActivityAuthorizationInfo().activityEnablementUpdates { log.write("enabled \(isOn)") }
        }
        return true
    }

    private func observe(_ activity: Activity<RideAttributes>) {
        log.write("began \(activity.attributes.line)")
        Task { for await token in activity.pushTokenUpdates { log.write("token \(token.count)") } }
        Task { for await content in activity.contentUpdates { log.write("minutes \(content.state.minutes)") } }
        Task { for await state in activity.activityStateUpdates { log.write("state \(state)") } }
    }
}

/// The app on a phone, with what the app has heard.
@MainActor struct Ride {
    let app: AppUnderTest
    let log: CallLog

    static func run<Value>(
        rules: PhoneRules = PhoneRules(), link: (any PushLink)? = nil,
        _ edit: (inout AppBundle) -> Void = { _ in }, _ body: @MainActor (Ride) async throws -> Value
    ) async throws -> Value {
        let log = CallLog()
        var bundle = AppBundle(bundleID: "com.example.ride", name: "Ride", makeDelegate: { RideApp(log) })
        bundle.supportsLiveActivities = true
        bundle.liveActivities = [
            LiveActivityLayout(for: RideAttributes.self) { ride, state in
                LiveActivityCard(title: "Line \(ride.line)", lines: [state.stop], progress: Double(state.minutes) / 60)
            }
        ]
        edit(&bundle)
        return try await AppUnderTest.run(bundle, rules: rules, link: link) { app in
            try await body(Ride(app: app, log: log))
        }
    }

    /// The present time in seconds since 1970.
    var now: Double { Double(app.clock.now.secondsSince1970) }
    var activities: [LiveActivity] { app.liveActivities }
    var minutes: [Int?] { activities.map { $0.contentState["minutes"]?.intValue } }

    /// Starts a Live Activity from the app in front.
    @discardableResult
    func request(_ line: String = "7", minutes: Int = 9, pushType: ActivityKit.PushType? = .token) async throws
        -> String
    {
        let outcome = Outcome()
        await app.phone.run(in: app.bundleID) {
            outcome.result = Result {
                try Activity.request(
                    attributes: RideAttributes(line: line),
                    content: ActivityContent(state: .init(minutes: minutes, stop: "Quay"), staleDate: nil),
                    pushType: pushType
                ).id
            }
        }
        try await app.phone.settled()
        return try outcome.result.get()
    }

    @MainActor private final class Outcome {
        var result: Result<String, any Error> = .success("")
    }

    func start(_ line: String = "7", _ more: [String: JSONValue] = [:]) -> JSONValue {
        payload(
            "start",
            [
                "attributes-type": "RideAttributes", "attributes": ["line": .string(line)],
                "content-state": ["minutes": 9, "stop": "Quay"], "alert": ["title": "On its way", "body": "Line 7"],
            ].merging(more) { $1 })
    }

    func update(_ minutes: Int, _ more: [String: JSONValue] = [:]) -> JSONValue {
        payload("update", ["content-state": ["minutes": .int(Int64(minutes)), "stop": "Quay"]].merging(more) { $1 })
    }

    func end(_ more: [String: JSONValue] = [:]) -> JSONValue { payload("end", more) }

    private func payload(_ event: String, _ members: [String: JSONValue]) -> JSONValue {
        let aps: [String: JSONValue] = ["event": .string(event), "timestamp": .double(now)].merging(members) { $1 }
        return ["aps": .object(aps)]
    }

    @discardableResult
    func push(_ payload: JSONValue, to token: Data? = nil, priority: Int = 10) async throws -> [String] {
        try await app.push(payload, type: .liveactivity, token: token, priority: priority).notes
    }
}
