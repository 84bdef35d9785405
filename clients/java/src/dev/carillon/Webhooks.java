package dev.carillon;

import dev.carillon.Types.FeedEvent;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Requests that the service posts to you, verified as Standard Webhooks says. */
public final class Webhooks {
    /** By how much the time of a request may differ from the clock. */
    public static final Duration TOLERANCE = Duration.ofMinutes(5);

    private Webhooks() {}

    /**
     * Returns the events of a request.
     *
     * @param secrets {@code whsec_…}, or several during a rotation.
     * @param header the value of a header of the request, by its name; null if it has none. {@code webhook-id} is the same when the
     *     request comes again: remember it.
     * @param body the bytes as they came, not parsed and written again.
     * @throws WebhookException if the request is not signed with one of the secrets, or is not of this time.
     */
    public static List<FeedEvent> verify(
            final Collection<String> secrets, final Function<String, String> header, final byte[] body) {
        return verify(secrets, header, body, Instant.now());
    }

    static List<FeedEvent> verify(
            final Collection<String> secrets, final Function<String, String> header, final byte[] body, final Instant now) {
        final String id = header.apply("webhook-id");
        final String timestamp = header.apply("webhook-timestamp");
        final String signatures = header.apply("webhook-signature");
        if (id == null || timestamp == null || signatures == null || !timestamp.matches("[0-9]{1,15}")) {
            throw new WebhookException("the request has no webhook-id, webhook-signature, or webhook-timestamp in seconds");
        }
        if (Math.abs(now.getEpochSecond() - Long.parseLong(timestamp)) > TOLERANCE.getSeconds()) {
            throw new WebhookException("the request is of another time: an old one that is repeated, or a clock is wrong");
        }
        for (final String secret : secrets) {
            final byte[] expected = bytes("v1," + Base64.getEncoder().encodeToString(mac(secret, id + "." + timestamp + ".", body)));
            for (final String each : signatures.split(" ")) {
                if (MessageDigest.isEqual(bytes(each), expected)) return events(body);
            }
        }
        throw new WebhookException("no signature of the request is of this secret");
    }

    private static byte[] mac(final String secret, final String begin, final byte[] body) {
        final byte[] key;
        try {
            key = Base64.getDecoder().decode(secret.replaceFirst("^whsec_", ""));
            if (key.length == 0) throw new IllegalArgumentException();
        } catch (final IllegalArgumentException error) {
            // The decoder's own words have a part of the secret.
            throw new IllegalArgumentException(
                "a webhook's secret is whsec_ and base64, as the call that made the webhook has answered it");
        }
        try {
            final Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            mac.update(bytes(begin));
            return mac.doFinal(body);
        } catch (final GeneralSecurityException error) {
            throw new IllegalStateException("this Java has no HMAC-SHA256", error);
        }
    }

    private static byte[] bytes(final String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static List<FeedEvent> events(final byte[] body) {
        try {
            final Map<?, ?> request = (Map<?, ?>) Json.parse(new String(body, StandardCharsets.UTF_8));
            return JsonObject.asList(request.get("events"), FeedEvent::new);
        } catch (final IllegalArgumentException | ClassCastException | NullPointerException error) {
            throw new WebhookException("the request is signed and has no events");
        }
    }
}
