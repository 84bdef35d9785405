import ActivityKit
import CarillonDevice
import Testing
import UIKit

// The code of docs/live-activities.md.

struct ParcelAttributes: ActivityAttributes {
    struct ContentState: Codable, Hashable {
        var stopsLeft: Int
    }

    var courier: String
}

final class ParcelDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        Task { for await _ in Activity<ParcelAttributes>.pushToStartTokenUpdates {} }
        return true
    }
}

func parcelApp() -> AppBundle {
    var bundle = AppBundle(bundleID: "com.example.parcel", name: "Parcel", makeDelegate: { ParcelDelegate() })
    bundle.supportsLiveActivities = true
    bundle.liveActivities = [
        LiveActivityLayout(for: ParcelAttributes.self) { parcel, state in
            LiveActivityCard(title: "\(parcel.courier) is on the way", lines: ["\(state.stopsLeft) stops"])
        }
    ]
    return bundle
}

@MainActor @Test("a push shows the parcel, and a wrong update is found")
func parcelByPush() async throws {
    try await AppUnderTest.run(parcelApp()) { app in
        try await app.open()
        try await app.suspend()
        let now = JSONValue.int(app.clock.now.secondsSince1970)
        let start: JSONValue = [
            "timestamp": now, "event": "start", "attributes-type": "ParcelAttributes",
            "attributes": ["courier": "Ada"], "content-state": ["stopsLeft": 9],
            "alert": ["title": "Your parcel", "body": "Nine stops to go"],
        ]
        try await app.push(["aps": start], type: .liveactivity)
        #expect(app.liveActivities.first?.card?.title == "Ada is on the way")

        let update: JSONValue = ["timestamp": now, "event": "update", "content-state": ["stopsLeft": "eight"]]
        let trace = try await app.push(["aps": update], type: .liveactivity)
        #expect(trace.notes.first?.contains("stopsLeft must be Int") == true)
    }
}
