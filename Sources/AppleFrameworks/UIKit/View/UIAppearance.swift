import Foundation

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
    /// Returns the object that takes the settings for all views of the class.
    ///
    /// Differs from iOS: only UIKit's own classes have an appearance; for an app's own class, this method stops the program
    /// with an explanation.
    public static func appearance() -> Self {
        guard let view = appearances[ObjectIdentifier(self)]?() as? Self else {
            preconditionFailure("\(self).appearance() is not there on a simulated phone: set it where the view is made")
        }
        return view
    }

    @available(iOS 9, *)
    public static func appearance(
        whenContainedInInstancesOf containerTypes: [any UIAppearanceContainer.Type]
    ) -> Self { appearance() }

    /// The hidden views that hold the appearances of UIKit's classes, one view for each class.
    private static let appearances: [ObjectIdentifier: @MainActor () -> UIView] = [
        ObjectIdentifier(UIActivityIndicatorView.self): { UIActivityIndicatorView(style: .medium) },
        ObjectIdentifier(UIButton.self): { UIButton(frame: .zero) },
        ObjectIdentifier(UIControl.self): { UIControl(frame: .zero) },
        ObjectIdentifier(UIImageView.self): { UIImageView(frame: .zero) },
        ObjectIdentifier(UILabel.self): { UILabel(frame: .zero) },
        ObjectIdentifier(UINavigationBar.self): { UINavigationBar(frame: .zero) },
        ObjectIdentifier(UIScrollView.self): { UIScrollView(frame: .zero) },
        ObjectIdentifier(UISwitch.self): { UISwitch(frame: .zero) },
        ObjectIdentifier(UITabBar.self): { UITabBar(frame: .zero) },
        ObjectIdentifier(UITableView.self): { UITableView(frame: .zero, style: .plain) },
        ObjectIdentifier(UITableViewCell.self): { UITableViewCell(style: .default, reuseIdentifier: nil) },
        ObjectIdentifier(UITextField.self): { UITextField(frame: .zero) },
        ObjectIdentifier(UITextView.self): { UITextView(frame: .zero) },
        ObjectIdentifier(UIView.self): { UIView(frame: .zero) },
    ]
}
