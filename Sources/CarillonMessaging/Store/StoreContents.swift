/// Everything that outlives a launch, except the ``InstallationIdentity`` and the inbox.
package struct StoreContents: Sendable, Hashable, Codable {
    // The names of the stored properties are keys of a snapshot (``StoreGeneration``).

    package var policy: MessagePolicy
    package var registration = RegistrationState()

    /// - Parameter randomness: makes the ids of receipts unique among installations.
    package init(using randomness: inout some RandomNumberGenerator) {
        policy = MessagePolicy(receiptPrefix: InstallationIdentity.hexadecimal(byteCount: 8, using: &randomness))
    }
}
