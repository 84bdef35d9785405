import CarillonCore

/// The store's calls of backends about widgets and controls.
package struct WidgetCalls: Sendable {
    let transactions: Transactions

    /// Reloads widgets, or controls of some kinds, on the phones that the audience has now.
    package func reload(_ new: NewWidgetReload, at now: Timestamp) async throws -> WidgetReloadReport {
        try await transactions.write(at: now) { try ReloadingWidgets($0).reload(new) }
    }
}
