/// The times in explanations; the simulated phone keeps to them.
package enum IOSTimes {
    /// The seconds for which an app runs after a push has woken it.
    ///
    /// See
    /// [didReceiveRemoteNotification](https://developer.apple.com/documentation/uikit/uiapplicationdelegate/application(_:didreceiveremotenotification:fetchcompletionhandler:)).
    package static let backgroundTimeSeconds = 30
    /// The seconds for which a service extension may run.
    ///
    /// See [Modifying content in newly delivered
    /// notifications](https://developer.apple.com/documentation/usernotifications/modifying-content-in-newly-delivered-notifications).
    package static let serviceExtensionSeconds = 30
}
