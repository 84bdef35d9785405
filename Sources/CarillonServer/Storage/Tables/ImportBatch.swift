import CarillonCore

/// The devices that one transaction imports.
///
/// The transaction reads all known devices with one statement, and also inserts the new devices with one statement.
struct ImportBatch {
    /// The key by which an imported device is recognised: its token and environment.
    struct Key: Hashable {
        let app: Int64
        let environment: String
        let token: String

        init(_ device: ImportedDevice) {
            app = device.app.number.rawValue
            environment = device.environment.rawValue
            token = device.token.hex
        }

        init(_ row: SQLRow) throws {
            app = try row["app"]
            environment = try row["environment"]
            token = try row["token"]
        }
    }

    /// The rows of the devices to import that the store already has.
    var known: [Key: SQLRow] = [:]
    /// The number of devices that are bound to each user.
    var counts: [UserReference: Int] = [:]
    /// The new devices that have not been inserted yet, in order.
    private(set) var new: [ImportedDevice] = []
    private var newKeys: Set<Key> = []

    func isNew(_ key: Key) -> Bool { newKeys.contains(key) }

    mutating func add(_ device: ImportedDevice) {
        new.append(device)
        newKeys.insert(Key(device))
    }

    mutating func takeNew() -> [ImportedDevice] {
        defer { (new, newKeys) = ([], []) }
        return new
    }

    /// Updates ``counts`` after a device was bound to another user.
    mutating func move(from old: String?, to user: String?, of app: AppNumber) {
        guard old != user else { return }
        if let old { counts[UserReference(old, of: app), default: 0] -= 1 }
        if let user { counts[UserReference(user, of: app), default: 0] += 1 }
    }
}
