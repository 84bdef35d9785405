import CarillonCore

/// Devices that are imported in one transaction: known ones are read together, and new ones are written together.
struct ImportBatch {
    /// The key that identifies an imported device.
    struct Key: Hashable {
        let app: Int64
        let environment: String
        let token: String

        init(_ device: ImportedDevice) {
            app = device.app.number.rawValue
            environment = device.environment.rawValue
            token = device.token.hex
        }

        init(_ row: SQLRow) {
            app = row["app"]
            environment = row["environment"]
            token = row["token"]
        }
    }

    /// The rows of devices with these tokens.
    var known: [Key: SQLRow] = [:]
    /// The number of devices of each user.
    var counts: [UserReference: Int] = [:]
    /// The devices that are not written yet, in their order.
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

    /// Updates the counts after a device has moved from one user to another.
    mutating func move(from old: String?, to user: String?, of app: AppNumber) {
        guard old != user else { return }
        if let old { counts[UserReference(old, of: app), default: 0] -= 1 }
        if let user { counts[UserReference(user, of: app), default: 0] += 1 }
    }
}
