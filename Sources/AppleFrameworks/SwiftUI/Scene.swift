import Foundation
import UIKit

/// A part of an app with a life cycle of its own: on a phone, the app's window.
/// [Scene](https://developer.apple.com/documentation/swiftui/scene)
@MainActor @preconcurrency public protocol Scene {
    associatedtype Body: Scene

    @SceneBuilder var body: Body { get }
}

extension Never: Scene {}

extension Scene {
    func collect(into content: inout SceneContent) {
        if let part = self as? any ScenePart {
            part.collectPart(into: &content)
        } else {
            body.collect(into: &content)
        }
    }
}

/// A scene that contains no other scenes.
@MainActor protocol ScenePart {
    func collectPart(into content: inout SceneContent)
}

/// A result builder for the scenes of an app.
/// [SceneBuilder](https://developer.apple.com/documentation/swiftui/scenebuilder)
///
/// Differs from iOS: an app can have only one scene, as on an iPhone.
@resultBuilder public struct SceneBuilder {
    public static func buildExpression<Content: Scene>(_ content: Content) -> Content { content }
    public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

/// The app's windows; on a phone there is only one.
/// [WindowGroup](https://developer.apple.com/documentation/swiftui/windowgroup)
@MainActor @preconcurrency public struct WindowGroup<Content: View>: Scene, ScenePart {
    private let content: @MainActor () -> Content

    public init(@ViewBuilder content: @escaping @MainActor () -> Content) { self.content = content }

    public var body: Never { noBody(of: Self.self) }

    func collectPart(into content: inout SceneContent) {
        let root = self.content
        content.makeController = { UIHostingController(rootView: root()) }
    }
}

extension Scene {
    /// Calls an action with the new value after a value has changed.
    ///
    /// Differs from iOS: the value is compared only when the app enters the foreground or background, which suffices for
    /// ``ScenePhase``.
    @available(iOS, introduced: 14, deprecated: 17)
    public func onChange<Value: Hashable>(of value: Value, perform action: @escaping (Value) -> Void) -> some Scene {
        WatchingScene(content: self, value: value) { _, new in action(new) }
    }

    /// Calls an action with the old and the new value after a value has changed.
    ///
    /// Differs from iOS: the value is compared only when the app enters the foreground or background, which suffices for
    /// ``ScenePhase``.
    ///
    /// - Parameter initial: whether `action` is called for the first value too.
    @available(iOS 17, *)
    public func onChange<Value: Hashable>(
        of value: Value, initial: Bool = false, _ action: @escaping (Value, Value) -> Void
    ) -> some Scene {
        WatchingScene(content: self, value: value, action: action)
    }

    /// Calls an action after a value has changed.
    ///
    /// Differs from iOS: the value is compared only when the app enters the foreground or background, which suffices for
    /// ``ScenePhase``.
    @available(iOS 17, *)
    public func onChange<Value: Hashable>(
        of value: Value, initial: Bool = false, _ action: @escaping () -> Void
    ) -> some Scene {
        WatchingScene(content: self, value: value) { _, _ in action() }
    }
}

private struct WatchingScene<Content: Scene, Value: Hashable>: Scene, ScenePart {
    let content: Content
    let value: Value
    let action: (Value, Value) -> Void

    var body: Never { noBody(of: Self.self) }

    func collectPart(into content: inout SceneContent) {
        self.content.collect(into: &content)
        let value = value
        content.watched.append(
            WatchedValue(value: value) { old in if let old = old.base as? Value { action(old, value) } })
    }
}
