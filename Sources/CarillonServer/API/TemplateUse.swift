import CarillonCore

/// The part of a request that names a template: `"template": "order-shipped", "with": {"order": "4711"}`.
struct TemplateUse {
    var name: String
    /// The version; `nil` for the newest one.
    var version: Int?
    /// The values of variables for all recipients.
    var values: [String: String]
}

extension ObjectReader {
    /// Takes the template and its values out of a body; `nil` if it names none.
    mutating func takeTemplate() throws(Problem) -> TemplateUse? {
        let values = try takeValues("with")
        guard let json = take("template") else {
            guard values == nil else {
                throw .invalid("/with", #"has values for a template, and "template" names none"#)
            }
            return nil
        }
        var use = TemplateUse(name: json.stringValue ?? "", values: values ?? [:])
        if json.stringValue == nil {
            var reader = try ObjectReader(json, pointer: "/template")
            guard let name = try reader.takeString("name") else { throw .invalid("/template/name", "is missing") }
            use.name = name
            use.version = try reader.takeCount("version", atMost: StoreLimits.latestTemplateVersion)
            try reader.finish()
        }
        guard CampaignName.isValid(use.name) else { throw .invalid("/template", CampaignName.rule) }
        return use
    }

    /// Takes an object with the values of variables; `nil` if the body has none.
    mutating func takeValues(_ key: String) throws(Problem) -> [String: String]? {
        guard let json = take(key) else { return nil }
        let reader = try ObjectReader(json, pointer: pointer(to: key))
        guard reader.rest.count <= ServiceLimits.variablesPerUser else {
            throw .invalid(
                pointer(to: key),
                "has \(reader.rest.count) values; it takes at most \(ServiceLimits.variablesPerUser)")
        }
        return try RecipientVariables.values(reader)
    }

    /// Returns the body with the members of a template, filled with values.
    ///
    /// A member of the body itself goes before one of the template. If the body has values for each recipient, the texts keep
    /// their variables, and each recipient gets the values of `use` too, behind his own.
    ///
    /// - Throws: ``Problem`` if the body has a content of its own, and for a value that is missing.
    func adding(_ template: JSONObject, _ use: TemplateUse) throws(Problem) -> ObjectReader {
        // Null is as good as absent.
        var members = rest
        for name in rest.keys where rest[name] == .null { members[name] = nil }
        for name in ["payload", "localized"] where members[name] != nil {
            throw .invalid(
                pointer(to: name), "does not go with a template, which has the content: leave out one of the two")
        }
        for (name, value) in template.sorted() where members[name] == nil { members[name] = value }
        let filling = TemplateFilling(values: use.values, keepsTexts: rest["to"]?["users"]?.members != nil)
        for name in ["payload", "localized"] {
            members[name] = try members[name].map { json throws(Problem) in try filling.filled(json, at: [name]) }
        }
        if filling.keepsTexts, let to = members["to"] {
            var names: Set<String> = []
            for name in ["payload", "localized"] {
                try members[name].map { json throws(Problem) in
                    try TemplateFilling.names(in: json, at: [name], &names, ofTexts: true)
                }
            }
            members["to"] = try filling.withValues(to, of: names)
        }
        return try ObjectReader(.object(members), pointer: "")
    }
}

/// Fills the variables of a template's content.
struct TemplateFilling {
    /// The values for all recipients.
    let values: [String: String]
    /// Whether the texts of the alert keep their variables, because each recipient has values of his own.
    let keepsTexts: Bool

    /// Returns a value of the content with its variables filled.
    ///
    /// - Parameters:
    ///   - json: the value.
    ///   - path: the names that lead to it, such as `["payload", "aps", "alert"]`.
    /// - Returns: the value; texts of the alert are templates without variables then, so that what a value contains stays a text.
    /// - Throws: ``Problem`` for a variable without a value, and for braces that are no variable.
    func filled(_ json: JSONValue, at path: [String]) throws(Problem) -> JSONValue {
        switch json {
        case .string(let text):
            let isText = Self.isText(path)
            if isText, keepsTexts { return json }
            let filled = try filled(text, at: path)
            return .string(isText ? TextTemplate.literal(filled) : filled)
        case .array(let elements):
            var filled: [JSONValue] = []
            for (index, element) in elements.enumerated() {
                filled.append(try self.filled(element, at: path + ["\(index)"]))
            }
            return .array(filled)
        case .object(let members):
            var filled = JSONObject()
            for (name, member) in members.sorted() { filled[name] = try self.filled(member, at: path + [name]) }
            return .object(filled)
        default: return json
        }
    }

