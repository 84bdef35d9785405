import CarillonCore

/// A reference to a message: its id, and the app in which the id is unique.
package struct MessageReference: Sendable, Hashable {
    package var app: AppNumber
    package var id: MessageID

    package init(_ id: MessageID, of app: AppNumber) {
        self.app = app
        self.id = id
    }
}
