import CarillonCore

extension SimulatorConfiguration {
    /// The names of all settings that ``apply(_:)`` accepts; docs/simulator.md describes them.
    public static let settingNames: [String] = settings.keys.sorted()

    /// Changes the settings in a JSON dictionary, such as the contents of a configuration file.
    ///
    /// - Parameter members: the values, by names in ``settingNames``. Settings without a value are not changed.
    /// - Throws: ``SimulatorError`` for an unknown setting or an invalid value. The error names the setting and the expected
    ///   value.
    public mutating func apply(_ members: [String: JSONValue]) throws(SimulatorError) {
        // Applies `further_keys` last, because these signing keys belong to the configured team by default.
        let inOrder = members.sorted {
            ($0.key == "further_keys" ? 1 : 0, $0.key) < ($1.key == "further_keys" ? 1 : 0, $1.key)
        }
        for (name, value) in inOrder {
            guard let setting = Self.settings[name] else {
                throw SimulatorError(
                    .invalidConfiguration,
                    "there is no setting \(name): there are \(Self.settingNames.joined(separator: ", "))")
            }
            do throws(AdminProblem) {
                guard try setting.set(&self, value) else {
                    throw AdminProblem(400, "it must be \(setting.expected)")
                }
            } catch {
                throw SimulatorError(.invalidConfiguration, "the setting \(name): \(error.detail)")
            }
        }
    }

    private struct Setting: Sendable {
        let expected: String
        /// The closure that sets one property of a configuration to a JSON value.
        ///
        /// - Returns: `false` if the value is not of the expected kind; the property is then unchanged.
        let set: @Sendable (inout SimulatorConfiguration, JSONValue) throws(AdminProblem) -> Bool

        init(
            _ expected: String,
            _ set: @escaping @Sendable (inout SimulatorConfiguration, JSONValue) throws(AdminProblem) -> Bool
        ) {
            self.expected = expected
            self.set = set
        }

        /// Makes a setting for one property of the configuration.
        ///
        /// - Parameters:
        ///   - expected: a description of the allowed values, for error messages.
        ///   - path: the property.
        ///   - read: converts a JSON value into the property's value; returns `nil` if the JSON value is not allowed.
        /// - Returns: the setting.
        static func value<Value>(
            _ expected: String, _ path: any WritableKeyPath<SimulatorConfiguration, Value> & Sendable,
            _ read: @escaping @Sendable (JSONValue) -> Value?
        ) -> Setting {
            Setting(expected) { configuration, json in
                guard let value = read(json) else { return false }
                configuration[keyPath: path] = value
                return true
            }
        }
    }

    private static let settings: [String: Setting] = [
        "topics": .value("a list of bundle ids, at least one", \.topics) { $0.texts.map(Set.init).flatMap(\.nonEmpty) },
        "broadcast_topics": .value("a list of bundle ids, or null for all", \.broadcastTopics) {
            $0 == .null ? .some(nil) : $0.texts.map(Set.init)
        },
        "host": .value("an address", \.host) { $0.stringValue.flatMap(\.nonEmpty) },
        "port": .value("a number from 0 to 65535", \.port) { $0.number(in: 0...65_535) },
        "further_ports": .value("a list of at most 16 numbers from 0 to 65535", \.furtherPorts) { json in
            guard let list = json.arrayValue, list.count <= SimulatorLimits.furtherPortLimit,
                case let ports = list.compactMap({ $0.number(in: 0...65_535) }), ports.count == list.count
            else { return nil }
            return ports
        },
        "admin_port": .value("a number from 0 to 65535, or null for none", \.adminPort) {
            $0 == .null ? .some(nil) : $0.number(in: 0...65_535)
        },
        "host_names": .value("a list of host names", \.hostNames, \.texts),
        "environment": .value("sandbox or production", \.environment) {
            $0.stringValue.flatMap(APNsEnvironment.init(rawValue:))
        },
        "team_id": .value(tenCharacters, \.teamID, \.identifier),
        "key_id": .value(tenCharacters, \.keyID, \.identifier),
        "further_keys": Setting("a list of keys") { configuration, json throws(AdminProblem) in
            guard let list = json.arrayValue else { return false }
            var keys: [SimulatorKey] = []
            for item in list { keys.append(try SimulatorKey(json: item, team: configuration.teamID)) }
            configuration.furtherKeys = keys
            return true
        },
        "strict": .value("true or false", \.isStrict, \.boolValue),
        "tls12_only": .value("true or false", \.isTLS12Only, \.boolValue),
        "doors": .value(
            "a list of \(SimulatorDoor.allCases.map(\.rawValue).sorted().joined(separator: ", "))", \.doors
        ) { json in
            guard let names = json.texts, case let doors = names.compactMap(SimulatorDoor.init(rawValue:)),
                doors.count == names.count
            else { return nil }
            return Set(doors)
        },
        "streams": .value("a number from 1 to 100000", \.concurrentStreams) {
            $0.number(in: SimulatorLimits.concurrentStreams)
        },
        "streams_before_proof": .value("a number from 1 to 1000", \.streamsBeforeProof) {
            $0.number(in: SimulatorLimits.streamsBeforeProof)
        },
        "idle_timeout_seconds": .value("a number of seconds above 0, or null for never", \.idleTimeout) {
            $0 == .null
                ? .some(nil) : $0.doubleValue.flatMap { $0 > 0 && $0 < 1e9 ? .milliseconds(Int64($0 * 1000)) : nil }
        },
        "delivery": Setting("a JSON dictionary") { configuration, json throws(AdminProblem) in
            guard let members = json.objectValue else { return false }
            configuration.delivery = try DeliveryRules(json: members)
            return true
        },
        "faults": Setting("a JSON dictionary") { configuration, json throws(AdminProblem) in
            guard let members = json.objectValue else { return false }
            configuration.faults = try FaultPlan(json: members)
            return true
        },
        "device_token_bytes": .value(
            "a number from \(SimulatorLimits.deviceTokenBytes.lowerBound) to \(DeviceToken.byteLimit)",
            \.deviceTokenByteCount
        ) { $0.number(in: SimulatorLimits.deviceTokenBytes) },
        "journal": .value("a number from 0 to 1000000", \.journalLimit) { $0.number(in: 0...1_000_000) },
        "seed": .value("a whole number that is not negative", \.seed) {
            $0.stringValue.flatMap { UInt64($0) } ?? $0.intValue.flatMap { UInt64(exactly: $0) }
        },
    ]

