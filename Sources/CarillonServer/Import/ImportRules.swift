import CarillonCore
import Foundation

/// The rules for imported records: the apps that they may name, and the defaults for missing members.
package struct ImportRules: Sendable {
    /// The apps that a record may name.
    package var apps: [AppReference]
    /// The app of records without `topic`; `nil` if each record must name its app.
    package var app: AppReference?
    /// The environment of records without `environment`.
    package var environment: APNsEnvironment

    package init(apps: [AppReference], app: AppReference?, environment: APNsEnvironment) {
        self.apps = apps
        self.app = app
        self.environment = environment
    }

    /// Makes a device from a record.
    ///
    /// - Parameters:
    ///   - members: the record's members.
    ///   - id: the id to use if the device is new.
    /// - Returns: the device.
    /// - Throws: a ``Problem`` whose detail names the fault of the record.
    func device(_ members: [String: JSONValue], id: String) throws(Problem) -> ImportedDevice {
        if let unknown = members.keys.filter({ !ImportColumns.names.contains($0) }).min() {
            throw .invalid("", "has a member that \(ImportColumns.unknown(unknown))")
        }
        var reader = try ObjectReader(.object(members), pointer: "")
        guard let hex = try reader.takeString("token") else { throw .invalid("", "has no token") }
        guard let token = DeviceToken(hex: hex) else {
            throw .invalid("", "has a token that is not 1 to \(DeviceToken.byteLimit) bytes in hexadecimal")
        }
        let app = try app(named: try reader.takeString("topic"))
        let environment = try environment(named: try reader.takeString("environment"))
        let user = try reader.takeString("user")
        if let user, !UserID.isValid(user) { throw .invalid("", "names no user: \(UserID.rule)") }
        // An empty list counts as absent.
        if reader.rest["tags"] == .array([]) { _ = reader.take("tags") }
        let facts = DeviceFacts(
            permission: .notDetermined, locale: try reader.takeString("locale"),
            timeZone: try reader.takeString("time_zone"), appVersion: try reader.takeString("app_version"),
            tags: try reader.takeStrings("tags", limit: ServiceLimits.tagsPerDevice))
        try RegistrationRule.check(facts)
        return ImportedDevice(app: app, environment: environment, token: token, user: user, facts: facts, id: id)
    }

    private func app(named topic: String?) throws(Problem) -> AppReference {
        guard let topic else {
            if let app { return app }
            throw .invalid("", "names no app, and there are several: \(apps.map(\.topic).joined(separator: ", "))")
        }
        guard let app = apps.first(where: { $0.topic == topic }) else {
            throw .invalid(
                "", "names the app \"\(topic.prefix(DeliveryLimits.quotedKeyCharacters))\", which is not here")
        }
        return app
    }

    private func environment(named name: String?) throws(Problem) -> APNsEnvironment {
        guard let name else { return environment }
        guard let environment = APNsEnvironment(rawValue: name.lowercased()) else {
            throw .invalid("", "has an environment that is neither production nor sandbox")
        }
        return environment
    }
}
