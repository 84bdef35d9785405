import CarillonCore
import CarillonServer
import Logging
import ServiceSupport

/// A recorder that adds the settings of `carillon serve` to the audit list if they have changed.
///
/// The settings have changed if they differ from those in the list's newest settings entry for this host and the roles of this
/// process (``ServeCommand/Role``).
struct SettingsAudit: Sendable {
    let audit: AuditCalls
    let clock: any CarillonClock
    let logger: Logger

    /// Adds an entry to the audit list if the settings differ from the newest settings entry for this host and `roles`.
    ///
    /// If the database does not accept the entry, the log gets a warning, and the service goes on.
    ///
    /// - Parameters:
    ///   - arguments: the settings of this process.
    ///   - roles: the roles of this process.
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
