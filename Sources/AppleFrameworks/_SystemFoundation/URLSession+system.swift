import Foundation
import FoundationNetworking

// A separate module, because in UserNotifications these names mean the phone's versions, and Foundation's could not be reached.
// This applies to all files here.
extension URLSession {
    /// Foundation's `URLSession.shared`, which UserNotifications replaces for apps.
    public static var system: URLSession { shared }

    /// Calls Foundation's `URLSession(configuration:delegate:delegateQueue:)`, which UserNotifications replaces for apps.
    public convenience init(
        system configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?, queue: OperationQueue?
    ) {
        self.init(configuration: configuration, delegate: delegate, delegateQueue: queue)
    }
}
