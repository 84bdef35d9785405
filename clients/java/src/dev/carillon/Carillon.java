package dev.carillon;

import dev.carillon.Types.EventPage;
import dev.carillon.Types.EventsQuery;
import dev.carillon.Types.ImportReport;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * A client of one service's HTTP API, with nothing but the JDK (11 or later). It may be used by several threads.
 *
 * <pre>Carillon carillon = Carillon.at("https://push.example.com", key).topic("com.example.app").build();</pre>
 */
public final class Carillon extends Calls {
    private static final long FIRST_WAIT = 500;
    private static final long LONGEST_BACKOFF = 8000;
    private static final int EXCERPT = 200;
    private final Builder options;
    private final HttpClient http;
    private final String idempotencyKey;
    private final String ifMatch;

    private Carillon(final Builder options, final HttpClient http, final String idempotencyKey, final String ifMatch) {
        this.options = options;
        this.http = http;
        this.idempotencyKey = idempotencyKey;
        this.ifMatch = ifMatch;
    }

    /** Begins a client of the service at {@code https://…} with an API key of {@code carillon api-keys create}. */
    public static Builder at(final String url, final String key) {
        return new Builder(url, key);
    }

    /** What a client can be given. Each has a default. */
    public static final class Builder {
        private final String url;
        private final String key;
        private String topic;
        private Duration timeout = Duration.ofSeconds(30);
        private int attempts = 4;
        private Duration longestWait = Duration.ofMinutes(1);
        private HttpClient.Builder http = HttpClient.newBuilder();

        private Builder(final String url, final String key) {
            final String wrong = "the url must be like https://push.example.com, with no user, query or fragment";
            final URI parts;
            try {
                parts = URI.create(url);
            } catch (final IllegalArgumentException error) {
                throw new IllegalArgumentException(wrong);
            }
            final boolean isWeb = "http".equals(parts.getScheme()) || "https".equals(parts.getScheme());
            if (!isWeb || parts.getHost() == null || parts.getUserInfo() != null || parts.getQuery() != null || parts.getFragment() != null) {
                throw new IllegalArgumentException(wrong);
            }
            if (!key.matches("[A-Za-z0-9._~+/=-]+")) {
                throw new IllegalArgumentException("the key must be an API key, without spaces and line ends");
            }
            this.url = url.replaceFirst("/+$", "");
            this.key = key;
        }

        /** The app's bundle id; needed where the key is for several apps. */
        public Builder topic(final String value) {
            topic = value;
            return this;
        }

        /** For one attempt, until its answer is complete. The default is 30 seconds. */
        public Builder timeout(final Duration value) {
            timeout = value;
            return this;
        }

        /** How often a call is made at most, if it may be repeated. The default is 4. */
        public Builder attempts(final int value) {
            if (value < 1) throw new IllegalArgumentException("attempts must be 1 or more");
            attempts = value;
            return this;
        }

        /** The most time between two attempts. Where Retry-After asks for more, the error is thrown. The default is a minute. */
        public Builder longestWait(final Duration value) {
            longestWait = value;
            return this;
        }

        /** How connections are made, such as with an SSLContext of yours. Redirects are never followed. */
        public Builder http(final HttpClient.Builder value) {
            http = value;
            return this;
        }

        public Carillon build() {
            // Redirects are not followed: the key is for this address only.
            final HttpClient client = http.followRedirects(HttpClient.Redirect.NEVER).version(HttpClient.Version.HTTP_1_1).build();
            return new Carillon(this, client, null, null);
        }
    }

    /**
     * This client, with a key for its next calls that makes two of them one, also those of two processes. Without it, each call has
     * a key of its own where the API takes one.
     */
    public Carillon idempotencyKey(final String key) {
        return new Carillon(options, http, key, ifMatch);
    }

    /** This client for a change of the settings with this ETag: 412 if they have another meanwhile. It never repeats a call. */
    public Carillon ifMatch(final String etag) {
        return new Carillon(options, http, idempotencyKey, etag);
    }

    /** Names the service, and not the key. */
    @Override
    public String toString() {
        return "Carillon(" + options.url + ")";
    }

