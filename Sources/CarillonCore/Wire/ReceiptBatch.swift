/// The body of `POST /v1/receipts`, authenticated as the installation
/// (`Authorization: Bearer <installation>:<secret>`).
package struct ReceiptBatch: Sendable, Hashable, Codable {
    /// The most receipts that the service takes in one request: 500.
    package static let countLimit = 500

    /// In the order in which they happened.
    package var receipts: [Receipt]

    package init(receipts: [Receipt]) { self.receipts = receipts }
}
