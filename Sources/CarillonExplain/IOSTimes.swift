/// The times that an explanation names; the simulated phone keeps them.
package enum IOSTimes {
    /// How long an app runs that a push has woken:
    /// [didReceiveRemoteNotification](https://developer.apple.com/documentation/uikit/uiapplicationdelegate/application(_:didreceiveremotenotification:fetchcompletionhandler:)).
    package static let backgroundTimeSeconds = 30
    /// How long a service extension has:
    /// [Modifying content in newly delivered notifications](https://developer.apple.com/documentation/usernotifications/modifying-content-in-newly-delivered-notifications).
    package static let serviceExtensionSeconds = 30
}