    /**
     * Imports devices that another provider knew (docs/import.md). Scope users. A file that comes again changes nothing.
     *
     * @param type text/csv or application/x-ndjson.
     * @param environment for records that name none; null for production.
     * @param afterLine goes on behind that line of the file, the {@code line} of an earlier report; 0 for all.
     * @throws FileNotFoundException if there is no such file.
     */
    public ImportReport importDevices(final Path file, final String type, final String environment, final long afterLine)
            throws FileNotFoundException {
        final JsonObject query = new JsonObject() {};
        query.set("environment", environment);
        query.set("after_line", afterLine > 0 ? afterLine : null);
        final Request request = new Request("POST", "/v1/devices/import").query(query).file(file, type).timeout(Duration.ofMinutes(10));
        return new ImportReport(request(request).body());
    }

    /**
     * Gives events to {@code take}, and goes on as they happen until the thread is interrupted. Store the {@code next} of a page
     * together with what you made of it: it is the {@code after} of the next start.
     *
     * @param after the id of an event, or the {@code next} of a page; null for events from now on.
     * @param query types and texts; limit is 1000 unless it is set.
     * @param wait the time between two looks; null ends behind the newest event.
     */
    public void follow(final String after, final EventsQuery query, final Duration wait, final Consumer<EventPage> take) {
        String cursor = after;
        while (true) {
            final EventsQuery next = new EventsQuery(query);
            if (!query.members().containsKey("limit")) next.limit(1000L);
            if (cursor != null) next.after(cursor);
            final EventPage page = events(next);
            take.accept(page);
            if (page.next().equals(cursor)) {
                if (wait == null) return;
                pause(wait, "GET /v1/events");
            }
            cursor = page.next();
        }
    }

    /** Makes any call of the API, also one that this client has no method for. */
    @Override
    public Answer request(final Request request) {
        final String call = request.method + " " + request.path;
        final boolean mayRepeat = !request.isOnce && ifMatch == null;
        final Duration timeout = request.timeout == null ? options.timeout : request.timeout;
        final HttpRequest made = made(request);
        boolean isLost = false;
        for (int attempt = 1; ; attempt++) {
            final boolean isLast = attempt >= options.attempts;
            Duration wait = backoff(attempt);
            try {
                final HttpResponse<String> answer = attempt(made, timeout);
                if (isLost && request.method.equals("DELETE") && answer.statusCode() == 404) {
                    return new Answer(204, answer.headers(), null); // the lost attempt has deleted it
                }
                final Object value = read(answer);
                if (!(value instanceof ApiException)) return new Answer(answer.statusCode(), answer.headers(), value);
                final ApiException failure = (ApiException) value;
                final boolean repeats = isPassing(failure.status()) && (mayRepeat || failure.status() == 429);
                final Duration asked = failure.retryAfter();
                if (isLast || !repeats || (asked != null && asked.compareTo(options.longestWait) > 0)) throw failure;
                if (asked != null) wait = asked;
            } catch (final IOException error) {
                final boolean isUnsent = error instanceof ConnectException || error instanceof HttpConnectTimeoutException;
                if (isLast || !(mayRepeat || isUnsent)) {
                    throw new NoAnswerException(withoutKey(call + " at " + options.url + " had no answer: " + words(error)), error);
                }
                isLost = isLost || !isUnsent;
            }
            pause(wait, call);
        }
    }

    /** HttpClient says nothing about a connection that was refused. */
    private static String words(final IOException error) {
        final boolean isSilent = error instanceof ConnectException && error.getMessage() == null;
        return isSilent ? "the connection was refused, or there is no such host" : error.toString();
    }

    private HttpRequest made(final Request request) {
        final HttpRequest.Builder made = HttpRequest.newBuilder(URI.create(options.url + request.path + queryOf(request)))
            .header("Authorization", "Bearer " + options.key)
            .header("Accept", "application/json")
            .header("User-Agent", "carillon-java/1")
            .method(request.method, request.content == null ? HttpRequest.BodyPublishers.noBody() : request.content);
        if (request.content != null) made.header("Content-Type", request.contentType);
        if (idempotencyKey != null || request.isKeyed) {
            made.header("Idempotency-Key", idempotencyKey == null ? UUID.randomUUID().toString() : idempotencyKey);
        }
        if (ifMatch != null) made.header("If-Match", ifMatch);
        return made.build();
    }

    private String queryOf(final Request request) {
        final List<String> pairs = new ArrayList<>();
        if (options.topic != null && request.takesTopic) pairs.add("topic=" + encoded(options.topic));
        if (request.query != null) {
            request.query.members().forEach((name, value) -> {
                final String text = value instanceof List ? joined((List<?>) value) : String.valueOf(value);
                pairs.add(name + "=" + encoded(text));
            });
        }
        return pairs.isEmpty() ? "" : "?" + String.join("&", pairs);
    }

