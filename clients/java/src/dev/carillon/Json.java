package dev.carillon;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON (RFC 8259) as maps, lists, texts, numbers, truth values and nulls. The JDK has no reader of its own. */
public final class Json {
    private static final int DEEPEST = 200;
    private final String text;
    private int at;
    private int depth;

    private Json(final String text) {
        this.text = text;
    }

    /**
     * Reads one value.
     *
     * @throws IllegalArgumentException if the text is no JSON.
     */
    public static Object parse(final String text) {
        final Json json = new Json(text);
        final Object value = json.value();
        json.space();
        if (json.at != text.length()) throw json.wrong("the end");
        return value;
    }

    /** Writes a value. Of another class than those that are read, it is its text, as of an Instant. */
    public static String write(final Object value) {
        final StringBuilder out = new StringBuilder();
        write(value, out);
        return out.toString();
    }

    private static void write(final Object value, final StringBuilder out) {
        if (value == null || value instanceof Boolean) {
            out.append(value);
        } else if (value instanceof Number) {
            final double number = ((Number) value).doubleValue();
            if (Double.isNaN(number) || (Double.isInfinite(number) && !(value instanceof BigDecimal))) {
                throw new IllegalArgumentException("JSON has no number " + value);
            }
            out.append(value);
        } else if (value instanceof JsonObject) {
            write(((JsonObject) value).members(), out);
        } else if (value instanceof Map) {
            String before = "{";
            for (final Map.Entry<?, ?> each : ((Map<?, ?>) value).entrySet()) {
                quote(String.valueOf(each.getKey()), out.append(before));
                write(each.getValue(), out.append(':'));
                before = ",";
            }
            out.append(before.equals("{") ? "{}" : "}");
        } else if (value instanceof Iterable) {
            String before = "[";
            for (final Object each : (Iterable<?>) value) {
                write(each, out.append(before));
                before = ",";
            }
            out.append(before.equals("[") ? "[]" : "]");
        } else {
            quote(value.toString(), out);
        }
    }

    private static void quote(final String text, final StringBuilder out) {
        out.append('"');
        for (int index = 0; index < text.length(); index++) {
            final char each = text.charAt(index);
            if (each == '"' || each == '\\') out.append('\\').append(each);
            else if (each < 0x20) out.append(String.format("\\u%04x", (int) each));
            else out.append(each);
        }
        out.append('"');
    }

    private Object value() {
        space();
        switch (peek()) {
            case '{':
                return object();
            case '[':
                return array();
            case '"':
                return string();
            case 't':
                return word("true", Boolean.TRUE);
            case 'f':
                return word("false", Boolean.FALSE);
            case 'n':
                return word("null", null);
            default:
                return number();
        }
    }

    private Object object() {
        final Map<String, Object> members = new LinkedHashMap<>();
        enter();
        if (!isNext('}')) {
            do {
                space();
                final String name = string();
                if (!isNext(':')) throw wrong("a colon");
                members.put(name, value());
            } while (isNext(','));
            if (!isNext('}')) throw wrong("a comma or }");
        }
        depth--;
        return members;
    }

    private Object array() {
        final List<Object> entries = new ArrayList<>();
        enter();
        if (!isNext(']')) {
            do entries.add(value());
            while (isNext(','));
            if (!isNext(']')) throw wrong("a comma or ]");
        }
        depth--;
        return entries;
    }

    private void enter() {
        at++;
        if (++depth > DEEPEST) throw wrong("less depth");
    }

    private String string() {
        if (peek() != '"') throw wrong("a text");
        final StringBuilder out = new StringBuilder();
        for (at++; peek() != '"'; at++) {
            final char each = peek();
            if (each < 0x20) throw wrong("a text without control characters");
            out.append(each == '\\' ? escaped() : each);
        }
        at++;
        return out.toString();
    }

    private char escaped() {
        at++;
        final int index = "\"\\/bfnrt".indexOf(peek());
        if (index >= 0) return "\"\\/\b\f\n\r\t".charAt(index);
        if (peek() != 'u' || at + 4 >= text.length()) throw wrong("an escape");
        final String digits = text.substring(at + 1, at + 5);
        if (!digits.matches("[0-9a-fA-F]{4}")) throw wrong("four digits");
        at += 4;
        return (char) Integer.parseInt(digits, 16);
    }

    private Object number() {
        final int start = at;
        while (at < text.length() && "+-.0123456789eE".indexOf(text.charAt(at)) >= 0) at++;
        final String number = text.substring(start, at);
        if (!number.matches("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?")) throw wrong("a value");
        if (number.matches("-?[0-9]{1,18}")) return Long.valueOf(number);
        return new BigDecimal(number);
    }

    private Object word(final String word, final Object value) {
        if (!text.startsWith(word, at)) throw wrong("a value");
        at += word.length();
        return value;
    }

    private boolean isNext(final char wanted) {
        space();
        if (at >= text.length() || text.charAt(at) != wanted) return false;
        at++;
        return true;
    }

    private char peek() {
        if (at >= text.length()) throw wrong("more");
        return text.charAt(at);
    }

    private void space() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
    }

    private IllegalArgumentException wrong(final String wanted) {
        return new IllegalArgumentException("no JSON: " + wanted + " was expected at character " + at);
    }
}