    private static let tenCharacters = "10 capital letters and digits"
}

extension SimulatorKey {
    /// Parses one element of `further_keys`, which describes a signing key.
    ///
    /// The JSON needs `key_id` and `public_key`. `team_id`, `topics`, `environments` and `related_key_id` override the defaults.
    fileprivate init(json: JSONValue, team: String) throws(AdminProblem) {
        let known: Set = ["key_id", "team_id", "public_key", "topics", "environments", "related_key_id"]
        if let name = json.objectValue?.keys.sorted().first(where: { !known.contains($0) }) {
            throw AdminProblem(400, "a key has no \(name): it has \(known.sorted().joined(separator: ", "))")
        }
        guard let keyID = json["key_id"]?.identifier, let publicKey = json["public_key"]?.stringValue else {
            throw AdminProblem(400, "a key needs key_id, 10 capital letters and digits, and public_key, in PEM")
        }
        var key = SimulatorKey(keyID: keyID, teamID: team, publicKeyPEM: publicKey)
        if let team = json["team_id"] {
            guard let team = team.identifier else {
                throw AdminProblem(400, "team_id of the key \(keyID) is 10 capital letters and digits")
            }
            key.teamID = team
        }
        if let topics = json["topics"], topics != .null {
            guard let texts = topics.texts else {
                throw AdminProblem(400, "topics of the key \(keyID) is a list of texts")
            }
            key.topics = Set(texts)
        }
        if let environments = json["environments"] {
            let names = environments.texts ?? []
            key.environments = Set(names.compactMap(APNsEnvironment.init(rawValue:)))
            guard !names.isEmpty, key.environments.count == Set(names).count else {
                throw AdminProblem(400, "environments of the key \(keyID) is a list of sandbox and production")
            }
        }
        key.relatedKeyID = json["related_key_id"]?.stringValue
        self = key
    }
}

extension JSONValue {
    fileprivate var texts: [String]? {
        guard let list = arrayValue, case let texts = list.compactMap(\.stringValue), texts.count == list.count else {
            return nil
        }
        return texts
    }

    /// The value as the id of a key or a team, ten capital letters or digits; `nil` for any other value.
    fileprivate var identifier: String? {
        stringValue.flatMap { text in
            text.utf8.count == 10 && text.allSatisfy { $0.isASCII && ($0.isNumber || $0.isUppercase) } ? text : nil
        }
    }

    fileprivate func number(in range: ClosedRange<Int>) -> Int? { intValue.flatMap { range.contains($0) ? $0 : nil } }
}

extension Collection {
    fileprivate var nonEmpty: Self? { isEmpty ? nil : self }
}
