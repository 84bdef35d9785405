import HTTPTypes
import Hummingbird
import Logging

/// The header `traceparent`, by which a backend names the trace that a call belongs to ([W3C Trace
/// Context](https://www.w3.org/TR/trace-context/#traceparent-header)).
enum TraceParent {
    /// The metadata key under which a line of the log has the trace's id.
    static let logKey = "trace_id"
    private static let field = HTTPField.Name("traceparent")

    /// Returns the trace's id, 32 hexadecimal digits; `nil` for a header that is not well formed.
    static func traceID(_ header: String) -> String? {
        let parts = header.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 4, isHexadecimal(parts[0], 2), parts[0] != "ff", parts[0] != "00" || parts.count == 4,
            isHexadecimal(parts[1], 32), parts[1].contains(where: { $0 != "0" }),
            isHexadecimal(parts[2], 16), parts[2].contains(where: { $0 != "0" }), isHexadecimal(parts[3], 2)
        else { return nil }
        return String(parts[1])
    }

    private static func isHexadecimal(_ part: Substring, _ count: Int) -> Bool {
        part.utf8.count == count
            && part.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }

    /// Returns a logger whose lines contain the id of the trace that the request names.
    ///
    /// If the request names no trace, the lines contain no id.
    static func logger(_ logger: Logger, for request: Request) -> Logger {
        var logger = logger
        logger[metadataKey: "hb.request.id"] = nil
        if let id = field.flatMap({ request.headers[$0] }).flatMap(traceID) {
            logger[metadataKey: logKey] = "\(id)"
        }
        return logger
    }
}
