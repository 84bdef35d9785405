import CarillonCore
import Foundation

/// Imports a file of devices while it is read, some records at a time; it keeps no more of it than those.
///
/// What was imported before is known by app, environment and token, so a file that was interrupted can be imported again.
package struct DeviceImport {
    private let rules: ImportRules
    private let store: any DeviceCalls
    private let random: RandomSource
    private let skipped: Int
    private var reader: ImportRecordReader
    private var columns: ImportColumns
    private var waiting: [(line: Int, device: ImportedDevice)] = []
    private var refused: [ImportRefusal] = []
    /// Refusals that the caller has not been told yet.
    private var told: [ImportRefusal] = []
    package private(set) var report: ImportReport

    /// - Parameters:
    ///   - format: of the file.
    ///   - rules: what its records may say.
    ///   - store: where the devices go.
    ///   - random: ids of devices that are new.
    ///   - report: how far an earlier run has come; what it has dealt with is read and left out. The default is none.
    package init(
        _ format: ImportFormat, _ rules: ImportRules, into store: any DeviceCalls, random: RandomSource,
        after report: ImportReport = ImportReport()
    ) {
        self.rules = rules
        self.store = store
        self.random = random
        self.report = report
        skipped = report.line
        reader = ImportRecordReader(format)
        columns = ImportColumns(format)
    }

    /// Takes the next bytes of the file.
    ///
    /// - Parameters:
    ///   - bytes: as many as have come.
    ///   - now: the moment.
    /// - Returns: what was refused, each once.
    /// - Throws: ``ImportFileError`` when the whole file cannot be read; what the store reports.
    package mutating func received(_ bytes: some Sequence<UInt8>, at now: Timestamp) async throws -> [ImportRefusal] {
        for record in reader.received(bytes) {
            try read(record)
            if waiting.count + refused.count >= ServiceLimits.importedPerStep { try await step(at: now) }
        }
        return takeRefusals()
    }

    /// The file has ended.
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
            let id = "imported-" + Data(random.bytes(ServiceLimits.drawnInstallationIDBytes)).hexadecimal
            waiting.append((record.line, try rules.device(members, id: id)))
        } catch let refusal as ImportRefusal {
            if record.line > skipped { refused.append(refusal) }
        } catch let problem as Problem {
            let place = problem.document.pointer.map { $0.isEmpty ? "" : "\($0.dropFirst()) " } ?? ""
            refused.append(ImportRefusal(line: record.line, reason: place + problem.document.detail))
        }
    }

    private mutating func step(at now: Timestamp) async throws {
        let outcomes = try await waiting.isEmpty ? [] : store.importDevices(waiting.map(\.device), at: now)
        var results = zip(waiting, outcomes).map { ($0.line, $1) }
        results += refused.map { ($0.line, .refused($0.reason)) }
        for (line, outcome) in results.sorted(by: { $0.0 < $1.0 }) {
            if let refusal = report.count(outcome, line: line) { told.append(refusal) }
        }
        waiting.removeAll(keepingCapacity: true)
        refused.removeAll(keepingCapacity: true)
    }
}
