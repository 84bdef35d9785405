import CarillonCore

/// The outcome of ``Store/record(_:from:at:)``.
package struct ReceiptOutcome: Sendable, Hashable {
    /// The receipts that were new and about a message of this device.
    package var recorded: [Receipt]
    var events: [TimelineEvent]
}
