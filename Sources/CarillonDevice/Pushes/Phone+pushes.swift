import CarillonCore

extension Phone {
    /// Hands the phone a push, as the push service would.
    ///
    /// Returns once the app's callbacks have been called, or when there is nothing to call.
    ///
    /// - Returns: the number of its entry in ``pushLog``.
    @discardableResult
    public func receive(_ push: IncomingPush) async -> Int {
        let reached = PendingAnswer<Void>()
        let entry = pushes.arrived(push, reached: reached)
        _ = await reached.wait()
        return entry.number
    }
}
