import CarillonMessaging
import Foundation
import UIKit

/// Hears of the app's life from the notifications that iOS posts, so that no delegate has to forward anything.
///
/// An app with scenes is not told of its foreground by the methods of its app delegate. `UIApplication` posts for apps with
/// scenes and without; those of `UIScene` come too, for each scene.
@MainActor
package final class LifeCycleObserver {
    /// The steps that are observed.
    package enum Event: Sendable, CaseIterable {
        case willEnterForeground, didBecomeActive, didEnterBackground, filesBecameReadable
    }

    private let tokens: Tokens

    /// Listens until this is released.
    ///
    /// - Parameters:
    ///   - application: whose notifications count; a process may have several simulated phones.
    ///   - events: those that matter.
    ///   - hear: called on the main thread, more than once for one step where `UIApplication` and a scene post.
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

    /// `@unchecked`: the center may be asked from any thread to remove an observer.
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
