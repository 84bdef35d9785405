package dev.carillon;

import java.time.Duration;

/** An answer that is no success. Decide by {@link #type}, which never changes (docs/errors.md), or by {@link #name}, its last part. */
public final class ApiException extends CarillonException {
    private static final long serialVersionUID = 1;
    private static final String PREFIX = "urn:carillon:problem:";
    private final int status;
    private final String type;
    private final String title;
    private final String detail;
    private final String pointer;
    private final Duration retryAfter;

    ApiException(
            final int status, final String type, final String title, final String detail, final String pointer,
            final Duration retryAfter) {
        super(
            status + " " + (type.startsWith(PREFIX) ? type.substring(PREFIX.length()) : "not of Carillon") + ": " + title + ": "
                + detail + (pointer == null ? "" : " (at " + pointer + ")"),
            null);
        this.status = status;
        this.type = type;
        this.title = title;
        this.detail = detail;
        this.pointer = pointer;
        this.retryAfter = retryAfter;
    }

    /** The HTTP status. 200 if the answer of a successful call could not be read, as of a proxy's page. */
    public int status() {
        return status;
    }

    /** Such as {@code urn:carillon:problem:no-such-message}; {@code about:blank} for an answer of a proxy in between. */
    public String type() {
        return type;
    }

    /** The last part of the type, such as {@code no-such-message}; null for an answer of a proxy in between. */
    public String name() {
        return type.startsWith(PREFIX) ? type.substring(PREFIX.length()) : null;
    }

    /** The kind of error in words. */
    public String title() {
        return title;
    }

    /** What was wrong in this call, and what to do. */
    public String detail() {
        return detail;
    }

    /** The place in the body, as a JSON pointer; null if it is elsewhere. */
    public String pointer() {
        return pointer;
    }

    /** The time after which the service says to try again; null if it says none. */
    public Duration retryAfter() {
        return retryAfter;
    }
}
