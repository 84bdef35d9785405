import CarillonCore

extension ServiceContext {
    /// Refuses a new message for an app if too many of the app's pushes wait to be sent.
    ///
    /// - Throws: ``Problem`` 429 if too many pushes wait; otherwise the store's error.
    func requireRoom(in app: AppReference) async throws {
        let uptime = clock.uptime
        var advice = backlog.withLock { $0.advice(for: app.number, at: uptime) }
        if advice == .count {
            let limit = backlog.withLock(\.limit)
            let waiting: Int
            do {
                waiting = try await store.waiting(in: app.number, atMost: limit)
            } catch {
                backlog.withLock { $0.gaveUpCounting(for: app.number) }
                throw error
            }
            advice = backlog.withLock { backlog in
                backlog.counted(waiting, for: app.number, at: uptime)
                return backlog.advice(for: app.number, at: uptime)
            }
        }
        if advice == .refuse { throw Problem.backlog(of: app, limit: backlog.withLock(\.limit)) }
    }
}
