import Foundation
import SQLite3
import Security
import WidgetKit

/// A token in the keychain, as apps share it with their extensions.
enum TokenKeychain {
    static let group = "TEAM.app.unchanged"

    private static func query(_ account: String, group: String?) -> [String: Any] {
        var query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: "tokens",
            kSecAttrAccount as String: account,
        ]
        if let group { query[kSecAttrAccessGroup as String] = group }
        return query
    }

    static func write(_ token: String, for account: String, group: String? = nil) -> OSStatus {
        var attributes = query(account, group: group)
        attributes[kSecValueData as String] = Data(token.utf8)
        attributes[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlock
        let status = SecItemAdd(attributes as CFDictionary, nil)
        guard status == errSecDuplicateItem else { return status }
        let change = [kSecValueData: Data(token.utf8)] as [CFString: Any] as CFDictionary
        return SecItemUpdate(query(account, group: group) as CFDictionary, change)
    }

    static func read(_ account: String, group: String? = nil) -> Result<String?, Unread> {
        var query = query(account, group: group)
        query[kSecReturnData as String] = kCFBooleanTrue
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        var item: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &item)
        guard status == errSecSuccess else { return .failure(Unread(status: status)) }
        WidgetCenter.shared.reloadAllTimelines()
        return .success((item as? Data).flatMap { String(data: $0, encoding: .utf8) })
    }

    static func accounts() -> [String] {
        let query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecMatchLimit: kSecMatchLimitAll, kSecReturnAttributes: true,
        ]
        var items: AnyObject?
        guard SecItemCopyMatching(query as CFDictionary, &items) == errSecSuccess else { return [] }
        return (items as? [[String: Any]] ?? []).compactMap { $0[kSecAttrAccount as String] as? String }
    }

    static func delete(_ account: String) -> OSStatus { SecItemDelete(query(account, group: nil) as CFDictionary) }

    static var databaseVersion: Int32 { sqlite3_libversion_number() }

    struct Unread: Error, Equatable {
        let status: OSStatus
    }
}
