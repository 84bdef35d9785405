import ArgumentParser
import CarillonCore
import CarillonServer
import CommandSupport
import Foundation
import ServiceSupport

/// `carillon devices`: lists devices, imports devices from another provider, and reactivates devices that are quarantined because APNs rejected
/// their tokens.
struct DevicesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "Lists devices, imports them from another provider, and releases those that were set aside.",
        discussion: """
            'list', 'show' and 'messages' ask a running service; 'import' and 'release' work on its database.

            Examples:
              carillon devices list --state quarantined
              carillon devices show d-1
              carillon devices messages d-1
              carillon devices import --data ./data tokens.csv
              zcat export.ndjson.gz | carillon devices import --data ./data --topic com.example.chime -
              carillon devices release --data ./data --reason BadDeviceToken --since 2026-11-25T09:00:00Z
            """,
        subcommands: [List.self, Show.self, Messages.self, Import.self, Release.self])

    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Imports a file of device tokens.",
            discussion: """
                CSV, whose first line names the columns, or NDJSON: token, and perhaps topic, environment, user, tags, \
                locale, time_zone, app_version. The same file again changes nothing. An installation that is registered is \
                never changed. The service can keep running meanwhile.

                Prints a line with what became of the records, and each refused one to standard error. An import that was \
                interrupted goes on where it was when the same file is imported again. docs/import.md.

                Exit status: 0 when the file was read to its end, also if records were refused; 1 when it was not.
                """)

        @OptionGroup var service: DataOption

        @Argument(help: ArgumentHelp("The file, or - for standard input.", valueName: "file"))
        var file: String

        @OptionGroup var app: AppOption

        @Option(help: "The environment of APNs of tokens for which the file names none.")
        var environment = APNsEnvironment.production

        @Option(help: "The format. (default: csv for a file that ends so, ndjson for others)")
        var format: ImportFormat?

        @Flag(help: "Begin at the first line, also if an import of this file was interrupted.")
        var fromStart = false

        func run() async throws {
            let directory = try service.directory()
            let store = try await service.existingStore()
            let apps = try await store.apps.all()
            let onlyApp = apps.count == 1 ? apps.first?.reference : nil
            let rules = ImportRules(
                apps: apps.map(\.reference), app: app.topic == nil ? onlyApp : try await app.find(in: store),
                environment: environment)
            let input = file == "-" ? .standardInput : try CommandFile.handle(at: file, option: "the file")
            let position = file == "-" ? nil : directory.flatMap { ImportPosition(of: file, rules, in: $0) }
            let earlier = fromStart ? nil : position?.load()
            if let earlier { note("going on after line \(earlier.line) of an import that was interrupted") }
            let importing = DeviceImport(
                format ?? (file.lowercased().hasSuffix(".csv") ? .csv : .ndjson), rules, into: store.devices,
                random: .system,
                after: earlier ?? ImportReport())
            let report = try await read(input, importing, position)
            position?.remove()
            if report.added + report.updated > 0 {
                let note = AuditNote(.devicesImported, by: .person, app: rules.app?.topic, details: report.summary)
                try await store.audit.add(note, at: SystemClock().now)
            }
            try StandardOutput.write("\(report.records) records: \(report.summary)")
        }

        private func read(
            _ input: FileHandle, _ importing: DeviceImport, _ position: ImportPosition?
        ) async throws -> ImportReport {
            var importing = importing
            let clock = SystemClock()
            var progress = ImportProgress(bytes: position?.bytes)
            do {
                while let piece = try input.read(upToCount: CommandLimits.importPieceBytes), !piece.isEmpty {
                    for refusal in try await importing.received(piece, at: clock.now) { tell(refusal, &progress) }
                    position?.save(importing.report)
                    progress.show(piece.count, importing.report.records, at: clock.uptime)
                }
                for refusal in try await importing.finish(at: clock.now) { tell(refusal, &progress) }
            } catch let error as ImportFileError {
                progress.clear()
                throw ValidationError("\(file): \(error)")
            }
            progress.clear()
            return importing.report
        }

        private func tell(_ refusal: ImportRefusal, _ progress: inout ImportProgress) {
            progress.clear()
            note("line \(refusal.line): \(refusal.reason)")
        }

        private func note(_ text: String) {
            try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8))
        }
    }
}

extension ImportFormat: ExpressibleByArgument {}
