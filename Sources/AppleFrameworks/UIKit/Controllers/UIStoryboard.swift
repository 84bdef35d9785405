import Foundation
@_spi(Simulation) import UserNotifications

/// An object that makes the view controllers of one storyboard, each by its identifier.
///
/// Differs from iOS: there are no storyboard files; `AppBundle.storyboards` defines the controller of each identifier.
/// [UIStoryboard](https://developer.apple.com/documentation/uikit/uistoryboard)
@MainActor @preconcurrency open class UIStoryboard: NSObject {
    private let name: String

    public init(name: String, bundle storyboardBundleOrNil: Bundle?) { self.name = name }

    open func instantiateInitialViewController() -> UIViewController? { make(nil) }

    open func instantiateViewController(withIdentifier identifier: String) -> UIViewController {
        if let controller = make(identifier) { return controller }
        SimulatedDevices.hasMade(mistake: "storyboardWithoutController", "\(identifier) in \(name)")
        return UIViewController()
    }

    /// Makes the view controller with this identifier.
    ///
    /// - Parameter creator: never called, because nothing is read from a file.
    @available(iOS 13, *)
    open func instantiateViewController<ViewController: UIViewController>(
        identifier: String, creator: ((NSCoder) -> ViewController?)? = nil
    ) -> ViewController {
        if let controller = make(identifier) as? ViewController { return controller }
        SimulatedDevices.hasMade(
            mistake: "storyboardWithoutController", "\(identifier) in \(name), a \(ViewController.self)")
        return Creatable.make(ViewController.self)
    }

    private func make(_ identifier: String?) -> UIViewController? {
        let process = SimulatedDevices.currentProcess as? any SimulatedAppProcess
        let controller = process?.makeViewController(storyboard: name, identifier: identifier)
        controller?.storyboard = self
        return controller
    }
}
