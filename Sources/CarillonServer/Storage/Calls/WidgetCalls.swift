import CarillonCore

/// The store's calls of backends about widgets and controls.
package struct WidgetCalls: Sendable {
    let transactions: Transactions

    /// Reloads widgets, or controls of some kinds, on the phones that the audience has now.
    ///
    /// A request with an idempotency key that came before has the answer of the first one, and reloads nothing.
    package func reload(_ new: NewWidgetReload, at now: Timestamp) async throws -> WidgetReloadReport {
        // A count of very many devices holds up no writer.
        let counted =
            new.audience.isBroadcast
            ? try await transactions.costlyRead(for: new.app.number, at: now) {
                try AudienceQuery($0).count(new.audience, of: new.app.number)
            } : nil
        return try await transactions.write(at: now) { try ReloadingWidgets($0).reloadOnce(new, counted: counted) }
    }
}
