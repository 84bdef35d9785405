import CarillonCore

/// Sends each push to the APNs environment that its device token belongs to.
package struct EnvironmentSender: NotificationSender {
    private let production: any NotificationSender
    private let sandbox: any NotificationSender

    package init(production: any NotificationSender, sandbox: any NotificationSender) {
        self.production = production
        self.sandbox = sandbox
    }

    package func send(_ push: ComposedPush) async -> SendOutcome {
        switch push.app.environment {
        case .production: await production.send(push)
        case .sandbox: await sandbox.send(push)
        }
    }
}
