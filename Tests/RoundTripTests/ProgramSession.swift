import Foundation
import FoundationNetworking

/// The connection of a test to a program that it has started.
///
/// Not `URLSession.shared`: in this process that is also every simulated phone's, and while the only phone whose app runs
/// is offline, so is it.
enum ProgramSession {
    static let own = URLSession(configuration: .ephemeral)
}
