import Foundation
import Synchronization
@_spi(Simulation) import UserNotifications

/// The keychain as one app or extension on a phone sees it.
///
/// Differs from iOS: the items are deleted with the phone, and an app may use any access group that it names.
struct Keychain {
    /// An item of the keychain.
    ///
    /// `@unchecked Sendable`: the attributes are copies that are never modified.
    struct Item: @unchecked Sendable {
        let itemClass: String
        var group: String
        var attributes: [String: NSObject]
        var data: Data
    }

    /// The keychain items of one phone. All apps on the phone share them, because they count as one vendor's apps.
    private final class OfPhone: Sendable {
        let items = Mutex<[Item]>([])
    }

    var items: [Item]
    /// The access group for queries that name no group: the access group of the app, or of the service extension.
    let ownGroup: String
    /// Whether the phone is unlocked; some items are accessible only then.
    let isUnlocked: Bool

    /// Calls `body` with the keychain of the app or extension whose code is running.
    static func ofCaller(_ body: (inout Keychain) -> OSStatus) -> OSStatus {
        guard let device = SimulatedDevices.taskLocal else { return errSecNotAvailable }
        guard device.vendorIdentifier != nil else { return errSecInteractionNotAllowed }
        let ownGroup = device.containerDirectory(appGroup: nil).path
        return device.memory.object(OfPhone.init).items.withLock { items in
            var keychain = Keychain(items: items, ownGroup: ownGroup, isUnlocked: device.isProtectedDataOpen)
            defer { items = keychain.items }
            return body(&keychain)
        }
    }

    /// Returns whether the phone's lock allows reading, writing and adding an item at the moment.
    ///
    /// An item without the attribute `kSecAttrAccessible` is accessible on an unlocked phone only:
    /// [kSecAttrAccessible](https://developer.apple.com/documentation/security/ksecattraccessible).
    func opens(_ item: Item) -> Bool {
        guard !isUnlocked, let accessible = item.attributes[kSecAttrAccessible] else { return isUnlocked }
        return !Self.unlockedOnly.contains(accessible)
    }

    private static var unlockedOnly: [NSObject] {
        let names = [
            kSecAttrAccessibleWhenUnlocked, kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
            kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly,
        ]
        return names.map { $0 as NSString }
    }
}

/// A keychain query, read from the dictionary that an app passes to Security.
struct KeychainQuery {
    let itemClass: String?
    private let group: String?
    private let ownGroup: String
    private let attributes: [String: NSObject]
    private let data: Data?
    private let wantsData: Bool
    private let wantsAttributes: Bool
    private let wantsAll: Bool

    /// The attributes that identify an item: two items that agree in them are duplicates.
    private static let keys = [
        "genp": [kSecAttrAccount, kSecAttrService, kSecAttrSynchronizable],
        "inet": [kSecAttrAccount, kSecAttrServer, kSecAttrSynchronizable],
    ]

    /// Reads a query from the dictionary that an app passes to a keychain function.
    ///
    /// - Parameter ownGroup: the access group of the caller.
    init(_ dictionary: CFDictionary, in ownGroup: String) {
        var members: [String: Any] = [:]
        for (key, value) in dictionary { if let key = key as? String { members[key] = value } }
        func flag(_ name: String) -> Bool { members[name] as? Bool ?? false }
        self.ownGroup = ownGroup
        itemClass = members[kSecClass] as? String
        group = members[kSecAttrAccessGroup] as? String
        data = members[kSecValueData] as? Data
        (wantsData, wantsAttributes) = (flag(kSecReturnData), flag(kSecReturnAttributes))
        wantsAll = members[kSecMatchLimit] as? String == kSecMatchLimitAll
        let other = [kSecClass, kSecAttrAccessGroup, kSecUseDataProtectionKeychain]
        attributes = members.reduce(into: [:]) { attributes, member in
            let isAttribute = !other.contains(member.key) && !member.key.contains("_")
            if isAttribute, member.value as? String != kSecAttrSynchronizableAny {
                attributes[member.key] = Self.object(member.value)
            }
        }
    }

    private static func object(_ value: Any) -> NSObject {
        switch value {
        case let text as String: text as NSString
        case let data as Data: data as NSData
        case let object as NSObject: object
        default: "\(value)" as NSString
        }
    }

    /// Returns whether the query matches an item.
    ///
    /// A query without a group matches items of the app's own group and of the shared groups.
    func matches(_ item: Keychain.Item) -> Bool {
        guard itemClass == nil || itemClass == item.itemClass else { return false }
        guard group.map({ $0 == item.group }) ?? (item.group == ownGroup || !item.group.hasPrefix("/")) else {
            return false
        }
        return attributes.allSatisfy { item.attributes[$0.key] == $0.value }
    }

    /// Returns whether an existing item is a duplicate of the item that this query would add.
    func isKey(of item: Keychain.Item) -> Bool {
        guard itemClass == item.itemClass, group ?? ownGroup == item.group else { return false }
        let keys = Self.keys[item.itemClass] ?? Array(attributes.keys)
        return keys.allSatisfy { attributes[$0] == item.attributes[$0] }
    }

    func item(in ownGroup: String) -> Keychain.Item {
        Keychain.Item(
            itemClass: itemClass ?? "", group: group ?? ownGroup, attributes: attributes, data: data ?? Data())
    }

    func apply(to item: inout Keychain.Item) {
        item.attributes.merge(attributes) { $1 }
        if let group { item.group = group }
        if let data { item.data = data }
    }

    func fill(_ result: UnsafeMutablePointer<CFTypeRef?>?, with items: [Keychain.Item]) {
        guard let result, wantsData || wantsAttributes else { return }
        let returned = (wantsAll ? items : Array(items.prefix(1))).map(returned)
        result.pointee = wantsAll ? returned as NSArray : returned.first
    }

    private func returned(_ item: Keychain.Item) -> NSObject {
        guard wantsAttributes else { return item.data as NSData }
        var members: [String: Any] = item.attributes
        members[kSecClass] = item.itemClass
        members[kSecAttrAccessGroup] = item.group
        if wantsData { members[kSecValueData] = item.data }
        return members as NSDictionary
    }
}
