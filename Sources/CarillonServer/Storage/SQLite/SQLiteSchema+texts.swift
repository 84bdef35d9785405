import GRDB

extension SQLiteSchema {
    /// - `texts`: a ``MessageTexts`` in JSON; NULL where there are none.
    /// - `message_variables`: the values of a named user for a message's texts, an object of texts in JSON.
    static func addTexts(_ db: Database) throws {
        try db.execute(
            sql: """
                ALTER TABLE messages ADD COLUMN texts BLOB;
                CREATE TABLE message_variables (
                    app INTEGER NOT NULL,
                    user TEXT NOT NULL,
                    message INTEGER NOT NULL,
                    "values" TEXT NOT NULL,
                    PRIMARY KEY (app, user, message)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX message_variables_of_message ON message_variables (message);
                """)
    }
}
