package dev.carillon;

import java.io.FileNotFoundException;
import java.net.URLEncoder;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** A call of any kind, as {@link Carillon#request} takes it. */
public final class Request {
    final String method;
    final String path;
    JsonObject query;
    BodyPublisher content;
    String contentType = "application/json";
    boolean isKeyed;
    boolean isOnce;
    boolean takesTopic = true;
    Duration timeout;

    /** The path has each of its parts encoded ({@link #encoded}). */
    public Request(final String method, final String path) {
        this.method = method;
        this.path = path;
    }

    /** A part of a path. */
    public static String encoded(final String id) {
        if (id.isEmpty() || id.equals(".") || id.equals("..")) {
            throw new IllegalArgumentException("an id has at least one character, and is not . or ..");
        }
        return URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** Members of the query. */
    public Request query(final JsonObject members) {
        query = members;
        return this;
    }

    /** A body that is sent as JSON; null for none. */
    public Request body(final JsonObject body) {
        if (body != null) content = BodyPublishers.ofString(body.toString());
        return this;
    }

    /** A file that is sent as it is. */
    public Request file(final Path file, final String type) throws FileNotFoundException {
        content = BodyPublishers.ofFile(file);
        contentType = type;
        return this;
    }

    /** Each attempt has the same Idempotency-Key. */
    public Request keyed() {
        isKeyed = true;
        return this;
    }

    /** A repetition may do something twice: the call is repeated only if it was surely not made. */
    public Request once() {
        isOnce = true;
        return this;
    }

    /** The client's topic does not go into the query: calls that do not name it refuse it. */
    public Request withoutTopic() {
        takesTopic = false;
        return this;
    }

    /** For one attempt, until its answer is complete. */
    public Request timeout(final Duration value) {
        timeout = value;
        return this;
    }

    static Object member(final Object body, final String name) {
        return ((Map<?, ?>) body).get(name);
    }
}
