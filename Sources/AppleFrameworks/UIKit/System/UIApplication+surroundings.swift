import Foundation
@_spi(Simulation) import UserNotifications

/// The style and the orientation of the phone, as last reported to the app.
struct Surroundings: Equatable {
    var style = UIUserInterfaceStyle.light
    var device = UIDeviceOrientation.portrait
}

extension UIApplication {
    /// The orientation in which the app is drawn.
    @available(iOS, introduced: 2, deprecated: 13)
    public var statusBarOrientation: UIInterfaceOrientation {
        connectedScenes.lazy.compactMap { ($0 as? UIWindowScene)?.screen }.first?.orientation ?? .portrait
    }

    @_spi(Simulation) public func isUnaware(of device: UIDeviceOrientation, style: UIUserInterfaceStyle) -> Bool {
        surroundings != Surroundings(style: style, device: device)
    }

    /// Adapts the app's windows to the simulated phone's orientation and to its light or dark style, and tells the app of the
    /// changes.
    @_spi(Simulation) public func follow(device: UIDeviceOrientation, style: UIUserInterfaceStyle) {
        guard let screen = connectedScenes.compactMap({ ($0 as? UIWindowScene)?.screen }).first else { return }
        let before = screen.traits(style: surroundings.style)
        let turned = surroundings.device != device
        surroundings = Surroundings(style: style, device: device)
        if let wanted = device.interface, wanted != screen.orientation, supports(wanted) {
            rotate(screen, to: wanted)
        }
        let after = screen.traits(style: style)
        if after != before {
            for window in windowsBackToFront { window.tellTraits(before) }
            backend.viewsChanged()
        }
        if turned, orientationListeners > 0 {
            NotificationCenter.default.postInOrder(
                name: UIDevice.orientationDidChangeNotification, object: UIDevice.current)
        }
    }

    /// Returns whether the app and its topmost controller both support an orientation.
    ///
    /// iOS asks the topmost window with a controller, even if it is not the key window.
    private func supports(_ orientation: UIInterfaceOrientation) -> Bool {
        let app = delegate?.application(self, supportedInterfaceOrientationsFor: topWindow) ?? .allButUpsideDown
        let screen = topController?.supportedInterfaceOrientations ?? .allButUpsideDown
        return app.intersection(screen).contains(UIInterfaceOrientationMask(orientation))
    }

    private var topWindow: UIWindow? { windowsBackToFront.last { $0.rootViewController != nil } ?? currentKeyWindow }

    /// The topmost controller, which decides about orientation and status bar.
    var topController: UIViewController? {
        var controller = topWindow?.rootViewController
        while let presented = controller?.presentedViewController { controller = presented }
        return controller
    }

    /// Rotates the windows. As on iOS, windows without a controller are not rotated.
    private func rotate(_ screen: UIScreen, to orientation: UIInterfaceOrientation) {
        let old = screen.bounds.size
        let turning = windowsBackToFront.filter { $0.rootViewController != nil && $0.bounds.size == old }
        let new =
            orientation.isLandscape == screen.orientation.isLandscape
            ? old : CGSize(width: old.height, height: old.width)
        let coordinator = TransitionCoordinator()
        for window in turning { window.rootViewController?.viewWillTransition(to: new, with: coordinator) }
        screen.turn(to: orientation)
        for window in turning { window.frame = CGRect(origin: .zero, size: new) }
        for window in windowsBackToFront { window.surroundingsChanged() }
        coordinator.runAlongside()
        for window in windowsBackToFront { window.layoutIfNeeded() }
        coordinator.complete()
    }
}

extension UIView {
    fileprivate func tellTraits(_ before: UITraitCollection) {
        traitCollectionDidChange(before)
        viewController?.traitCollectionDidChange(before)
        for view in subviews { view.tellTraits(before) }
    }
}

extension UIWindowScene {
    var style: UIUserInterfaceStyle {
        (SimulatedDevices.currentProcess as? any SimulatedAppProcess)?.application.surroundings.style ?? .light
    }
}
