/// Names a user: the customer's own id, and the app whose user it is.
///
/// A user `u-42` of one app and of another are two people to the service.
package struct UserReference: Sendable, Hashable {
    package var app: AppNumber
    package var id: String

    package init(_ id: String, of app: AppNumber) {
        self.app = app
        self.id = id
    }
}
