import ActivityKit
import Foundation
import UIKit

// An app whose server starts its Live Activities, with the calls as Apple shows them:
// https://developer.apple.com/documentation/activitykit/starting-and-updating-live-activities-with-activitykit-push-notifications

public struct GateAttributes: ActivityAttributes {
    public struct ContentState: Codable, Hashable {
        public var gate: String
        public var boards: Date
    }

    public var flight: String
}

/// The tokens, as the app sends them to its server.
public actor GateServer {
    public private(set) var sent: [String] = []

    public init() {}

    func send(_ text: String) { sent.append(text) }
}

/// An app that observes the token to start with, each new Live Activity, and its token.
public final class GateDelegate: UIResponder, UIApplicationDelegate {
    public let server = GateServer()

    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        observeStartToken()
        observeActivities()
        observePermission()
        return true
    }

    private func observeStartToken() {
        Task {
            for await data in Activity<GateAttributes>.pushToStartTokenUpdates {
                let token = data.map { String(format: "%02x", $0) }.joined()
                await server.send("start \(token)")
            }
        }
    }

    private func observeActivities() {
        Task {
            for await activity in Activity<GateAttributes>.activityUpdates {
                Task {
                    for await tokenData in activity.pushTokenUpdates {
                        let token = tokenData.map { String(format: "%02x", $0) }.joined()
                        await server.send("\(activity.attributes.flight) \(token)")
                    }
                }
                Task {
                    for await state in activity.activityStateUpdates where state == .dismissed || state == .ended {
                        await server.send("\(activity.attributes.flight) \(state)")
                    }
                }
            }
        }
    }

    private func observePermission() {
        Task {
            let info = ActivityAuthorizationInfo()
            await server.send("allowed \(info.areActivitiesEnabled), often \(info.frequentPushesEnabled)")
            for await isOn in info.activityEnablementUpdates { await server.send("allowed \(isOn)") }
        }
        Task {
            for await isOn in ActivityAuthorizationInfo().frequentPushEnablementUpdates {
                await server.send("often \(isOn)")
            }
        }
    }
}
