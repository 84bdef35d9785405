import CarillonCore
import Foundation

/// A backend's request to reload widgets or controls, checked by the service.
package struct NewWidgetReload: Sendable, Hashable {
    var app: AppReference
    var audience: Audience
    /// The kinds of the controls to reload; `nil` for the widgets.
    var controls: [String]?
    /// The time after which no push is sent.
    var until: Timestamp
    /// The idempotency key of the request; `nil` for none.
    var idempotencyKey: IdempotencyKey?
    /// The hash of the request's body, by which a repetition is recognized.
    var fingerprint = Data()
}
