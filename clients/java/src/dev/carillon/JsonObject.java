package dev.carillon;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** A JSON object with typed members. Those that this client does not know are kept. */
public abstract class JsonObject {
    private final Map<String, Object> members = new LinkedHashMap<>();

    JsonObject() {}

    JsonObject(final Object value) {
        if (!(value instanceof Map)) throw new ClassCastException("an object was expected, and the answer has " + Json.write(value));
        ((Map<?, ?>) value).forEach((name, member) -> members.put((String) name, member));
    }

    /** All members: maps, lists, texts, numbers (Long, or BigDecimal), truth values, nulls. */
    public Map<String, Object> members() {
        return Collections.unmodifiableMap(members);
    }

    /** The object as JSON. */
    @Override
    public String toString() {
        return Json.write(members);
    }

    @Override
    public boolean equals(final Object other) {
        return other != null && getClass() == other.getClass() && members.equals(((JsonObject) other).members);
    }

    @Override
    public int hashCode() {
        return members.hashCode();
    }

    final void set(final String name, final Object value) {
        if (value == null) members.remove(name);
        else members.put(name, value);
    }

    /** A copy with another member. */
    final JsonObject with(final String name, final Object value) {
        final JsonObject copy = new JsonObject(members) {};
        copy.set(name, value);
        return copy;
    }

    final <T> T get(final String name, final Function<Object, T> read) {
        final Object value = members.get(name);
        return value == null ? null : read.apply(value instanceof JsonObject ? ((JsonObject) value).members : value);
    }

    static String asText(final Object value) {
        return (String) value;
    }

    static Instant asInstant(final Object value) {
        return value instanceof Instant ? (Instant) value : Instant.parse((String) value);
    }

    static Long asLong(final Object value) {
        return ((Number) value).longValue();
    }

    static Double asDouble(final Object value) {
        return value instanceof BigDecimal ? (Double) ((BigDecimal) value).doubleValue() : (Double) ((Number) value).doubleValue();
    }

    static Boolean asBoolean(final Object value) {
        return (Boolean) value;
    }

    static <T> List<T> asList(final Object value, final Function<Object, T> read) {
        final List<T> list = new ArrayList<>();
        for (final Object each : (List<?>) value) list.add(each == null ? null : read.apply(each));
        return Collections.unmodifiableList(list);
    }

    static <T> Map<String, T> asMap(final Object value, final Function<Object, T> read) {
        final Map<String, T> map = new LinkedHashMap<>();
        ((Map<?, ?>) value).forEach((name, each) -> map.put((String) name, each == null ? null : read.apply(each)));
        return Collections.unmodifiableMap(map);
    }
}
