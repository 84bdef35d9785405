import Foundation
@_spi(Simulation) import UserNotifications

/// A protocol for setting the appearance of all views of a class at once.
/// [UIAppearance](https://developer.apple.com/documentation/uikit/uiappearance)
@MainActor @preconcurrency public protocol UIAppearance: NSObjectProtocol {
    /// Returns the object that takes the settings for all views of the class.
    ///
    /// Differs from iOS: accepts all settings, but changes no view.
    static func appearance() -> Self
    /// Returns the object that takes the settings for all views of the class inside certain containers.
    ///
    /// Differs from iOS: accepts all settings, but changes no view.
    @available(iOS 9, *)
    static func appearance(whenContainedInInstancesOf containerTypes: [any UIAppearanceContainer.Type]) -> Self
}

/// A class of containers; an appearance setting can be restricted to the views inside them.
/// [UIAppearanceContainer](https://developer.apple.com/documentation/uikit/uiappearancecontainer)
@MainActor @preconcurrency public protocol UIAppearanceContainer: NSObjectProtocol {}

extension UIViewController: UIAppearanceContainer {}

extension UIView: UIAppearance, UIAppearanceContainer {
    /// Returns a view that takes the settings for all views of the class, and is never shown.
    ///
    /// Differs from iOS: accepts all settings, but changes no view. An app's own class is made by its `init()`; without one,
    /// Swift stops the program.
    public static func appearance() -> Self { Creatable.make(self) }

    @available(iOS 9, *)
    public static func appearance(
        whenContainedInInstancesOf containerTypes: [any UIAppearanceContainer.Type]
    ) -> Self { appearance() }
}
