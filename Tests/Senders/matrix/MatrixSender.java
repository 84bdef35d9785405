import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A sender on java.net.http alone. Reads JSON lines, answers each with one: see python_sender.py. The provider token comes with
 * each line.
 */
public final class MatrixSender {
    public static void main(final String[] arguments) throws Exception {
        final BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        final String setup = lines.readLine();
        final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).sslContext(context(setup)).build();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            final String authorization = text(line, "authorization");
            final List<CompletableFuture<String>> answers = new ArrayList<>();
            final Matcher tokens = Pattern.compile("\"([0-9a-f]{64})\"").matcher(line);
            while (tokens.find()) {
                final CompletableFuture<String> answer = send(client, setup, authorization, tokens.group(1));
                // The first alone: java.net.http would open as many connections as there are requests before SETTINGS.
                if (answers.isEmpty()) answer.join();
                answers.add(answer);
            }
            final Map<String, Integer> counts = new TreeMap<>();
            for (final CompletableFuture<String> answer : answers) counts.merge(answer.join(), 1, Integer::sum);
            System.out.println(
                counts.entrySet().stream().map(entry -> "\"" + entry.getKey() + "\": " + entry.getValue())
                    .collect(Collectors.joining(", ", "{", "}")));
        }
        System.exit(0);
    }

    private static CompletableFuture<String> send(
        final HttpClient client, final String setup, final String authorization, final String token) {
        final URI uri = URI.create("https://" + text(setup, "host") + ":" + text(setup, "port") + "/3/device/" + token);
        final HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(5))
            .header("apns-topic", text(setup, "topic")).header("apns-push-type", "alert")
            .POST(HttpRequest.BodyPublishers.ofString("{\"aps\":{\"alert\":\"Hello\"}}"));
        if (!authorization.isEmpty()) request.header("authorization", authorization);
        return client.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString())
            .thenApply(answer -> answer.statusCode() == 200 ? "200" : text(answer.body(), "reason"))
            .exceptionally(problem -> problem.getCause().getClass().getSimpleName());
    }

    /** A text or a number of a JSON dictionary; empty when it is not there. */
    private static String text(final String json, final String name) {
        final Matcher matcher = Pattern.compile("\"" + name + "\": ?\"?([^\",}]*)").matcher(json);
        return matcher.find() ? matcher.group(1) : "";
    }

    private static SSLContext context(final String setup) throws Exception {
        final KeyStore trust = KeyStore.getInstance(KeyStore.getDefaultType());
        trust.load(null, null);
        try (var stream = Files.newInputStream(Path.of(text(setup, "ca")))) {
            trust.setCertificateEntry("apns", CertificateFactory.getInstance("X.509").generateCertificate(stream));
        }
        final TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(trust);
        KeyManager[] own = null;
        if (!text(setup, "certificate_p12").isEmpty()) {
            final char[] password = text(setup, "certificate_password").toCharArray();
            final KeyStore identity = KeyStore.getInstance("PKCS12");
            try (var stream = Files.newInputStream(Path.of(text(setup, "certificate_p12")))) {
                identity.load(stream, password);
            }
            final KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            managers.init(identity, password);
            own = managers.getKeyManagers();
        }
        final SSLContext context = SSLContext.getInstance("TLS");
        context.init(own, trusted.getTrustManagers(), null);
        return context;
    }
}
