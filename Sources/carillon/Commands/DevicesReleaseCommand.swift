import ArgumentParser
import CarillonCore
import CarillonServer
import CommandSupport

extension DevicesCommand {
    struct Release: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Releases devices that were set aside because APNs rejected their tokens.",
            discussion: """
                A device whose token APNs rejects (BadDeviceToken, DeviceTokenNotForTopic) is quarantined until its app \
                registers again. If the service was at fault, for example with --apns sandbox for production's tokens, \
                bring the devices back once it is mended. Messages that were cancelled meanwhile stay cancelled.
                """)

        @OptionGroup var service: DataOption

        @OptionGroup var app: AppOption

        @Option(help: ArgumentHelp("Only those that APNs rejected for this reason.", valueName: "reason"))
        var reason: String?

        @Option(
            help: ArgumentHelp(
                "Only those that APNs rejected since then, such as 2026-11-25T09:00:00Z.", valueName: "time"))
        var since: String?

        func validate() throws {
            guard since == nil || moment != nil else {
                throw ValidationError("--since is a time such as 2026-11-25T09:00:00Z")
            }
        }

        private var moment: Timestamp? { since.flatMap { Timestamp(rfc3339: $0) } }

        func run() async throws {
            let store = try await service.existingStore()
            let app = try await app.find(in: store)
            let count = try await store.devices.release(app, reason: reason, since: moment, at: SystemClock().now)
            try StandardOutput.write(count == 1 ? "1 device is sent to again" : "\(count) devices are sent to again")
        }
    }
}
