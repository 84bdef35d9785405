import GRDB

extension SQLiteSchema {
    /// A row for each tag of a device, and an index for each fact that an audience may ask for.
    static func addAudiences(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE device_tags (
                    app INTEGER NOT NULL,
                    tag TEXT NOT NULL,
                    device TEXT NOT NULL,
                    PRIMARY KEY (app, tag, device)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX device_tags_by_device ON device_tags (device);
                CREATE INDEX devices_by_locale ON devices (app, locale);
                CREATE INDEX devices_by_time_zone ON devices (app, time_zone);
                CREATE INDEX devices_by_version ON devices (app, app_version);
                CREATE INDEX devices_by_seen ON devices (app, seen);
                INSERT OR IGNORE INTO device_tags (app, tag, device)
                    SELECT devices.app, tag.value, devices.id FROM devices, json_each(devices.tags) AS tag
                """)
    }

    /// The place of each device with a tag among its app's, so that a stretch of ordinals is planned by those who have it.
    ///
    /// - `device_tags.ordinal`: that of the device, which the trigger keeps; NULL while nobody has confirmed it.
    static func addTagPlaces(_ db: Database) throws {
        try db.execute(
            sql: """
                ALTER TABLE device_tags ADD COLUMN ordinal INTEGER;
                UPDATE device_tags SET ordinal = (SELECT ordinal FROM devices WHERE devices.id = device_tags.device);
                CREATE INDEX device_tags_by_place ON device_tags (app, tag, ordinal) WHERE ordinal IS NOT NULL;
                CREATE TRIGGER device_placed AFTER UPDATE OF ordinal ON devices
                WHEN new.ordinal IS NOT old.ordinal BEGIN
                    UPDATE device_tags SET ordinal = new.ordinal WHERE device = new.id;
                END;
                """)
    }
}
