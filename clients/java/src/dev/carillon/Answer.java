package dev.carillon;

import java.net.http.HttpHeaders;

/** An answer with a status of 2xx. */
public final class Answer {
    private final int status;
    private final HttpHeaders headers;
    private final Object body;

    Answer(final int status, final HttpHeaders headers, final Object body) {
        this.status = status;
        this.headers = headers;
        this.body = body;
    }

    public int status() {
        return status;
    }

    public HttpHeaders headers() {
        return headers;
    }

    /** The parsed body: a map, a list, a text, a number, a truth value, or null without a body. */
    public Object body() {
        return body;
    }

    /** The entity tag of the settings in the answer, for {@link Carillon#ifMatch}; null if there is none. */
    public String etag() {
        return headers.firstValue("ETag").orElse(null);
    }
}
