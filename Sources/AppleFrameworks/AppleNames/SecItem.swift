import Foundation
@_spi(Simulation) import UserNotifications

// Security's functions for the keychain. They take and return dictionaries; `Keychain` stores the items.

/// Adds an item to the keychain.
///
/// - Parameters:
///   - attributes: the item's class, its attributes, its data, and the results to return.
///   - result: the requested results; untouched if none was requested.
/// - Returns: `errSecSuccess`; `errSecDuplicateItem` if the item exists; `errSecNotAvailable` outside any phone;
///   `errSecInteractionNotAllowed` before the first unlock after a restart. A locked phone also returns
///   `errSecInteractionNotAllowed` for items that are accessible on an unlocked phone only; this accessibility is the default.
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    Keychain.ofCaller { keychain in
        let query = KeychainQuery(attributes, in: keychain.ownGroup)
        guard query.itemClass != nil else { return errSecParam }
        guard !keychain.items.contains(where: query.isKey) else { return errSecDuplicateItem }
        let item = query.item(in: keychain.ownGroup)
        guard keychain.opens(item) else { return errSecInteractionNotAllowed }
        keychain.items.append(item)
        query.fill(result, with: [item])
        return errSecSuccess
    }
}

/// Finds items in the keychain.
///
/// - Parameters:
///   - query: the attributes of the items, their number, and the results to return.
///   - result: receives one item, or an array if `query` contains `kSecMatchLimitAll`.
/// - Returns: `errSecSuccess`, `errSecItemNotFound`, or an error as for ``SecItemAdd(_:_:)``.
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    Keychain.ofCaller { keychain in
        let query = KeychainQuery(query, in: keychain.ownGroup)
        let found = keychain.items.filter(query.matches)
        guard !found.isEmpty else { return errSecItemNotFound }
        let open = found.filter(keychain.opens)
        guard !open.isEmpty else { return errSecInteractionNotAllowed }
        query.fill(result, with: open)
        return errSecSuccess
    }
}

/// Changes the attributes or the data of all matching items.
///
/// - Returns: `errSecSuccess`, `errSecItemNotFound`, or an error as for ``SecItemAdd(_:_:)``.
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
    Keychain.ofCaller { keychain in
        let query = KeychainQuery(query, in: keychain.ownGroup)
        let places = keychain.items.indices.filter { query.matches(keychain.items[$0]) }
        guard !places.isEmpty else { return errSecItemNotFound }
        guard places.allSatisfy({ keychain.opens(keychain.items[$0]) }) else { return errSecInteractionNotAllowed }
        let change = KeychainQuery(attributesToUpdate, in: keychain.ownGroup)
        for place in places { change.apply(to: &keychain.items[place]) }
        return errSecSuccess
    }
}

/// Deletes all matching items.
///
/// - Returns: `errSecSuccess`, `errSecItemNotFound`, or an error as for ``SecItemAdd(_:_:)``.
public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
    Keychain.ofCaller { keychain in
        let query = KeychainQuery(query, in: keychain.ownGroup)
        guard keychain.items.contains(where: query.matches) else { return errSecItemNotFound }
        keychain.items.removeAll(where: query.matches)
        return errSecSuccess
    }
}

/// Fills `bytes` with random bytes.
///
/// - Returns: `errSecSuccess`.
public func SecRandomCopyBytes(_ rnd: SecRandomRef?, _ count: Int, _ bytes: UnsafeMutableRawPointer) -> Int32 {
    var generator = SimulatedRandomness(of: SimulatedDevices.current)
    for place in 0..<max(0, count) { bytes.storeBytes(of: generator.next(), toByteOffset: place, as: UInt8.self) }
    return errSecSuccess
}
