import UIKit

extension AppBundle {
    /// A replacement for a storyboard file: closures that make its view controllers.
    public struct Storyboard: Sendable {
        /// Makes the controller with the arrow; `nil` for a storyboard without one.
        public var makeInitial: (@MainActor @Sendable () -> UIViewController)?
        /// Makes each other controller, by its storyboard ID.
        public var controllers: [String: @MainActor @Sendable () -> UIViewController]

        /// - Parameters:
        ///   - controllers: by storyboard ID; the default is none.
        ///   - makeInitial: the controller with the arrow; the default is none.
        public init(
            controllers: [String: @MainActor @Sendable () -> UIViewController] = [:],
            makeInitial: (@MainActor @Sendable () -> UIViewController)? = nil
        ) {
            self.controllers = controllers
            self.makeInitial = makeInitial
        }
    }

    /// Makes the window of an app, or of a scene, with a main storyboard; returns `nil` without one.
    @MainActor func makeMainWindow(_ window: () -> UIWindow) -> UIWindow? {
        guard let name = mainStoryboard, let makeInitial = storyboards[name]?.makeInitial else { return nil }
        let window = window()
        window.rootViewController = makeInitial()
        return window
    }
}
