import java.io.FileInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A sender with the client certificate: javac *.java && java SenderTest. One with the key is docs/examples/Sender.java. */
public final class SenderTest {
    public static void main(final String[] arguments) throws Exception {
        try (CarillonAPNs apns = CarillonAPNs.start()) {
            expect(200, send(apns, apns.get("device_tokens")).statusCode());
            expect(true, apns.call("GET", "/requests", "").body().contains("Hello from Java"));
            final CarillonAPNs.Phone online = apns.device();
            expect(200, send(apns, online.token).statusCode());
            expect(true, online.push().contains("Hello from Java"));
            final CarillonAPNs.Phone phone = apns.offlineDevice();
            expect(200, send(apns, phone.token).statusCode());
            expect(true, phone.connect().push().contains("Hello from Java"));
            apns.nextAnswer(503, Duration.ofSeconds(30));
            final HttpResponse<String> away = send(apns, phone.token);
            expect(503, away.statusCode());
            expect("30", away.headers().firstValue("retry-after").orElse("none"));
            phone.disconnect();
            expect(200, send(apns, phone.token).statusCode());
            apns.advance(Duration.ofDays(31));
            phone.connect();
            expect(true, apns.call("GET", "/fleet", "").body().matches("(?s).*\"expired\"\\s*:\\s*1.*"));
            phone.deleteApp();
            expect(410, send(apns, phone.token).statusCode());
        }
        System.out.println("ok");
        System.exit(0);
    }

    static HttpResponse<String> send(final CarillonAPNs apns, final String token) throws Exception {
        final URI uri = URI.create(
            "https://" + apns.get("host") + ":" + apns.get("port") + "/3/device/" + token);
        final HttpRequest request = HttpRequest.newBuilder(uri).header("apns-push-type", "alert")
            .POST(HttpRequest.BodyPublishers.ofString("{\"aps\":{\"alert\":\"Hello from Java\"}}")).build();
        return HttpClient.newBuilder().sslContext(context(apns)).build()
            .send(request, HttpResponse.BodyHandlers.ofString());
    }

    private static SSLContext context(final CarillonAPNs apns) throws Exception {
        final KeyStore trust = KeyStore.getInstance(KeyStore.getDefaultType());
        trust.load(null, null);
        try (FileInputStream stream = new FileInputStream(apns.get("ca"))) {
            trust.setCertificateEntry("apns", CertificateFactory.getInstance("X.509").generateCertificate(stream));
        }
        final TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(trust);
        final char[] password = apns.get("certificate_password").toCharArray();
        final KeyStore identity = KeyStore.getInstance("PKCS12");
        try (FileInputStream stream = new FileInputStream(apns.get("certificate_p12"))) { identity.load(stream, password); }
        final KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(identity, password);
        final SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trusted.getTrustManagers(), null);
        return context;
    }

    private static void expect(final Object expected, final Object seen) {
        if (!expected.equals(seen)) throw new AssertionError("expected " + expected + ", saw " + seen);
    }
}
