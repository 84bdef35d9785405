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
}
