import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A simulated APNs for one test: {@code try (CarillonAPNs apns = CarillonAPNs.start())}, or in JUnit a field that
 * {@code @BeforeEach} starts and {@code @AfterEach} closes. Needs the program carillon in PATH, or in $CARILLON.
 */
public final class CarillonAPNs implements AutoCloseable {
    private final Process process;
    private final String settings;

    private CarillonAPNs(final Process process, final String settings) {
        this.process = process;
        this.settings = settings;
    }

    /** Starts it on a free port, with further options of {@code carillon apns-simulator}. */
    public static CarillonAPNs start(final String... options) throws Exception {
        final Path folder = Files.createTempDirectory("apns");
        final String program = System.getenv().getOrDefault("CARILLON", "carillon");
        final List<String> command = new ArrayList<>(
            List.of(program, "apns-simulator", "--port", "0", "--directory", folder.toString()));
        command.addAll(List.of(options));
        final Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        final String line = new BufferedReader(new InputStreamReader(process.getInputStream())).readLine();
        if (line == null || !line.contains("is ready")) throw new IllegalStateException(program + " did not start");
        return new CarillonAPNs(process, Files.readString(folder.resolve("simulator.json")));
    }

    /** A setting: host, port, ca, key, key_id, team_id, certificate_p12, topic; of device_tokens the first. */
    public String get(final String name) {
        final Matcher matcher = Pattern.compile("\"" + name + "\"\\s*:\\s*\\[?\\s*\"?([^\",\\]\\s]+)").matcher(settings);
        if (!matcher.find()) throw new IllegalArgumentException("simulator.json has no " + name);
        return matcher.group(1).replace("\\/", "/");
    }

    /** A call of the admin API: call("GET", "/requests", "") is the journal. */
    public HttpResponse<String> call(final String method, final String path, final String body) throws Exception {
        return HttpClient.newHttpClient().send(
            HttpRequest.newBuilder(URI.create(get("admin_url") + path))
                .method(method, HttpRequest.BodyPublishers.ofString(body)).build(),
            HttpResponse.BodyHandlers.ofString());
    }

    @Override public void close() throws InterruptedException {
        process.destroy();
        process.waitFor();
    }
}
