/// The result of importing a file of devices.
package struct ImportReport: Sendable, Hashable, Codable {
    /// The number of records that were read.
    package var records = 0
    package var added = 0
    package var updated = 0
    package var unchanged = 0
    /// The number of devices left unchanged because an installation had already registered the device's token.
    package var kept = 0
    package var refused = 0
    /// The number of the last line that the import has processed completely.
    ///
    /// A later run can continue after this line.
    package var line = 0
    /// The first refused records, at most ``ServiceLimits/listedRefusals``.
    package var refusals: [ImportRefusal] = []

    package init() {}

    mutating func count(_ outcome: ImportOutcome, line: Int) -> ImportRefusal? {
        records += 1
        self.line = line
        switch outcome {
        case .added: added += 1
        case .updated: updated += 1
        case .unchanged: unchanged += 1
        case .kept: kept += 1
        case .refused(let reason):
            refused += 1
            let refusal = ImportRefusal(line: line, reason: reason)
            if refusals.count < ServiceLimits.listedRefusals { refusals.append(refusal) }
            return refusal
        }
        return nil
    }
}
