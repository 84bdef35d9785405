import CarillonCore

/// The devices that one transaction imports.
///
/// One statement reads those of the devices that are already stored; another inserts the new ones.
struct ImportBatch {
    /// The key by which an imported device is recognised: its app, its token and its APNs environment.
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

    /// The stored rows of devices that are imported again, by key.
    var known: [Key: SQLRow] = [:]
    /// The number of devices on which each user is signed in, including devices of this import.
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

    /// Updates ``counts`` when the import replaces a device's user by another; `nil` stands for no user.
    mutating func move(from old: String?, to user: String?, of app: AppNumber) {
        guard old != user else { return }
        if let old { counts[UserReference(old, of: app), default: 0] -= 1 }
        if let user { counts[UserReference(user, of: app), default: 0] += 1 }
    }
}
