import Foundation

/// A caller of the app-delegate methods that are deprecated since iOS 10.
///
/// The protocol is not deprecated, so the phone can call the methods through it without compiler warnings.
@_spi(Simulation) @MainActor public protocol OldDelegateCalls {
    /// Tells the app's delegate that a local notification has fired or was tapped.
    ///
    /// - Parameter original: the `UILocalNotification` that was scheduled.
    func received(local original: AnyObject, _ application: UIApplication)
    func handle(
        action identifier: String, local original: AnyObject, text: String?, _ application: UIApplication,
        completionHandler: @escaping @Sendable () -> Void)
    func open(
        _ url: URL, options: [UIApplication.OpenURLOptionsKey: Any], _ application: UIApplication,
        delegate: any UIApplicationDelegate
    ) -> Bool
    func handle(
        action identifier: String, remote userInfo: [AnyHashable: Any], text: String?, _ application: UIApplication,
        completionHandler: @escaping @Sendable () -> Void)
}

@_spi(Simulation) public struct OldDelegateMethods: OldDelegateCalls {
    public init() {}

    @available(*, deprecated)
    public func received(local original: AnyObject, _ application: UIApplication) {
        guard let notification = original as? UILocalNotification else { return }
        application.delegate?.application(application, didReceive: notification)
    }

    @available(*, deprecated)
    public func handle(
        action identifier: String, local original: AnyObject, text: String?, _ application: UIApplication,
        completionHandler: @escaping @Sendable () -> Void
    ) {
        guard let notification = original as? UILocalNotification, let delegate = application.delegate else {
            return completionHandler()
        }
        delegate.application(
            application, handleActionWithIdentifier: identifier, for: notification,
            withResponseInfo: Self.info(text), completionHandler: completionHandler)
    }

    @available(*, deprecated)
    public func handle(
        action identifier: String, remote userInfo: [AnyHashable: Any], text: String?, _ application: UIApplication,
        completionHandler: @escaping @Sendable () -> Void
    ) {
        guard let delegate = application.delegate else { return completionHandler() }
        delegate.application(
            application, handleActionWithIdentifier: identifier, forRemoteNotification: userInfo,
            withResponseInfo: Self.info(text), completionHandler: completionHandler)
    }

    @available(*, deprecated)
    public func open(
        _ url: URL, options: [UIApplication.OpenURLOptionsKey: Any], _ application: UIApplication,
        delegate: any UIApplicationDelegate
    ) -> Bool {
        delegate.application(
            application, open: url, sourceApplication: options[.sourceApplication] as? String,
            annotation: options[.annotation] ?? NSNull())
    }

    @available(*, deprecated)
    private static func info(_ text: String?) -> [AnyHashable: Any] {
        text.map { [UIUserNotificationActionResponseTypedTextKey: $0] } ?? [:]
    }
}
