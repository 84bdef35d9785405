import Foundation
import UIKit

/// The state of an app's scene: active, inactive or in the background.
/// [ScenePhase](https://developer.apple.com/documentation/swiftui/scenephase)
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum ScenePhase: Comparable, Hashable, Sendable {
    case background
    case inactive
    case active
}

/// The environment of an app's scenes.
/// [EnvironmentValues](https://developer.apple.com/documentation/swiftui/environmentvalues)
///
/// Differs from iOS: only ``scenePhase`` is supported.
public struct EnvironmentValues: Sendable {
    /// The phase of the app whose code is running; read it on the main actor.
    public var scenePhase: ScenePhase {
        MainActor.assumeIsolated {
            switch UIApplication.shared.applicationState {
            case .active: .active
            case .inactive: .inactive
            default: .background
            }
        }
    }
}

/// A value of the environment, read at each access.
/// [Environment](https://developer.apple.com/documentation/swiftui/environment)
@propertyWrapper public struct Environment<Value> {
    private let keyPath: KeyPath<EnvironmentValues, Value>

    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { self.keyPath = keyPath }

    public var wrappedValue: Value { EnvironmentValues()[keyPath: keyPath] }
}
