/// A reference to a user: the id that the customer chose, and the app that the user belongs to.
///
/// A user `u-42` of one app and a user `u-42` of another are two people to the service.
package struct UserReference: Sendable, Hashable {
    package var app: AppNumber
    package var id: String

    package init(_ id: String, of app: AppNumber) {
        self.app = app
        self.id = id
    }
}
