/// The facts that an app reports about its device, apart from its token and its user.
///
/// This is the only list of these facts. A registration, a change of a registration and the service's record of a device contain
/// the facts; in their JSON, the facts stand beside the other members. The SDK's stored state contains the facts too, as an
/// object of their own. A new fact needs a property here, a column of the table `devices` (`DeviceFacts+columns.swift`) and a
/// member in the OpenAPI document (`OpenAPISchemas+devices.swift`).
package struct DeviceFacts: Sendable, Hashable, Codable {
    /// The greatest number of a device's tags; the service and the SDK's `setTags` refuse more.
    package static let tagLimit = 32
    /// The greatest length of a tag, a locale, a time zone or an app's version, in bytes of UTF-8.
    package static let labelByteLimit = 64

    /// The permission that the person has given.
    package var permission: PermissionState
    /// The device's locale, such as `de_AT`; `nil` if it is unknown.
    package var locale: String?
    /// The device's time zone, such as `Europe/Vienna`; `nil` if it is unknown.
    package var timeZone: String?
    /// The app's version, as the app reports it; `nil` if it is unknown.
    package var appVersion: String?
    /// The tags by which the app groups its devices.
    ///
    /// `nil` and an empty list mean no tags.
    package var tags: [String]?

    package init(
        permission: PermissionState, locale: String? = nil, timeZone: String? = nil, appVersion: String? = nil,
        tags: [String]? = nil
    ) {
        self.permission = permission
        self.locale = locale
        self.timeZone = timeZone
        self.appVersion = appVersion
        self.tags = tags
    }

    package enum CodingKeys: String, CodingKey {
        case permission, locale, tags
        case timeZone = "time_zone"
        case appVersion = "app_version"
    }
}

extension DeviceFacts {
    /// Returns the longest beginning of a text, in whole characters, that fits into ``labelByteLimit``.
    package static func label(_ text: String) -> String {
        var byteCount = 0
        return String(
            text.prefix { character in
                byteCount += character.utf8.count
                return byteCount <= labelByteLimit
            })
    }

    /// Returns the facts as members of a JSON object; unknown facts are omitted.
    package func members() throws -> [String: JSONValue] {
        try JSONValue(parsing: CarillonJSON.encode(self)).objectValue ?? [:]
    }

    /// Returns the members that have changed since `known`.
    ///
    /// - Returns: the changed members; `nil` if a fact is no longer known. A change cannot express this, because members that a
    ///   change omits stay as they were.
    package func changes(since known: DeviceFacts) -> [String: JSONValue]? {
        guard let now = try? members(), let before = try? known.members(), before.keys.allSatisfy({ now[$0] != nil })
        else { return nil }
        return now.filter { before[$0.key] != $0.value }
    }

    /// Returns the facts with `changes` applied.
    ///
    /// - Parameter changes: members of the JSON object, such as ``DeviceChange/facts``.
    /// - Returns: the facts after the change; members that `changes` omits stay as they were.
    /// - Throws: `DecodingError` for a value that is not of the expected type, with the path of its member.
    package func applying(_ changes: [String: JSONValue]) throws -> DeviceFacts {
        let changed = try members().merging(changes) { _, new in new }
        return try CarillonJSON.decode(DeviceFacts.self, from: try JSONValue.object(changed).encoded())
    }
}

/// The person's permission for notifications, in the form that the service receives
/// ([UNAuthorizationStatus](https://developer.apple.com/documentation/usernotifications/unauthorizationstatus)).
public enum PermissionState: String, Sendable, Hashable, CaseIterable, Codable {
    /// The person has not been asked yet.
    case notDetermined = "not-determined"
    /// The person has refused, or has switched notifications off in Settings.
    case denied
    /// The person has agreed.
    case authorized
    /// Notifications go to the notification center without banner and sound until the person decides.
    case provisional
    /// An App Clip may notify for a limited time.
    case ephemeral
}

/// The body of `PATCH /v1/devices/{id}`: the members that have changed.
///
/// Omitted members stay as they were.
package struct DeviceChange: Sendable, Hashable {
    /// The new device token; `nil` if the token has not changed.
    package var token: DeviceToken?
    /// The APNs environment of the token; `nil` if the environment has not changed.
    package var environment: APNsEnvironment?
    /// A sign-in token that binds the installation to the user named in it; `nil` to leave the user unchanged.
    package var signInToken: String?
    /// The installation's tokens for Live Activities, in the place of all earlier ones; `nil` if they have not changed.
    package var liveActivities: [LiveActivityToken]?
    /// The installation's tokens for widgets and controls, in the place of all earlier ones; `nil` if they have not changed.
    package var widgets: [WidgetToken]?
    /// The members of ``DeviceFacts`` that have changed, by their JSON names; `tags` replaces all tags.
    ///
    /// In JSON these members are not nested: they are members of the `PATCH` body itself.
    package var facts: [String: JSONValue]

    package init(
        token: DeviceToken? = nil, environment: APNsEnvironment? = nil, signInToken: String? = nil,
        liveActivities: [LiveActivityToken]? = nil, widgets: [WidgetToken]? = nil, facts: [String: JSONValue] = [:]
    ) {
        self.token = token
        self.environment = environment
        self.signInToken = signInToken
        self.liveActivities = liveActivities
        self.widgets = widgets
        self.facts = facts
    }
}

extension DeviceChange: Codable {
    private enum CodingKeys: String, CodingKey {
        case token, environment
        case signInToken = "sign_in_token"
        case liveActivities = "live_activities"
        case widgets
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        token = try container.decodeIfPresent(DeviceToken.self, forKey: .token)
        environment = try container.decodeIfPresent(APNsEnvironment.self, forKey: .environment)
        signInToken = try container.decodeIfPresent(String.self, forKey: .signInToken)
        liveActivities = try container.decodeIfPresent([LiveActivityToken].self, forKey: .liveActivities)
        widgets = try container.decodeIfPresent([WidgetToken].self, forKey: .widgets)
        let members = try decoder.container(keyedBy: DeviceFacts.CodingKeys.self)
        facts = [:]
        for key in members.allKeys {
            facts[key.stringValue] = try members.decodeIfPresent(JSONValue.self, forKey: key)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        try facts.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(token, forKey: .token)
        try container.encodeIfPresent(environment, forKey: .environment)
        try container.encodeIfPresent(signInToken, forKey: .signInToken)
        try container.encodeIfPresent(liveActivities, forKey: .liveActivities)
        try container.encodeIfPresent(widgets, forKey: .widgets)
    }
}
