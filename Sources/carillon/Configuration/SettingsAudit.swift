import CarillonCore
import CarillonServer
import Logging
import ServiceSupport

/// Adds the settings of `carillon serve` to the audit list, when they differ from those of the last start on this host.
struct SettingsAudit: Sendable {
    let audit: AuditCalls
    let clock: any CarillonClock
    let logger: Logger

    /// Adds an entry for changed settings.
    ///
    /// If the database does not take the entry, the log tells so and the service goes on.
    ///
    /// - Parameters:
    ///   - arguments: the settings of this process.
    ///   - roles: the process's roles. The settings of processes with other roles are compared separately.
    func note(_ arguments: ServeArguments, roles: [ServeCommand.Role]) async {
        let settings = arguments.given.filter { ServeSetting.byName[$0.name] != nil }.sorted { $0.name < $1.name }
        let names = roles.map(\.rawValue).sorted().joined(separator: ", ")
        let note = AuditNote(
            .settingsChanged, by: .person, subject: "\(AuditActor.hostName) (\(names))",
            details: settings.map { "\($0.name)=\($0.shown)" }.joined(separator: " "))
        do { try await audit.addIfChanged(note, at: clock.now) } catch {
            logger.warning("the audit list does not have the changed settings", metadata: ["reason": "\(error)"])
        }
    }
}
