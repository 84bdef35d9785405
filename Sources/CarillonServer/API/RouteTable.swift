import HTTPTypes
import Synchronization

/// The HTTP methods that each path accepts.
///
/// The service looks a request up here, to answer a wrong method with 405 and an unknown path with 404. The table is filled once,
/// when all routes are known.
final class RouteTable: Sendable {
    private struct Entry: Sendable {
        var method: String
        var segments: [Substring]
    }

    private let entries = Mutex<[Entry]>([])

    func fill(_ routes: [(method: HTTPRequest.Method, path: String)]) {
        entries.withLock { entries in
            entries = routes.map { Entry(method: $0.method.rawValue, segments: $0.path.split(separator: "/")) }
        }
    }

    func methods(at path: String) -> [String] {
        if path == "*" { return entries.withLock { Set($0.map(\.method)).union(["HEAD"]).sorted() } }
        let segments = path.split(separator: "/")
        let methods = entries.withLock { entries in
            let matching = entries.filter { Self.matches($0.segments, segments) }
            // A literal path takes precedence over patterns that match it, as in the router.
            let exact = matching.filter { $0.segments == segments }
            return (exact.isEmpty ? matching : exact).map(\.method)
        }
        // The router answers HEAD on each path that has a GET.
        return Set(methods.contains("GET") ? methods + ["HEAD"] : methods).sorted()
    }

    private static func matches(_ pattern: [Substring], _ path: [Substring]) -> Bool {
        guard pattern.last != "**" else { return path.count >= pattern.count - 1 }
        return pattern.count == path.count
            && zip(pattern, path).allSatisfy { $0.hasPrefix("{") || $0.hasPrefix(":") || $0 == "*" || $0 == $1 }
    }
}
