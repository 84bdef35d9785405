import Foundation

// What Foundation has on Apple's platforms only, as far as the SDK uses it. It is part of each module that is checked.

extension FileManager {
    func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? { nil }
}
