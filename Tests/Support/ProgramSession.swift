import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The connection of a test to a program or a service that it has started.
///
/// Not `URLSession.shared`: in a process with simulated phones that is also theirs, and while the only phone whose app runs
/// is offline, so is it.
public enum ProgramSession {
    public static let own: URLSession = {
        let configuration = URLSessionConfiguration.ephemeral
        // The phones put theirs in front of every session; other targets' tests do not know it by its type.
        configuration.protocolClasses = configuration.protocolClasses?.filter { "\($0)" != "OfflineURLProtocol" }
        return URLSession(configuration: configuration)
    }()
}
