/// The tables, as of the version whose number SQLite's last migration has; what the columns mean is said there.
///
/// Numbers are `BIGINT`, yes and no are 1 and 0, and texts are compared byte by byte, as SQLite does: pages of ids rely on it.
enum PostgreSQLSchema {
    /// The version that this program makes, and needs.
    static let version = 19

    /// Makes all tables of an empty schema.
    static let creation = [accounts, devices, messages, deliveries, removalLeases, counting, binding, placing].map(
        PostgreSQLText.translated)

    /// Keeps the counts of unread messages.
    private static let counting = """
        CREATE FUNCTION carillon_count_unread() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE
            before BIGINT := 0;
            after BIGINT := 0;
        BEGIN
            IF TG_OP <> 'INSERT' AND old.read IS NULL AND old.gone = 0 THEN before := 1; END IF;
            IF TG_OP <> 'DELETE' AND new.read IS NULL AND new.gone = 0 THEN after := 1; END IF;
            IF after > before THEN
                INSERT INTO unread (app, user, count) VALUES (new.app, new.user, 1)
                ON CONFLICT (app, user) DO UPDATE SET count = unread.count + 1;
            ELSIF before > after THEN
                UPDATE unread SET count = unread.count - 1 WHERE app = old.app AND user = old.user;
                DELETE FROM unread WHERE app = old.app AND user = old.user AND unread.count = 0;
            END IF;
            RETURN NULL;
        END $$;
        CREATE TRIGGER inbox_counted AFTER INSERT OR UPDATE OR DELETE ON inbox
            FOR EACH ROW EXECUTE FUNCTION carillon_count_unread();
        """

    /// What leads from the version before to each later one, empty where only what is in the tables is another; the tables of
    /// an older one are not known.
    static let upgrades: [Int: String] = [
        16: """
        ALTER TABLE device_tags ADD COLUMN ordinal BIGINT;
        UPDATE device_tags SET ordinal = devices.ordinal FROM devices WHERE devices.id = device_tags.device;
        CREATE INDEX device_tags_by_place ON device_tags (app, tag, ordinal) WHERE ordinal IS NOT NULL;
        \(placing)
        """,
        17: """
        CREATE INDEX devices_unconfirmed ON devices (app, ordinal) WHERE confirmed IS NULL AND ordinal IS NOT NULL;
        """,
        18: removalLeases,
        // A version before does not read how chunks are kept from now on.
        19: "",
    ].mapValues(PostgreSQLText.translated)

    /// Keeps the place of each device with a tag.
    private static let placing = """
        CREATE FUNCTION carillon_place_tags() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            UPDATE device_tags SET ordinal = new.ordinal WHERE device = new.id;
            RETURN NULL;
        END $$;
        CREATE TRIGGER device_placed AFTER UPDATE OF ordinal ON devices
            FOR EACH ROW WHEN (new.ordinal IS DISTINCT FROM old.ordinal) EXECUTE FUNCTION carillon_place_tags();
        """

    /// Keeps the last chunk that there was when a device's user signed in.
    private static let binding = """
        CREATE FUNCTION carillon_bind_device() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF TG_OP = 'INSERT' OR new.user IS DISTINCT FROM old.user THEN
                new.bound := coalesce((SELECT max(number) FROM chunks), 0);
            END IF;
            RETURN new;
        END $$;
        CREATE TRIGGER device_bound BEFORE INSERT OR UPDATE OF user ON devices
            FOR EACH ROW WHEN (new.user IS NOT NULL) EXECUTE FUNCTION carillon_bind_device();
        """
}
