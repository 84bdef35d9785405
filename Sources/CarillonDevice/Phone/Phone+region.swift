import Foundation

extension Phone {
    /// Sets Settings → General → Language & Region.
    ///
    /// As on iOS, apps are ended by it, and find the new language at their next launch.
    ///
    /// - Parameter new: decides how the phone writes time and date, and which way views are laid out
    ///   (`UIView.userInterfaceLayoutDirection(for:)`).
    public func setLocale(_ new: Locale) {
        guard new != locale else { return }
        locale = new
        for app in apps.values { end(app) }
        changed(.screen)
    }
}
