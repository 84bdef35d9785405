import CarillonCore
import Foundation

/// What came of sending one push.
package enum SendOutcome: Sendable, Hashable {
    case accepted(apnsID: UUID)
    case rejected(SendRejection)
    /// It was sent, or may have been, and the answer never came.
    case unknown(String)
    /// It never left: no connection, no credential to sign with, shutting down.
    case notSent(String)
    /// It never left: this process has no credential for the app.
    case noCredential(String)
}
