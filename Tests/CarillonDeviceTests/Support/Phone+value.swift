import CarillonDevice
import Testing

extension Phone {
    /// Returns the value of `body`, which runs as the app's own callbacks do.
    func value<Value>(in bundleID: String, _ body: @escaping @MainActor () throws -> Value) async throws -> Value {
        var result: Result<Value, any Error>?
        await run(in: bundleID) { result = Result { try body() } }
        return try #require(result, "\(bundleID) does not run").get()
    }
}
