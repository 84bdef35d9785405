/// The names of the store's files beside those of a ``StoreGeneration``.
enum StoreFileName {
    /// The ``InstallationIdentity``.
    static let identity = "installation.json"
    /// The ``InboxState``.
    static let inbox = "inbox.json"
    /// Every file of the service extension ends so; what it is about to write does not.
    static let extensionEnding = ".change"
}
