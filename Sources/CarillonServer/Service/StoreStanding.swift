/// The result of a health check of the store, which reads from it and writes to it.
enum StoreStanding: Sendable {
    /// The store can be read and written.
    case good(StoreHealth)
    /// The store cannot be read, or cannot be written; the text is the reason.
    case failed(String)

    /// The reason for which the store cannot be used; `nil` if it can be used.
    var reason: String? { if case .failed(let reason) = self { reason } else { nil } }
}
