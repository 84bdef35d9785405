import CarillonCore
import Foundation

/// Reads and writes the table `templates`: the versions of named messages.
struct TemplatesTable: StoreTable {
    let session: StoreSession

    /// The SQL that creates the table; `content` has the members of the message in JSON.
    static let creation = """
        CREATE TABLE templates (
            app INTEGER NOT NULL,
            name TEXT NOT NULL,
            version INTEGER NOT NULL,
            content TEXT NOT NULL,
            changed INTEGER NOT NULL,
            actor TEXT NOT NULL,
            PRIMARY KEY (app, name, version)
        ) STRICT, WITHOUT ROWID;
        """

    /// Returns a version of a template, the newest one by default; `nil` if the app has none.
    func template(_ name: String, of app: AppNumber, version: Int? = nil) throws -> MessageTemplate? {
        try row(
            """
            SELECT * FROM templates WHERE app = ? AND name = ? AND (CAST(? AS BIGINT) IS NULL OR version = ?)
            ORDER BY version DESC LIMIT 1
            """, [app.rawValue, name, version, version]
        ).map(template)
    }

    /// Returns the versions of a template, the newest first.
    func versions(_ name: String, of app: AppNumber) throws -> [MessageTemplate] {
        try rows("SELECT * FROM templates WHERE app = ? AND name = ? ORDER BY version DESC", [app.rawValue, name])
            .map(template)
    }

    /// Returns the newest versions of an app's templates, in the order of their names.
    ///
    /// - Parameters:
    ///   - app: the app.
    ///   - name: the name after which the result begins; empty to begin with the first.
    ///   - limit: the greatest number of templates.
    /// - Returns: the templates.
    /// - Throws: the errors of the database.
    func templates(of app: AppNumber, after name: String, limit: Int) throws -> [MessageTemplate] {
        try rows(
            """
            SELECT templates.* FROM templates JOIN (
                SELECT name AS newest, max(version) AS number FROM templates WHERE app = ? AND name > ?
                GROUP BY name ORDER BY name LIMIT ?) AS listed ON name = newest AND version = number
            WHERE app = ? ORDER BY name
            """, [app.rawValue, name, limit, app.rawValue]
        ).map(template)
    }

    func count(of app: AppNumber) throws -> Int {
        try integer("SELECT count(DISTINCT name) FROM templates WHERE app = ?", [app.rawValue])
    }

    /// Inserts a version, and deletes those before the newest ``StoreLimits/templateVersions``.
    func insert(_ template: MessageTemplate, of app: AppNumber) throws {
        let message = String(decoding: try JSONValue.object(template.message).encoded(), as: UTF8.self)
        try execute(
            "INSERT INTO templates (app, name, version, content, changed, actor) VALUES (?, ?, ?, ?, ?, ?)",
            [
                app.rawValue, template.name, template.version, message, template.changed.millisecondsSince1970,
                template.actor,
            ])
        try execute(
            "DELETE FROM templates WHERE app = ? AND name = ? AND version <= ?",
            [app.rawValue, template.name, template.version - StoreLimits.templateVersions])
    }

    /// Deletes all versions of a template; returns whether there was one.
    func delete(_ name: String, of app: AppNumber) throws -> Bool {
        try changes("DELETE FROM templates WHERE app = ? AND name = ?", [app.rawValue, name]) > 0
    }

    /// Deletes all templates of an app, because it is removed.
    func deleteAll(of app: AppNumber) throws {
        try execute("DELETE FROM templates WHERE app = ?", [app.rawValue])
    }

    private func template(_ row: SQLRow) throws -> MessageTemplate {
        let text: String = try row["content"]
        guard let message = (try? JSONValue(parsing: text))?.members else { throw row.unreadable("content") }
        return MessageTemplate(
            name: try row["name"], version: try row["version"], message: message,
            changed: try row.requiredTimestamp("changed"), actor: try row["actor"])
    }
}
