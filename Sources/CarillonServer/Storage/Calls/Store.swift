import CoreMetrics

/// The service's durable state in one database; its properties group the calls by subject.
///
/// When a call returns, its changes are durable: neither `kill -9` nor a power cut undoes them. The store itself publishes the
/// timeline events that a call has added and the messages that it has changed (``publishing(_:)``).
///
/// Most calls are one transaction. A call that processes all recipients of a message begins in one transaction and continues in
/// further ones of bounded size. Other calls can run in between. After a crash, any sender continues the work when it calls
/// ``SendingCalls/claim(_:at:)``.
///
/// Each route, sender and command gets only the groups of calls that it uses.
package struct Store: Sendable {
    private(set) var transactions: Transactions

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

    /// Returns a store on this database that passes the changes of each of its transactions to `publish`, after the commit and
    /// before the call returns.
    ///
    /// A call of several transactions publishes each of them by itself.
    package func publishing(_ publish: @escaping @Sendable (CommittedChanges) -> Void) -> Store {
        var store = self
        store.transactions.publish = publish
        return store
    }

    /// From now on, reports measurements of the engine's transactions to the metrics that `factory` makes.
    func report(to factory: any MetricsFactory) { transactions.engine.meter.report(to: factory) }

    package var apps: AppCalls { AppCalls(transactions: waking) }
    package var keys: KeyCalls { KeyCalls(transactions: transactions) }
    package var messages: MessageCalls { MessageCalls(transactions: waking) }
    package var activities: LiveActivityCalls { LiveActivityCalls(transactions: waking) }
    package var widgets: WidgetCalls { WidgetCalls(transactions: waking) }
    package var devices: DeviceCalls { DeviceCalls(transactions: waking) }
    package var sync: SyncCalls { SyncCalls(transactions: waking) }
    package var users: UserCalls { UserCalls(transactions: waking) }
    package var sending: SendingCalls { SendingCalls(transactions: transactions) }
    package var feed: FeedCalls { FeedCalls(transactions: transactions) }
    package var channels: ChannelCalls { ChannelCalls(transactions: transactions) }
    package var figures: FigureCalls { FigureCalls(transactions: transactions) }
    package var webhooks: WebhookCalls { WebhookCalls(transactions: transactions) }
    package var templates: TemplateCalls { TemplateCalls(transactions: transactions) }
    package var upkeep: UpkeepCalls { UpkeepCalls(transactions: transactions) }
    package var audit: AuditCalls { AuditCalls(transactions: transactions) }
    package var news: NewsCalls { NewsCalls(transactions: transactions) }

    private var waking: Transactions {
        var waking = transactions
        waking.wakesSenders = true
        return waking
    }
}
