/// A reference to a user: the id by which the backend knows the user, and the app that the user belongs to.
///
/// To the service, a user `u-42` of one app and a user `u-42` of another app are two people.
package struct UserReference: Sendable, Hashable {
    package var app: AppNumber
    package var id: String

    package init(_ id: String, of app: AppNumber) {
        self.app = app
        self.id = id
    }
}
