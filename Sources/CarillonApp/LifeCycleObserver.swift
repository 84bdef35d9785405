import CarillonMessaging
import Foundation
import UIKit

/// An observer of the app's life cycle that needs no delegate, because iOS posts notifications about the life cycle.
@MainActor
package final class LifeCycleObserver {
    /// The steps of the life cycle that an observer can report.
    package enum Event: Sendable, CaseIterable {
        case willEnterForeground, didBecomeActive, didEnterBackground, filesBecameReadable
    }

    private let tokens: Tokens

    /// Begins to observe; the observation ends when this object is released.
    ///
    /// - Parameters:
    ///   - application: the app to observe; a process may have several simulated phones.
    ///   - events: the events to observe.
    ///   - hear: called on the main thread with each event; called more than once if both `UIApplication` and scenes post it.
    package init(
        _ application: UIApplication, _ events: Set<Event>, hear: @escaping @MainActor @Sendable (Event) -> Void
    ) {
        let center = NotificationCenter.default
        let number = ObjectIdentifier(application)
        var tokens: [any NSObjectProtocol] = []
        for event in Event.allCases where events.contains(event) {
            tokens.append(
                center.addObserver(forName: event.name, object: application, queue: nil) { _ in
                    onMainThread { hear(event) }
                })
            guard let sceneName = event.sceneName else { continue }
            tokens.append(
                center.addObserver(forName: sceneName, object: nil, queue: nil) { [weak application] notification in
                    let scene = (notification.object as? UIScene).map(ObjectIdentifier.init)
                    onMainThread {
                        guard let application, ObjectIdentifier(application) == number,
                            application.connectedScenes.contains(where: { ObjectIdentifier($0) == scene })
                        else { return }
                        hear(event)
                    }
                })
        }
        self.tokens = Tokens(tokens: tokens)
    }

    /// The observers in `NotificationCenter`, which this object removes when it is released.
    ///
    /// `@unchecked`: `NotificationCenter` allows removing an observer from any thread.
    private final class Tokens: @unchecked Sendable {
        private let tokens: [any NSObjectProtocol]

        init(tokens: [any NSObjectProtocol]) { self.tokens = tokens }

        deinit { for token in tokens { NotificationCenter.default.removeObserver(token) } }
    }
}

extension LifeCycleObserver.Event {
    fileprivate var name: Notification.Name {
        switch self {
        case .willEnterForeground: UIApplication.willEnterForegroundNotification
        case .didBecomeActive: UIApplication.didBecomeActiveNotification
        case .didEnterBackground: UIApplication.didEnterBackgroundNotification
        case .filesBecameReadable: UIApplication.protectedDataDidBecomeAvailableNotification
        }
    }

    fileprivate var sceneName: Notification.Name? {
        switch self {
        case .willEnterForeground: UIScene.willEnterForegroundNotification
        case .didBecomeActive: UIScene.didActivateNotification
        case .didEnterBackground: UIScene.didEnterBackgroundNotification
        case .filesBecameReadable: nil
        }
    }
}
