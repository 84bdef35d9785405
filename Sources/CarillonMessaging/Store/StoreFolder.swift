/// The folders of the store.
package enum StoreFolder: Sendable, Hashable, CaseIterable {
    /// Written by the app alone.
    case app
    /// Where the service extension leaves what the app does not know, and the app removes what it has taken over.
    case serviceExtension

    /// Below the folder `Carillon`; `nil` for that folder itself.
    var name: String? {
        switch self {
        case .app: nil
        case .serviceExtension: "extension"
        }
    }
}
