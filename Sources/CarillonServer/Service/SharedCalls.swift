import CarillonCore

/// The functions of the store that every route may use, to authenticate its caller and to answer an installation.
///
/// A route that needs other functions of the store has them in its own properties, such as a ``MessageCalls``.
struct SharedCalls: Sendable {
    private let store: Store

    init(_ store: Store) { self.store = store }

    func apiKey(_ id: String) async throws -> APIKeyRecord? { try await store.keys.apiKey(id) }

    func signInKeys(of app: AppNumber) async throws -> [SignInKey] { try await store.keys.signInKeys(of: app) }

    func device(_ id: String) async throws -> DeviceRecord? { try await store.devices.device(id) }

    /// Returns the answer to an installation's request to sync; `nil` for an unknown device.
    ///
    /// The answer (``SyncAnswer``) has the removals and the unread count that the installation needs to be up to date.
    ///
    /// - Parameters:
    ///   - device: the device's id.
    ///   - limit: the greatest number of removals in the answer.
    ///   - now: the time of the call.
    /// - Returns: the answer.
    /// - Throws: the errors of the store.
    func sync(_ device: String, limit: Int, at now: Timestamp) async throws -> SyncAnswer? {
        try await store.sync.answer(to: device, limit: limit, at: now)
    }

    /// Returns the number of an app's waiting pushes, or `limit` if more wait.
    func waiting(in app: AppNumber, atMost limit: Int) async throws -> Int {
        try await store.sending.waiting(in: app, atMost: limit)
    }
}
