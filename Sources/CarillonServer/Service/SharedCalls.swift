import CarillonCore

/// The store calls that every route may make, to authenticate its caller and to answer an installation.
///
/// Store calls that only one route makes are properties of that route.
struct SharedCalls: Sendable {
    private let store: Store

    init(_ store: Store) { self.store = store }

    func apiKey(_ id: String) async throws -> APIKeyRecord? { try await store.keys.apiKey(id) }

    func signInKeys(of app: AppNumber) async throws -> [SignInKey] { try await store.keys.signInKeys(of: app) }

    func device(_ id: String) async throws -> DeviceRecord? { try await store.devices.device(id) }

    /// Returns the state that brings a device up to date; `nil` for an unknown device.
    ///
    /// - Parameters:
    ///   - device: the device's id.
    ///   - limit: the greatest number of removals in the state.
    ///   - now: the time of the call.
    /// - Returns: the state.
    /// - Throws: the errors of the store.
    func sync(_ device: String, limit: Int, at now: Timestamp) async throws -> SyncAnswer? {
        try await store.sync.answer(to: device, limit: limit, at: now)
    }

    /// Returns the number of an app's waiting pushes; at most `limit`.
    func waiting(in app: AppNumber, atMost limit: Int) async throws -> Int {
        try await store.sending.waiting(in: app, atMost: limit)
    }
}
