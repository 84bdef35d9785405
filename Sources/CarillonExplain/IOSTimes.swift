/// The time limits of iOS that explanations mention; the simulated phone applies them too.
package enum IOSTimes {
    /// The number of seconds for which an app may run after a push has woken it.
    ///
    /// See
    /// [didReceiveRemoteNotification](https://developer.apple.com/documentation/uikit/uiapplicationdelegate/application(_:didreceiveremotenotification:fetchcompletionhandler:)).
    package static let backgroundTimeSeconds = 30
    /// The number of seconds for which a service extension may run.
    ///
    /// See [Modifying content in newly delivered
    /// notifications](https://developer.apple.com/documentation/usernotifications/modifying-content-in-newly-delivered-notifications).
    package static let serviceExtensionSeconds = 30
}
