import Foundation
import FoundationNetworking

// A module of its own, because in UserNotifications these names mean the phone's, and there would be no other
// way to reach Foundation's. So with all of its files.
extension URLSession {
    /// Foundation's `URLSession.shared`.
    public static var system: URLSession { shared }

    /// Calls Foundation's `URLSession(configuration:delegate:delegateQueue:)`.
    public convenience init(
        system configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?, queue: OperationQueue?
    ) {
        self.init(configuration: configuration, delegate: delegate, delegateQueue: queue)
    }
}
