import CarillonCore
import Foundation

/// Whatever brings a push to APNs.
package protocol NotificationSender: Sendable {
    /// Sends one push and waits for its answer. It must answer within a bounded time, and well within
    /// ``ServiceConfiguration/leaseDuration``; it is called many times at once.
    func send(_ push: ComposedPush) async -> SendOutcome
}

/// What came of sending one push.
package enum SendOutcome: Sendable, Hashable {
    case accepted(apnsID: UUID)
    case rejected(SendRejection)
    /// It was sent, or may have been, and the answer never came.
    case unknown(String)
    /// It never left: no connection, no credential to sign with, shutting down.
    case notSent(String)
}

/// What APNs said when it did not take a push.
package struct SendRejection: Sendable, Hashable {
    package var reason: APNsReason
    /// The HTTP status.
    package var status: Int
    /// With 410: since when the token is not valid.
    package var timestamp: Timestamp?

    package init(reason: APNsReason, status: Int, timestamp: Timestamp? = nil) {
        self.reason = reason
        self.status = status
        self.timestamp = timestamp
    }
}

/// A sender for each of Apple's two worlds.
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
