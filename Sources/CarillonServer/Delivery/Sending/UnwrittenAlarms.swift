import CarillonCore

/// Decides which alarms of ``SendingGates`` must be stored, and which are over.
///
/// One change is written at a time. A change that could not be written is decided again.
package struct UnwrittenAlarms: Sendable {
    /// Alarms to store, in one transaction.
    package struct Change: Sendable, Hashable {
        /// The alarms that are new.
        var raised: [SendingGates.Alarm]
        /// The apps that can send again.
        var over: [AppID]
    }

    /// The apps whose alarms the store has, as far as this process knows.
    private var stored: Set<AppID> = []
    private var isWriting = false

    /// Notes the alarms that stand in the store, also from other senders.
    mutating func known(_ alarms: Set<AppID>) { if !isWriting { stored = alarms } }

    /// Returns the change that must be written now; `nil` if there is none, or if another is being written.
    ///
    /// After a result, ``ended(_:isWritten:)`` must be called.
    mutating func next(_ gates: SendingGates) -> Change? {
        guard !isWriting, !stored.isEmpty || !gates.alarming.isEmpty else { return nil }
        let raised = gates.alarms.filter { !stored.contains($0.app) }
        let over = stored.subtracting(gates.alarming)
        guard !raised.isEmpty || !over.isEmpty else { return nil }
        isWriting = true
        return Change(raised: raised, over: over.sorted { $0.description < $1.description })
    }

    /// Notes whether a change was written.
    mutating func ended(_ change: Change, isWritten: Bool) {
        isWriting = false
        guard isWritten else { return }
        stored.formUnion(change.raised.map(\.app))
        stored.subtract(change.over)
    }
}
