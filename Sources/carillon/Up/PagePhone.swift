import CarillonDevice

/// One of the page's phones.
@MainActor
final class PagePhone {
    nonisolated let id: String
    init(id: String) { self.id = id }
    func perform(_ verb: PhoneVerb) async throws {}
}
