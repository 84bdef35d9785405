import CarillonCore
import Foundation

/// Imports a file of devices from another provider.
///
/// The import reads the file one part at a time and keeps only a few records in memory. It recognises devices of an earlier
/// import by app, environment and token, so an interrupted import can be repeated.
package struct DeviceImport {
    private let rules: ImportRules
    private let devices: DeviceCalls
    private let random: RandomSource
    private let skipped: Int
    private var reader: ImportRecordReader
    private var columns: ImportColumns
    private var waiting: [(line: Int, device: ImportedDevice)] = []
    private var refused: [ImportRefusal] = []
    /// The refused records that ``report`` counts but that the import has not yet returned to its caller.
    private var told: [ImportRefusal] = []
    package private(set) var report: ImportReport

    /// Prepares an import.
    ///
    /// - Parameters:
    ///   - format: the format of the file.
    ///   - rules: the rules for the file's records.
    ///   - devices: the functions of the store that store the devices.
    ///   - random: the source of random numbers for the ids of new devices.
    ///   - report: the report of an earlier, interrupted run. The import skips the records that the report already counts. The
    ///     default is none.
    package init(
        _ format: ImportFormat, _ rules: ImportRules, into devices: DeviceCalls, random: RandomSource,
        after report: ImportReport = ImportReport()
    ) {
        self.rules = rules
        self.devices = devices
        self.random = random
        self.report = report
        skipped = report.line
        reader = ImportRecordReader(format)
        columns = ImportColumns(format)
    }

    /// Reads the next bytes of the file and imports the records that are complete.
    ///
    /// - Parameters:
    ///   - bytes: any number of bytes.
    ///   - now: the present time.
    /// - Returns: the records refused since the last call.
    /// - Throws: ``ImportFileError`` if the file's first line does not name valid columns, or an error of the store.
    package mutating func received(_ bytes: some Sequence<UInt8>, at now: Timestamp) async throws -> [ImportRefusal] {
        for record in reader.received(bytes) {
            try read(record)
            if waiting.count + refused.count >= StoreLimits.importedPerStep { try await step(at: now) }
        }
        return takeRefusals()
    }

    /// Imports the records that are left at the end of the file, and returns the last refusals.
    ///
    /// The caller must call this function once, after the last bytes of the file.
    package mutating func finish(at now: Timestamp) async throws -> [ImportRefusal] {
        if let record = reader.finish() { try read(record) }
        try await step(at: now)
        return takeRefusals()
    }

    private mutating func takeRefusals() -> [ImportRefusal] {
        defer { told = [] }
        return told
    }

    private mutating func read(_ record: ImportRecord) throws {
        do {
            guard let members = try columns.members(of: record), record.line > skipped else { return }
            waiting.append((record.line, try rules.device(members, id: Self.drawnID(random))))
        } catch let refusal as ImportRefusal {
            if record.line > skipped { refused.append(refusal) }
        } catch let problem as Problem {
            let place = problem.document.pointer.map { $0.isEmpty ? "" : "\($0.dropFirst()) " } ?? ""
            refused.append(ImportRefusal(line: record.line, reason: place + problem.document.detail))
        }
    }

    /// Makes an id for a device that an import brings.
    static func drawnID(_ random: RandomSource) -> String {
        "imported-" + Data(random.bytes(ServiceLimits.drawnInstallationIDBytes)).hexadecimal
    }

    private mutating func step(at now: Timestamp) async throws {
        let outcomes = try await waiting.isEmpty ? [] : devices.importDevices(waiting.map(\.device), at: now)
        var results = zip(waiting, outcomes).map { ($0.line, $1) }
        results += refused.map { ($0.line, .refused($0.reason)) }
        for (line, outcome) in results.sorted(by: { $0.0 < $1.0 }) {
            if let refusal = report.count(outcome, line: line) { told.append(refusal) }
        }
        waiting.removeAll(keepingCapacity: true)
        refused.removeAll(keepingCapacity: true)
    }
}
