/// Names an app: by its number within the store, and by its topic to the rest of the world.
package struct AppReference: Sendable, Hashable {
    package var number: AppNumber
    /// The app's bundle id.
    package var topic: String
}

/// An app's number within one store.
///
/// A type of its own, so that no call can be made without saying whose data it is about.
package struct AppNumber: RawRepresentable, Sendable, Hashable {
    package var rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }
}
