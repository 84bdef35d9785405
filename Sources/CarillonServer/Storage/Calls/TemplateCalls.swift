import CarillonCore

/// The store's calls about templates.
package struct TemplateCalls: Sendable {
    let transactions: Transactions

    /// Returns a version of a template, the newest one by default; `nil` if the app has none.
    package func template(
        _ name: String, of app: AppReference, version: Int? = nil
    ) async throws -> MessageTemplate? {
        try await transactions.read { try TemplatesTable($0).template(name, of: app.number, version: version) }
    }

    /// Returns the versions of a template, the newest first.
    package func versions(_ name: String, of app: AppReference) async throws -> [MessageTemplate] {
        try await transactions.read { try TemplatesTable($0).versions(name, of: app.number) }
    }

    /// Returns the newest versions of at most `limit` templates after a name, in the order of their names.
    package func list(of app: AppReference, after name: String, limit: Int) async throws -> [MessageTemplate] {
        try await transactions.read { try TemplatesTable($0).templates(of: app.number, after: name, limit: limit) }
    }

    /// Stores a template: its first version, or a further one if its content is another.
    ///
    /// - Parameters:
    ///   - name: the name.
    ///   - message: the members of the message.
    ///   - app: the app.
    ///   - tags: entity tags, one of them that of the newest version; `nil` for a change of any.
    ///   - actor: the person or program that the audit list names.
    ///   - now: the time of the call.
    /// - Returns: the outcome.
    /// - Throws: ``OtherEntityTag`` if none of `tags` is the newest version's, and the errors of the database.
    package func store(
        _ name: String, _ message: JSONObject, of app: AppReference, ifMatching tags: [String]? = nil,
        by actor: AuditActor, at now: Timestamp
    ) async throws -> TemplateStorage {
        try await transactions.write(at: now) { session in
            try AppsTable(session).require(app.number)
            let templates = TemplatesTable(session)
            let known = try templates.template(name, of: app.number)
            if let tags, !(known.map { tags.contains($0.tag) } ?? false) { throw OtherEntityTag() }
            if let known, known.message == message { return .unchanged(known) }
            guard try known != nil || templates.count(of: app.number) < StoreLimits.templatesPerApp else {
                return .areTooMany
            }
            let template = MessageTemplate(
                name: name, version: (known?.version ?? 0) + 1, message: message, changed: now, actor: actor.name)
            try templates.insert(template, of: app.number)
            try AuditTable(session).add(
                AuditNote(
                    .templateChanged, by: actor, app: app.topic, subject: name, details: "version \(template.version)"))
            return .stored(template)
        }
    }

    /// Deletes a template with all its versions; returns whether the app had it.
    package func delete(
        _ name: String, of app: AppReference, by actor: AuditActor, at now: Timestamp
    ) async throws -> Bool {
        try await transactions.write(at: now) { session in
            guard try TemplatesTable(session).delete(name, of: app.number) else { return false }
            try AuditTable(session).add(AuditNote(.templateDeleted, by: actor, app: app.topic, subject: name))
            return true
        }
    }
}
