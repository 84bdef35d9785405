import CarillonCore

/// What came of ``Store/record(_:from:at:)``.
package struct ReceiptOutcome: Sendable, Hashable {
    /// Receipts that were new and about a message of this device.
    package var recorded: [Receipt]
    var events: [TimelineEvent]
}
