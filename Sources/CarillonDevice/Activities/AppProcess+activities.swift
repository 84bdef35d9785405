@_spi(Simulation) import ActivityKit
import Foundation
@_spi(Simulation) import UserNotifications

/// Handles an app's use of ActivityKit: answers at once from the process's copy of the phone's state, and passes requests on.
extension AppProcess: ActivityHost {
    nonisolated var activityAuthorization: ActivityAuthorization { liveActivities.view.authorization }
    nonisolated var beginsWithCurrentValue: Bool { liveActivities.view.rules.activityUpdatesBeginWithCurrent }

    nonisolated func activities(of type: ActivityType) -> [ActivityRecord] {
        noteUse(of: type)
        return liveActivities.view.records.filter { $0.type == type.name && $0.state != .dismissed }
    }

    nonisolated func activity(_ id: String) -> ActivityRecord? { liveActivities.view.records.first { $0.id == id } }

    nonisolated func request(_ draft: ActivityDraft) throws -> ActivityRecord {
        let record = try liveActivities.request(draft, id: newActivityID())
        post(
            SystemCall(name: "request Live Activity", needsProcess: false) { system, process in
                system.liveActivities.requested(record, draft, by: process)
            })
        return record
    }

    nonisolated func change(_ id: String, _ change: ActivityChange, completion: @escaping @Sendable () -> Void) {
        post(
            SystemCall(name: "change Live Activity", needsProcess: false) { system, process in
                system.liveActivities.changed(id, change, by: process)
                process.reply { completion() }
            })
    }

    nonisolated func pushToStartToken(for type: ActivityType) -> Data? {
        noteUse(of: type)
        post(
            SystemCall(name: "pushToStartToken", needsProcess: false) { system, process in
                system.liveActivities.wantsStartToken(process)
            })
        return liveActivities.view.pushToStartToken
    }

    nonisolated func observe(_ observer: @escaping @Sendable (ActivityEvent) -> Void) -> @Sendable () -> Void {
        liveActivities.observe(observer)
    }

    private nonisolated func noteUse(of type: ActivityType) {
        post(
            SystemCall(name: "ActivityAttributes", needsProcess: false) { system, process in
                system.liveActivities.uses(type, process)
            })
    }

    /// Makes an identifier from the random numbers of the process, which do not change those of the phone.
    private nonisolated func newActivityID() -> String {
        func part() -> UInt64 { randomNumber() }
        let text = String(format: "%016llX%016llX", part(), part())
        let cuts = [8, 4, 4, 4, 12]
        var rest = Substring(text)
        return cuts.map { count in
            defer { rest = rest.dropFirst(count) }
            return String(rest.prefix(count))
        }.joined(separator: "-")
    }
}
