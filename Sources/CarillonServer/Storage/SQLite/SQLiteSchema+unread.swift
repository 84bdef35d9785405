import CarillonCore
import GRDB

/// What changed when unread messages were counted as they come and go.
extension SQLiteSchema {
    /// - `inbox.gone`: whether it counts no more, because it was recalled or has expired; `revision` and `until` are those
    ///   of the message. `unread` has the count of each user who has any; the triggers keep it.
    static func countUnread(_ db: Database) throws {
        try db.execute(
            sql: """
                ALTER TABLE inbox ADD COLUMN gone INTEGER NOT NULL DEFAULT 0;
                ALTER TABLE inbox ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
                ALTER TABLE inbox ADD COLUMN until INTEGER;
                UPDATE inbox SET (revision, until, gone) = (SELECT revision, until, recalled IS NOT NULL
                    FROM messages WHERE number = inbox.message)
                WHERE message IN (SELECT number FROM messages);
                UPDATE messages SET expires = until WHERE until IS NOT NULL
                    AND EXISTS (SELECT 1 FROM inbox WHERE message = messages.number);
                CREATE TABLE unread (
                    app INTEGER NOT NULL,
                    user TEXT NOT NULL,
                    count INTEGER NOT NULL,
                    PRIMARY KEY (app, user)
                ) STRICT, WITHOUT ROWID;
                INSERT INTO unread (app, user, count)
                    SELECT app, user, count(*) FROM inbox WHERE read IS NULL AND gone = 0 GROUP BY app, user;
                CREATE INDEX inbox_by_end ON inbox (app, user, until)
                    WHERE read IS NULL AND gone = 0 AND until IS NOT NULL;
                """)
        try db.execute(sql: unreadTriggers)
    }

    private static let unreadTriggers = """
        CREATE TRIGGER inbox_filled AFTER INSERT ON inbox WHEN new.read IS NULL AND new.gone = 0 BEGIN
            INSERT INTO unread (app, user, count) VALUES (new.app, new.user, 1)
            ON CONFLICT (app, user) DO UPDATE SET count = count + 1;
        END;
        CREATE TRIGGER inbox_emptied AFTER DELETE ON inbox WHEN old.read IS NULL AND old.gone = 0 BEGIN
            UPDATE unread SET count = count - 1 WHERE app = old.app AND user = old.user;
        END;
        CREATE TRIGGER inbox_unread_again AFTER UPDATE ON inbox
        WHEN (old.read IS NOT NULL OR old.gone = 1) AND new.read IS NULL AND new.gone = 0 BEGIN
            INSERT INTO unread (app, user, count) VALUES (new.app, new.user, 1)
            ON CONFLICT (app, user) DO UPDATE SET count = count + 1;
        END;
        CREATE TRIGGER inbox_unread_no_more AFTER UPDATE ON inbox
        WHEN old.read IS NULL AND old.gone = 0 AND (new.read IS NOT NULL OR new.gone = 1) BEGIN
            UPDATE unread SET count = count - 1 WHERE app = old.app AND user = old.user;
        END;
        CREATE TRIGGER unread_none AFTER UPDATE ON unread WHEN new.count = 0 BEGIN
            DELETE FROM unread WHERE app = new.app AND user = new.user;
        END;
        """
}
