/// Another push service whose calls this service takes, so that its callers change an address and no code.
///
/// A door reads a call in the other service's words, and sends its messages as `POST /v1/notifications` would. All doors are closed
/// unless `carillon serve --door` opens them.
package enum Door: String, Sendable, Hashable, CaseIterable {
    /// gorush: `POST /api/push` ([source](https://github.com/appleboy/gorush)).
    case gorush
    /// OneSignal: `POST /notifications`
    /// ([source](https://documentation.onesignal.com/reference/create-message)).
    case onesignal
}
