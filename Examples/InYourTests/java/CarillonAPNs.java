import java.io.BufferedReader;
import java.io.File;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A simulated APNs for one test: {@code try (CarillonAPNs apns = CarillonAPNs.start())}, or in JUnit a field that
 * {@code @BeforeEach} starts and {@code @AfterEach} closes. Needs the program carillon-apns-simulator or carillon in
 * PATH, or either in $CARILLON.
 */
public final class CarillonAPNs implements AutoCloseable {
    private static final Map<Integer, String> REASONS = Map.of(
        400, "BadDeviceToken", 403, "InvalidProviderToken", 410, "Unregistered", 413, "PayloadTooLarge",
        429, "TooManyRequests", 500, "InternalServerError", 503, "ServiceUnavailable");

    private final Process process;
    private final String settings;
    private final List<Phone> phones = new ArrayList<>();

    private CarillonAPNs(final Process process, final String settings) {
        this.process = process;
        this.settings = settings;
    }

    /** Starts it on a free port, with further options of {@code carillon apns-simulator}. */
    public static CarillonAPNs start(final String... options) throws Exception {
        final Path folder = Files.createTempDirectory("apns");
        final List<String> command = new ArrayList<>(program());
        command.addAll(List.of("--port", "0", "--directory", folder.toString()));
        command.addAll(List.of(options));
        final Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        final String line = new BufferedReader(new InputStreamReader(process.getInputStream())).readLine();
        if (line == null || !line.contains("is ready")) throw new IllegalStateException(command.get(0) + " did not start");
        return new CarillonAPNs(process, Files.readString(folder.resolve("simulator.json")));
    }

    /** The program to start: of $CARILLON, the simulator's own of PATH, or carillon. */
    private static List<String> program() {
        final String alone = "carillon-apns-simulator";
        final String named = System.getenv().getOrDefault("CARILLON", "");
        if (!named.isEmpty()) return named.endsWith(alone) ? List.of(named) : List.of(named, "apns-simulator");
        for (final String folder : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)) {
            final Path found = Path.of(folder, alone);
            if (Files.isExecutable(found)) return List.of(found.toString());
        }
        return List.of("carillon", "apns-simulator");
    }

    /** A setting: host, port, ca, key, key_id, team_id, certificate_p12, topic; of device_tokens the first. */
    public String get(final String name) { return member(settings, name); }

    /** The value of a member of JSON, or the first of a list: a number, true, false, or a text. */
    private static String member(final String json, final String name) {
        final Matcher matcher = Pattern.compile("\"" + name + "\"\\s*:\\s*\\[?\\s*\"?([^\",\\]}\\s]+)").matcher(json);
        if (!matcher.find()) throw new IllegalArgumentException("there is no " + name + " in " + json);
        return matcher.group(1).replace("\\/", "/");
    }

    /** A call of the admin API: call("GET", "/requests", "") is the journal. */
    public HttpResponse<String> call(final String method, final String path, final String body) throws Exception {
        return HttpClient.newHttpClient().send(
            HttpRequest.newBuilder(URI.create(get("admin_url") + path))
                .method(method, HttpRequest.BodyPublishers.ofString(body)).build(),
            HttpResponse.BodyHandlers.ofString());
    }

    /** A new phone with the app of the first topic, which is online. */
    public Phone device() throws Exception { return offlineDevice().connect(); }

    /** A new phone with the app of the first topic; it is offline until {@link Phone#connect}. */
    public Phone offlineDevice() throws Exception {
        final String name = "phone-" + (phones.size() + 1);
        phones.add(new Phone(name, member(call("POST", "/devices/" + name + "/tokens", "").body(), "token")));
        return phones.get(phones.size() - 1);
    }

    /** How the next request ends: a status with Apple's usual reason, and with Retry-After unless it is null. */
    public void nextAnswer(final int status, final Duration retryAfter) throws Exception {
        final String reason = REASONS.getOrDefault(status, "");
        final String body = reason.isEmpty() ? "" : "{\\\"reason\\\":\\\"" + reason + "\\\"}";
        final String pause = retryAfter == null ? "" : ",\"retry_after_seconds\":" + retryAfter.toSeconds();
        nextFault("{\"status\":" + status + ",\"body\":\"" + body + "\"" + pause + "}");
    }

    /** How the next request ends, as JSON: {@code "\"Unregistered\""}, {@code "\"cut\""}, {@code "{\"reset\":7}"} … */
    public void nextFault(final String json) throws Exception {
        final HttpResponse<String> answer = call("POST", "/answers", "{\"answers\":[" + json + "]}");
        if (answer.statusCode() != 204) throw new IllegalArgumentException(answer.body());
    }

    /** Puts APNs' clock forward: advance(Duration.ofDays(31)). */
    public void advance(final Duration by) throws Exception {
        call("POST", "/clock", "{\"advance_seconds\":" + by.toMillis() / 1000.0 + "}");
    }

    @Override public void close() throws Exception {
        for (final Phone phone : phones) phone.hangUp();
        process.destroy();
        process.waitFor();
    }

    /** A phone with one app. */
    public final class Phone {
        public final String name;
        public final String token;
        private final BlockingQueue<String> arrived = new LinkedBlockingQueue<>();
        private InputStream stream;

        private Phone(final String name, final String token) {
            this.name = name;
            this.token = token;
        }

        /** Brings it online: what has waited arrives first. */
        public Phone connect() throws Exception {
            final HttpRequest request = HttpRequest.newBuilder(URI.create(get("admin_url") + "/devices/" + name + "/pushes")).build();
            final InputStream body = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofInputStream()).body();
            stream = body;
            final Thread reader = new Thread(() -> {
                try (BufferedReader lines = new BufferedReader(new InputStreamReader(body))) {
                    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                        if (line.startsWith("data: ")) arrived.add(line.substring(6));
                    }
                } catch (final java.io.IOException end) {
                    // The phone is offline.
                }
            });
            reader.setDaemon(true);
            reader.start();
            until(true);
            return this;
        }

        /** Takes it offline, so that APNs stores what is sent to it. */
        public void disconnect() throws Exception {
            hangUp();
            until(false);
        }

        private void hangUp() throws Exception { if (stream != null) stream.close(); }

        private void until(final boolean online) throws Exception {
            while (Boolean.parseBoolean(member(call("GET", "/devices/" + name, "").body(), "online")) != online) Thread.onSpinWait();
        }

        /** The next push that arrives, as JSON with payload, topic, priority …; null if none does within ten seconds. */
        public String push() throws InterruptedException { return arrived.poll(10, TimeUnit.SECONDS); }

        /** Deletes the app: 410 Unregistered from now on. */
        public void deleteApp() throws Exception { call("DELETE", "/tokens/" + token, ""); }
    }
}
