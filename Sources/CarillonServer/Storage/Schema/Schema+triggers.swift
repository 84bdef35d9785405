/// The SQL that creates the triggers, in the SQL dialect of each engine.
///
/// When inboxes change, triggers update the counts of unread messages. When a device gets another ordinal (running number in the
/// app), a trigger writes it to the rows of the device's tags. When a user signs in on a device, a trigger stores the number of
/// the last ``RangeChunk`` at that time.
///
/// In the audit list, triggers refuse every change except new entries. In SQLite, `INSERT OR REPLACE` deletes a row without
/// running the trigger for deletions. So another trigger refuses an entry with a number that the list already has.
///
/// SQLite takes the number of the last chunk from its sequence, PostgreSQL from the greatest row. So the two engines may store
/// different numbers after old chunks were deleted. In either case, every later chunk has a greater number.
extension Schema {
    static let sqliteTriggers = """
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
        CREATE TRIGGER device_bound AFTER UPDATE OF user ON devices
        WHEN new.user IS NOT NULL AND new.user IS NOT old.user BEGIN
            UPDATE devices SET bound = coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'chunks'), 0)
            WHERE id = new.id;
        END;
        CREATE TRIGGER device_bound_first AFTER INSERT ON devices WHEN new.user IS NOT NULL BEGIN
            UPDATE devices SET bound = coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'chunks'), 0)
            WHERE id = new.id;
        END;
        CREATE TRIGGER device_placed AFTER UPDATE OF ordinal ON devices
        WHEN new.ordinal IS NOT old.ordinal BEGIN
            UPDATE device_tags SET ordinal = new.ordinal WHERE device = new.id;
        END;
        CREATE TRIGGER audit_unchanged BEFORE UPDATE ON audit
        BEGIN SELECT RAISE(ABORT, 'the audit list cannot be changed'); END;
        CREATE TRIGGER audit_kept BEFORE DELETE ON audit
        BEGIN SELECT RAISE(ABORT, 'the audit list cannot be changed'); END;
        CREATE TRIGGER audit_not_replaced BEFORE INSERT ON audit
        WHEN EXISTS (SELECT 1 FROM audit WHERE number = new.number)
        BEGIN SELECT RAISE(ABORT, 'the audit list cannot be changed'); END;
        """

    static let postgreSQLTriggers = """
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
        CREATE FUNCTION carillon_bind_device() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF TG_OP = 'INSERT' OR new.user IS DISTINCT FROM old.user THEN
                new.bound := coalesce((SELECT max(number) FROM chunks), 0);
            END IF;
            RETURN new;
        END $$;
        CREATE TRIGGER device_bound BEFORE INSERT OR UPDATE OF user ON devices
            FOR EACH ROW WHEN (new.user IS NOT NULL) EXECUTE FUNCTION carillon_bind_device();
        CREATE FUNCTION carillon_place_tags() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            UPDATE device_tags SET ordinal = new.ordinal WHERE device = new.id;
            RETURN NULL;
        END $$;
        CREATE TRIGGER device_placed AFTER UPDATE OF ordinal ON devices
            FOR EACH ROW WHEN (new.ordinal IS DISTINCT FROM old.ordinal) EXECUTE FUNCTION carillon_place_tags();
        CREATE FUNCTION carillon_keep_audit() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            RAISE EXCEPTION 'the audit list cannot be changed';
        END $$;
        CREATE TRIGGER audit_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
            FOR EACH STATEMENT EXECUTE FUNCTION carillon_keep_audit();
        """
}
