import ActivityKit
import Foundation
import UIKit

// A hero's adventure, with the calls as Apple shows them for a game:
// https://developer.apple.com/documentation/activitykit/displaying-live-data-with-live-activities

public struct QuestAttributes: ActivityAttributes {
    public struct ContentState: Codable, Hashable {
        public var health: Double
        public var happened: String
    }

    public let hero: String
}

/// The game of one hero, which the player follows on the lock screen.
@MainActor
public final class Quest {
    public struct Status {
        public var state: ActivityState
        public var content: QuestAttributes.ContentState
        public var pushToken: String?
    }

    public private(set) var status: Status?
    public private(set) var problem: String?
    private var current: Activity<QuestAttributes>?

    public init() {}

    public func begin(hero: String) {
        guard ActivityAuthorizationInfo().areActivitiesEnabled else {
            problem = "switched off"
            return
        }
        do {
            let quest = QuestAttributes(hero: hero)
            let beginning = QuestAttributes.ContentState(health: 1, happened: "It begins")
            let activity = try Activity.request(
                attributes: quest,
                content: .init(state: beginning, staleDate: nil),
                pushType: .token
            )
            follow(activity)
        } catch {
            problem = "not started: \(String(describing: error))"
        }
    }

    private func follow(_ activity: Activity<QuestAttributes>) {
        current = activity
        status = .init(
            state: activity.activityState, content: activity.content.state,
            pushToken: activity.pushToken?.hexadecimalText)
        Task {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { @MainActor in
                    for await state in activity.activityStateUpdates {
                        self.status?.state = state
                        if state == .dismissed { self.current = nil }
                    }
                }
                group.addTask { @MainActor in
                    for await content in activity.contentUpdates {
                        self.status?.content = content.state
                    }
                }
                group.addTask { @MainActor in
                    for await pushToken in activity.pushTokenUpdates {
                        self.status?.pushToken = pushToken.hexadecimalText
                    }
                }
            }
        }
    }

    public func hit(alert: Bool) async {
        guard let activity = current else { return }
        let hero = activity.attributes.hero
        var configuration: AlertConfiguration?
        if alert {
            configuration = AlertConfiguration(
                title: "\(hero) is down!",
                body: "Open the game, and give \(hero) a potion.",
                sound: .default
            )
        }
        await activity.update(
            ActivityContent<QuestAttributes.ContentState>(
                state: QuestAttributes.ContentState(health: alert ? 0 : 0.5, happened: "A dragon"),
                staleDate: Date.now + 15,
                relevanceScore: alert ? 100 : 50
            ),
            alertConfiguration: configuration
        )
    }

    public func finish(dismissTimeInterval: Double?) async {
        guard let activity = current else { return }
        let last = QuestAttributes.ContentState(health: 1, happened: "It is over")
        let policy: ActivityUIDismissalPolicy
        if let dismissTimeInterval {
            policy = dismissTimeInterval <= 0 ? .immediate : .after(.now + dismissTimeInterval)
        } else {
            policy = .default
        }
        await activity.end(ActivityContent(state: last, staleDate: nil), dismissalPolicy: policy)
    }
}

extension Data {
    var hexadecimalText: String { reduce("") { $0 + String(format: "%02x", $1) } }
}

/// An app with one button, in the place of the game.
public final class GameDelegate: UIResponder, UIApplicationDelegate {
    public let quest = Quest()
}
