import GRDB

extension SQLiteSchema {
    /// - `user_imported`: whether the user is as another provider said, and no sign-in token has confirmed it.
    /// - `tags_imported`: whether the tags are, and the app has named none of its own.
    ///
    /// A device that was imported, and that no installation has taken over, has an empty `secret_hash`.
    static func addImports(_ db: Database) throws {
        try db.execute(
            sql: """
                ALTER TABLE devices ADD COLUMN user_imported INTEGER NOT NULL DEFAULT 0;
                ALTER TABLE devices ADD COLUMN tags_imported INTEGER NOT NULL DEFAULT 0;
                """)
    }
}