    /** A space is %20 here: a plus is a plus. */
    private static String encoded(final String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static String joined(final List<?> values) {
        final Iterator<?> all = values.iterator();
        final StringBuilder out = new StringBuilder();
        while (all.hasNext()) out.append(all.next()).append(all.hasNext() ? "," : "");
        return out.toString();
    }

    /** Makes one request. HttpClient's own timeout ends with the headers, and this one with the body. */
    private HttpResponse<String> attempt(final HttpRequest made, final Duration timeout) throws IOException {
        final Future<HttpResponse<String>> answer = http.sendAsync(made, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
        try {
            return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (final TimeoutException error) {
            answer.cancel(true);
            throw new IOException("the answer was not complete within " + timeout.toMillis() + " ms");
        } catch (final ExecutionException error) {
            if (error.getCause() instanceof IOException) throw (IOException) error.getCause();
            throw new IOException(error.getCause());
        } catch (final InterruptedException error) {
            answer.cancel(true);
            throw interrupted(made.method() + " " + made.uri().getRawPath(), error);
        }
    }

    private static NoAnswerException interrupted(final String call, final InterruptedException error) {
        Thread.currentThread().interrupt();
        return new NoAnswerException(call + ": the thread was interrupted", error);
    }

    private static void pause(final Duration wait, final String call) {
        try {
            Thread.sleep(wait.toMillis());
        } catch (final InterruptedException error) {
            throw interrupted(call, error);
        }
    }

    private static boolean isPassing(final int status) {
        return status == 408 || status == 429 || status == 500 || status == 502 || status == 503 || status == 504;
    }

    private static Duration backoff(final int attempt) {
        final double longest = Math.min(LONGEST_BACKOFF, FIRST_WAIT * Math.pow(2, attempt - 1));
        return Duration.ofMillis((long) (longest * ThreadLocalRandom.current().nextDouble(0.5, 1)));
    }

    /** Returns the error of an answer, or what a successful one has. */
    private Object read(final HttpResponse<String> answer) {
        final int status = answer.statusCode();
        Object value = null;
        boolean isJson = true;
        try {
            value = answer.body().isEmpty() ? null : Json.parse(answer.body());
        } catch (final IllegalArgumentException error) {
            isJson = false;
        }
        if (status >= 200 && status < 300 && isJson) return value;
        final Duration retryAfter = retryAfter(answer.headers());
        if (status >= 400 && value instanceof Map && ((Map<?, ?>) value).get("type") instanceof String) {
            final Map<?, ?> problem = (Map<?, ?>) value;
            final Object pointer = problem.get("pointer");
            return new ApiException(
                status, text(problem.get("type")), text(problem.get("title")), text(problem.get("detail")),
                pointer == null ? null : text(pointer), retryAfter);
        }
        return new ApiException(status, "about:blank", "An answer", foreign(answer), null, retryAfter);
    }

    private String foreign(final HttpResponse<String> answer) {
        if (answer.statusCode() >= 300 && answer.statusCode() < 400) {
            return "redirected to " + excerpt(answer.headers().firstValue("Location").orElse("nowhere"))
                + ", which is not followed: give the client the service's own address";
        }
        return "the answer is no JSON of Carillon, but " + answer.headers().firstValue("Content-Type").orElse("of no type")
            + ", as of a proxy in between: " + excerpt(answer.body());
    }

    private String excerpt(final String text) {
        final String plain = withoutKey(text.trim().replaceAll("\\s+", " "));
        return plain.substring(0, Math.min(plain.length(), EXCERPT));
    }

    private String text(final Object value) {
        return value == null ? "" : withoutKey(value.toString());
    }

    private String withoutKey(final String text) {
        return text.replace(options.key, "…");
    }

    /** Seconds, or a date by the clock of whoever answers; null if there is none. */
    private static Duration retryAfter(final HttpHeaders headers) {
        final String value = headers.firstValue("Retry-After").orElse("").trim();
        if (value.matches("[0-9]{1,9}")) return Duration.ofSeconds(Long.parseLong(value));
        try {
            final ZonedDateTime then = ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME);
            final String date = headers.firstValue("Date").orElse(null);
            final ZonedDateTime now = date == null ? ZonedDateTime.now() : ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME);
            final Duration wait = Duration.between(now, then);
            return wait.isNegative() ? Duration.ZERO : wait;
        } catch (final DateTimeParseException error) {
            return null;
        }
    }
}
