import CarillonCore
import Foundation

/// Whatever brings a push to APNs.
public protocol NotificationSender: Sendable {
    /// Sends one push and waits for its answer. It must answer within a bounded time, and well within
    /// ``ServiceConfiguration/leaseDuration``; it is called many times at once.
    func send(_ push: ComposedPush) async -> SendOutcome
}

/// What came of sending one push.
public enum SendOutcome: Sendable, Hashable {
    case accepted(apnsID: UUID)
    case rejected(SendRejection)
    /// It was sent, or may have been, and the answer never came.
    case unknown(String)
    /// It never left: no connection, no credential to sign with, shutting down.
    case notSent(String)
}

/// What APNs said when it did not take a push.
public struct SendRejection: Sendable, Hashable {
    public var reason: APNsReason
    /// The HTTP status.
    public var status: Int
    /// With 410: since when the token is not valid.
    public var timestamp: Timestamp?

    public init(reason: APNsReason, status: Int, timestamp: Timestamp? = nil) {
        self.reason = reason
        self.status = status
        self.timestamp = timestamp
    }
}

/// A sender for each of Apple's two worlds.
public struct EnvironmentSender: NotificationSender {
    private let production: any NotificationSender
    private let sandbox: any NotificationSender

    public init(production: any NotificationSender, sandbox: any NotificationSender) {
        self.production = production
        self.sandbox = sandbox
    }

    public func send(_ push: ComposedPush) async -> SendOutcome {
        switch push.app.environment {
        case .production: await production.send(push)
        case .sandbox: await sandbox.send(push)
        }
    }
}
