import CarillonApp
import CarillonCore
import CarillonDevice
import CarillonExtension
import CarillonMessaging
import Foundation
import UserNotifications

/// The app's service extension: same App Group, same service.
final class HostExtension: CarillonServiceExtension {
    struct Plan: Sendable {
        var service: StubService?
        /// The URL of an HTTP server that the extension calls instead of `service`.
        var slowService: URL?
        var appGroup = "group.host"
        var maySuppress = false
        var attachmentByteLimit = Int.max
        /// Opens the payload's key `sealed`, with whatever the test takes for cryptography.
        var open: (@Sendable (UNMutableNotificationContent, String) throws -> Void)?
        var log = EventLog()
    }

    var plan = Plan() {
        didSet {
            guard plan.slowService == nil, let service = plan.service else { return }
            makeTransport = { _ in service }
        }
    }

    override var appGroup: String? { plan.appGroup }
    override var service: URL? {
        plan.slowService ?? (plan.service == nil ? nil : URL(string: "https://push.example.com"))
    }
    override var maySuppress: Bool { plan.maySuppress }
    override var attachmentByteLimit: Int { plan.attachmentByteLimit }

    override func decrypt(_ content: UNMutableNotificationContent) throws {
        guard let open = plan.open, let sealed = content.userInfo["sealed"] as? String else { return }
        try open(content, sealed)
    }

    override func report(_ event: CarillonEvent) { plan.log.add(event) }

    /// The app with this extension is registered and allowed, and stands suspended behind the home screen.
    @MainActor
    static func suspended(_ fixture: AppFixture, _ extensionPlan: Plan) async throws {
        var plan = try fixture.plan()
        plan.appGroup = "group.host"
        fixture.install(
            plan, entitlements: extensionPlan.maySuppress ? [.filtering] : [],
            makeServiceExtension: {
                let service = HostExtension()
                service.plan = extensionPlan
                return service
            })
        try await fixture.open()
        try await fixture.phone.until("the permission sheet is up") { $0.permissionSheet != nil }
        try await fixture.phone.answerPermission(allow: true)
        try await fixture.settle()
        try await fixture.goHome()
    }
}
