/// The names of the store's files beside those of a ``StoreGeneration``.
package enum StoreFileName {
    /// The ``InstallationIdentity``.
    package static let identity = "installation.json"
    /// The `InboxState`.
    package static let inbox = "inbox.json"
    /// Every file of the service extension ends so; what it is about to write does not.
    package static let extensionEnding = ".change"
}
