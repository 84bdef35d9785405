import Foundation
@_spi(Simulation) import UIKit

/// How the phone is held, and whether it is dark: what apps adapt to.
extension Phone {
    /// Rotates the phone.
    ///
    /// The app in front rotates with it, if it supports the orientation; others when they come to the front.
    public func rotate(to orientation: UIDeviceOrientation) async {
        self.orientation = orientation
        await tellAppInFront()
        changed(.screen)
    }

    /// Sets Settings → Display & Brightness: light, or dark.
    ///
    /// The app in front is told at once, others when they come to the front.
    public func setDarkMode(_ isOn: Bool) async {
        isDarkModeOn = isOn
        await tellAppInFront()
        changed(.screen)
    }

    private func tellAppInFront() async {
        if let front = frontApp, let process = apps[front]?.process { await tellSurroundings(process) }
    }

    /// Does nothing for an app that knows already.
    func tellSurroundings(_ process: AppProcess) async {
        let (device, style) = (orientation, isDarkModeOn ? UIUserInterfaceStyle.dark : .light)
        guard process.application.isUnaware(of: device, style: style) else { return }
        await call(process) { process.application.follow(device: device, style: style) }
    }
}