    /// Adds the names of all variables in a value of the content, or only of those in the alert's texts.
    ///
    /// - Throws: ``Problem`` for braces that are no variable.
    static func names(
        in json: JSONValue, at path: [String], _ names: inout Set<String>, ofTexts: Bool = false
    ) throws(Problem) {
        switch json {
        case .string(let text):
            if ofTexts, !isText(path) { return }
            do { names.formUnion(try TextTemplate(text).variables) } catch {
                throw .invalid(pointer(path), error.description)
            }
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                try Self.names(in: element, at: path + ["\(index)"], &names, ofTexts: ofTexts)
            }
        case .object(let members):
            for (name, member) in members.sorted() {
                try Self.names(in: member, at: path + [name], &names, ofTexts: ofTexts)
            }
        default: break
        }
    }

    private func filled(_ text: String, at path: [String]) throws(Problem) -> String {
        let template: TextTemplate
        do { template = try TextTemplate(text) } catch { throw .invalid(Self.pointer(path), error.description) }
        guard let missing = template.needed.first(where: { values[$0] == nil }) else {
            return template.filled(with: values)
        }
        let hint = missing.nearest(in: values.keys.sorted()).map { "; did you mean \"\($0)\"" } ?? ""
        throw .invalid(
            "/with",
            "has no value for \"\(missing)\", which \(Self.pointer(path)) of the template needs\(hint); nothing was sent"
        )
    }

    /// Returns the audience with the values for all behind those of each user, as far as the texts need them.
    ///
    /// - Throws: ``Problem`` if the values take too many bytes, since each user has them.
    func withValues(_ to: JSONValue, of names: Set<String>) throws(Problem) -> JSONValue {
        guard var audience = to.members, let users = audience["users"]?.members else { return to }
        let values = values.filter { names.contains($0.key) }
        let size = values.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count } * users.count
        guard size <= ServiceLimits.sharedValuesBytes else {
            throw .invalid(
                "/with",
                "has values of \(size) bytes for \(users.count) users together; at most \(ServiceLimits.sharedValuesBytes) are taken: send to fewer users at once"
            )
        }
        var filled = JSONObject()
        for (user, own) in users.sorted() {
            guard var own = own.members else { return to }
            for (name, value) in values where own[name] == nil { own[name] = .string(value) }
            filled[user] = .object(own)
        }
        audience["users"] = .object(filled)
        return .object(audience)
    }

    /// Whether a place has a text that can have a recipient's values: the alert, or its title, subtitle or body.
    private static func isText(_ path: [String]) -> Bool {
        if path.first == "localized" { return path.count == 3 }
        return path == ["payload", "aps", "alert"]
            || (path.count == 4 && path.starts(with: ["payload", "aps", "alert"])
                && ["title", "subtitle", "body"].contains(path[3]))
    }

    private static func pointer(_ path: [String]) -> String {
        path.map { "/\(ObjectReader.escaped($0))" }.joined()
    }
}

extension TemplateCalls {
    /// Returns the version of a template that a request names.
    ///
    /// - Throws: ``Problem`` 422 if the app has none, and the errors of the database.
    func template(_ use: TemplateUse, of app: AppReference) async throws -> MessageTemplate {
        guard let template = try await template(use.name, of: app, version: use.version) else {
            let version = use.version.map { "version \($0) of the " } ?? ""
            throw Problem.invalid(
                "/template", "there is no \(version)template \"\(use.name)\"; GET /v1/templates lists them")
        }
        return template
    }
}
