import Foundation
import UIKit

/// A running app's scenes, which are evaluated again when the app enters the foreground or the background.
@MainActor final class AppRun {
    private let app: any App
    private var observers: [any NSObjectProtocol] = []
    private var watched: [WatchedValue] = []

    /// Evaluates the scenes, and observes the app's life cycle to evaluate them again.
    ///
    /// - Parameters:
    ///   - app: the SwiftUI app that declares the scenes.
    ///   - application: the object that posts the life-cycle notifications after which the scenes are evaluated again.
    init(_ app: any App, of application: UIApplication) {
        self.app = app
        let names = [
            UIApplication.didBecomeActiveNotification, UIApplication.willResignActiveNotification,
            UIApplication.didEnterBackgroundNotification, UIApplication.willEnterForegroundNotification,
        ]
        observers = names.map { name in
            NotificationCenter.default.addObserver(forName: name, object: application, queue: nil) { [weak self] _ in
                MainActor.assumeIsolated { self?.changed() }
            }
        }
        watched = content.watched
    }

    private var content: SceneContent {
        var content = SceneContent()
        collect(app, into: &content)
        return content
    }

    private func collect(_ app: some App, into content: inout SceneContent) { app.body.collect(into: &content) }

    /// Makes the root view controller of the first window.
    func makeMainController() -> UIViewController { content.makeController?() ?? UIViewController() }

    private func changed() {
        let now = content.watched
        let before = watched
        watched = now
        for (old, new) in zip(before, now) where old.value != new.value { new.changed(old.value) }
    }
}

/// A value that a scene observes with `onChange`.
struct WatchedValue {
    let value: AnyHashable
    /// The closure to call with the old value after the value has changed.
    let changed: @MainActor (AnyHashable) -> Void
}

/// The contents of an app's scenes: the first window's root view controller, and the values that scenes observe with
/// `onChange`.
struct SceneContent {
    /// The closure that makes the root view controller of the first window; `nil` without a window.
    var makeController: (@MainActor () -> UIViewController)?
    var watched: [WatchedValue] = []
}
