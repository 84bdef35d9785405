import CoreMetrics

/// The service's durable state in one database; its properties group the calls by subject.
///
/// When a call returns, its changes are durable: neither `kill -9` nor a power cut undoes them. A call returns the timeline
/// events that it has added, so that the caller can publish them.
///
/// Most calls are one transaction. A call that processes all recipients of a message begins in one transaction and continues in
/// further ones of bounded size. Other calls can run in between. After a crash, any sender continues the work when it calls
/// ``SendingCalls/claim(_:at:)``.
///
/// Each route, sender and command gets only the groups of calls that it uses.
package struct Store: Sendable {
    let transactions: Transactions

    /// Makes a store on a database engine.
    ///
    /// - Parameters:
    ///   - engine: the engine of the database. The store does not close it; the caller must.
    ///   - ranges: the rules that decide when the deliveries of a message are kept as bitmaps, not in one row for each device.
    package init(_ engine: any StoreEngine, ranges: RangeRules = RangeRules()) {
        transactions = Transactions(
            engine: engine, ranges: ranges, contents: MessageContents(),
            decisions: AudienceDecisions(), costly: CostlyReads())
    }

    /// From now on, reports measurements of the engine's transactions to the metrics that `factory` makes.
    func report(to factory: any MetricsFactory) { transactions.engine.meter.report(to: factory) }

    package var apps: AppCalls { AppCalls(transactions: transactions) }
    package var keys: KeyCalls { KeyCalls(transactions: transactions) }
    package var messages: MessageCalls { MessageCalls(transactions: transactions) }
    package var devices: DeviceCalls { DeviceCalls(transactions: transactions) }
    package var sync: SyncCalls { SyncCalls(transactions: transactions) }
    package var users: UserCalls { UserCalls(transactions: transactions) }
    package var sending: SendingCalls { SendingCalls(transactions: transactions) }
    package var upkeep: UpkeepCalls { UpkeepCalls(transactions: transactions) }
    package var audit: AuditCalls { AuditCalls(transactions: transactions) }
    package var news: NewsCalls { NewsCalls(transactions: transactions) }
}
