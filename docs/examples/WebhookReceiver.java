import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A receiver of Carillon's webhooks with nothing but the JDK (11 or later): java WebhookReceiver.java PORT, with the secret in
 * WEBHOOK_SECRET. {@link #isVerified} is what you take over into your own server.
 */
public final class WebhookReceiver {
    private static final long TOLERANCE_SECONDS = 300;

    /** Whether a request is Carillon's, and not an old one that somebody repeats. */
    static boolean isVerified(
            final String secret, final String id, final String timestamp, final String signatures, final byte[] body)
            throws GeneralSecurityException {
        if (id == null || signatures == null || timestamp == null || !timestamp.matches("\\d{1,15}")) return false;
        if (Math.abs(System.currentTimeMillis() / 1000 - Long.parseLong(timestamp)) > TOLERANCE_SECONDS) return false;
        final Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.replaceFirst("^whsec_", "")), "HmacSHA256"));
        mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
        final byte[] expected = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes(StandardCharsets.UTF_8);
        // During a rotation there are two signatures.
        for (final String each : signatures.split(" ")) {
            if (MessageDigest.isEqual(each.getBytes(StandardCharsets.UTF_8), expected)) return true;
        }
        return false;
    }

    // In your server: a table, in one transaction with what you make of the events.
    private static final Set<String> SEEN = ConcurrentHashMap.newKeySet();

    private static void receive(final HttpExchange exchange) throws IOException {
        final byte[] body = exchange.getRequestBody().readAllBytes();
        final String id = exchange.getRequestHeaders().getFirst("webhook-id");
        boolean isVerified = false;
        try {
            isVerified = isVerified(
                System.getenv("WEBHOOK_SECRET"), id, exchange.getRequestHeaders().getFirst("webhook-timestamp"),
                exchange.getRequestHeaders().getFirst("webhook-signature"), body);
        } catch (final GeneralSecurityException error) {
            System.err.println(error);
        }
        // A request may come twice, with an equal id.
        if (isVerified && SEEN.add(id)) print(new String(body, StandardCharsets.UTF_8));
        exchange.sendResponseHeaders(isVerified ? 204 : 401, -1);
        exchange.close();
    }

    // Your server has a library for JSON; the JDK has none.
    private static final Pattern EVENT = Pattern.compile("\\{[^{}\\[]*(\\{[^{}]*\\}[^{}]*)*\\}");

    private static void print(final String body) {
        final Matcher events = EVENT.matcher(body.substring(body.indexOf('[')));
        while (events.find()) {
            System.out.println(
                String.join(" ", member(events.group(), "type"), member(events.group(), "message"), member(events.group(), "user")));
        }
    }

    private static String member(final String json, final String name) {
        final Matcher matcher = Pattern.compile("\"" + name + "\"\\s*:\\s*\"([^\"]*)\"").matcher(json);
        return matcher.find() ? matcher.group(1) : "";
    }

    public static void main(final String[] arguments) throws IOException {
        final HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0])), 0);
        server.createContext("/", WebhookReceiver::receive);
        server.start();
    }
}
