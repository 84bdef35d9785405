import CarillonCore
import Foundation

/// The names under which senders register: random, followed by the address of the APNs to which the sender sends.
///
/// So senders of one database can tell that another one sends elsewhere.
enum SenderName {
    /// The greatest number of characters of an address in a name, which is also the name of a file.
    private static let placeCharacters = 150

    /// Returns the name of a sender: the random bytes, by which it differs from all others, and the addresses to which the
    /// sender sends, if it tells them.
    static func text(_ random: Data, place: String?) -> String {
        random.hexadecimal + (place.map { "@\($0.prefix(placeCharacters))".replacing("/", with: "_") } ?? "")
    }

    /// Returns the addresses in a sender's name; `nil` for a name without them.
    static func place(in name: String) -> String? {
        name.firstIndex(of: "@").map { String(name[name.index(after: $0)...]) }
    }
}
