import CarillonCore
import CarillonMessaging
import Foundation
import UIKit

/// A finder of the scene in which a banner appears: the app's scene that the person is using.
///
/// On an iPad, an app may have several windows in the foreground, and a scene on an external display, whose windows cannot be
/// touched.
@MainActor
final class BannerScenes {
    private let application: UIApplication
    private var use = SceneUse()
    private var observers = Observers()

    /// Begins to observe the app's scenes; the observation ends when this object is released.
    init(_ application: UIApplication) {
        self.application = application
        observers.add(UIWindow.didBecomeKeyNotification) { [weak self] object in
            self?.wasUsed { scene in scene.windows.contains { ObjectIdentifier($0) == object } }
        }
        observers.add(UIScene.didActivateNotification) { [weak self] object in
            self?.wasUsed { ObjectIdentifier($0) == object }
        }
    }

    /// The scene that the person uses; `nil` if no window of the app is in the foreground.
    var current: UIWindowScene? {
        guard application.applicationState != .background else { return nil }
        let chosen = use.chosen(among: scenes.map(SceneUse.Candidate.init))
        return scenes.first { $0.session.persistentIdentifier == chosen }
    }

    /// Whether a banner can be shown now: in a scene, or in an app without scenes that is in the foreground.
    var hasPlace: Bool {
        application.connectedScenes.isEmpty ? application.applicationState != .background : current != nil
    }

    private var scenes: [UIWindowScene] { application.connectedScenes.compactMap { $0 as? UIWindowScene } }

    private func wasUsed(_ isUsed: (UIWindowScene) -> Bool) {
        guard let scene = scenes.first(where: isUsed) else { return }
        use.used(scene.session.persistentIdentifier, among: Set(scenes.map(\.session.persistentIdentifier)))
    }

    /// The observers in `NotificationCenter`, which this object removes when it is released.
    ///
    /// `@unchecked`: `NotificationCenter` allows removing an observer from any thread.
    private final class Observers: @unchecked Sendable {
        private var tokens: [any NSObjectProtocol] = []

        @MainActor func add(
            _ name: Notification.Name, _ hear: @escaping @MainActor @Sendable (ObjectIdentifier) -> Void
        ) {
            tokens.append(
                NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { notification in
                    guard let object = (notification.object as AnyObject?).map(ObjectIdentifier.init) else { return }
                    onMainThread { hear(object) }
                })
        }

        deinit { for token in tokens { NotificationCenter.default.removeObserver(token) } }
    }
}

extension BannerScenes {
    /// Returns whether a scene is in the foreground, even if a system sheet covers it.
    static func isInFront(_ scene: UIWindowScene) -> Bool {
        scene.activationState == .foregroundActive || scene.activationState == .foregroundInactive
    }
}

/// The rule that decides which of an app's scenes the person uses, from the order of their last use.
package struct SceneUse: Sendable, Hashable {
    /// A connected scene.
    package struct Candidate: Sendable, Hashable {
        /// The `persistentIdentifier` of the scene's `UISceneSession`.
        package var id: String
        /// Whether the scene has the role `windowApplication`, and does not belong to an external display.
        package var isForWindows: Bool
        /// Whether the scene is in the foreground.
        package var isInFront: Bool
        /// Whether the scene is in the foreground and receives events.
        package var isActive: Bool
        /// Whether one of the scene's windows is the key window.
        package var hasKeyWindow: Bool

        package init(id: String, isForWindows: Bool, isInFront: Bool, isActive: Bool, hasKeyWindow: Bool) {
            self.id = id
            self.isForWindows = isForWindows
            self.isInFront = isInFront
            self.isActive = isActive
            self.hasKeyWindow = hasKeyWindow
        }

        @MainActor fileprivate init(_ scene: UIWindowScene) {
            self.init(
                id: scene.session.persistentIdentifier, isForWindows: scene.session.role == .windowApplication,
                isInFront: BannerScenes.isInFront(scene), isActive: scene.activationState == .foregroundActive,
                hasKeyWindow: scene.windows.contains(where: \.isKeyWindow))
        }
    }

    /// The ids of the scenes in the order of their last use, newest last.
    private var order: [String] = []

    package init() {}

    /// Records that a scene was activated, or that one of its windows became key.
    ///
    /// - Parameters:
    ///   - id: the scene's id.
    ///   - connected: the ids of all connected scenes; all other ids are forgotten.
    package mutating func used(_ id: String, among connected: Set<String>) {
        order.removeAll { $0 == id || !connected.contains($0) }
        order.append(id)
    }

    /// Returns the id of the scene that the person uses.
    ///
    /// Prefers an active scene to one that a system sheet covers, then the scene with the key window, then the scene that was
    /// used last.
    ///
    /// - Parameter candidates: the connected scenes.
    /// - Returns: the scene's id; `nil` if no scene with windows of the app is in the foreground.
    package func chosen(among candidates: [Candidate]) -> String? {
        candidates.filter { $0.isForWindows && $0.isInFront }.max { isBefore($0, $1) }?.id
    }

    /// Returns whether the person is more likely to use `other` than `one`.
    ///
    /// Compares, in this order, whether a scene is active, whether it has the key window, and when it was last used.
    private func isBefore(_ one: Candidate, _ other: Candidate) -> Bool {
        if one.isActive != other.isActive { return other.isActive }
        if one.hasKeyWindow != other.hasKeyWindow { return other.hasKeyWindow }
        let (first, second) = (order.firstIndex(of: one.id) ?? -1, order.firstIndex(of: other.id) ?? -1)
        return first == second ? one.id > other.id : first < second
    }
}
