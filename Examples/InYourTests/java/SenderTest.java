import java.io.FileInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A sender with the client certificate: javac *.java && java SenderTest. One with the key is docs/examples/Sender.java. */
public final class SenderTest {
    public static void main(final String[] arguments) throws Exception {
        try (CarillonAPNs apns = CarillonAPNs.start()) {
            expect(200, send(apns).statusCode());
            if (!apns.call("GET", "/requests", "").body().contains("Hello from Java")) throw new AssertionError("journal");
            apns.call("DELETE", "/tokens/" + apns.get("device_tokens"), "");
            expect(410, send(apns).statusCode());
        }
        System.out.println("ok");
        System.exit(0);
    }

    private static HttpResponse<String> send(final CarillonAPNs apns) throws Exception {
        final URI uri = URI.create(
            "https://" + apns.get("host") + ":" + apns.get("port") + "/3/device/" + apns.get("device_tokens"));
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

    private static void expect(final int expected, final int seen) {
        if (expected != seen) throw new AssertionError("expected " + expected + ", saw " + seen);
    }
}
