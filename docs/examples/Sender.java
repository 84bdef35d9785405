import java.io.FileInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A sender with nothing but the JDK (11 or later): java Sender.java, with $APNS_DIRECTORY as the simulator filled it. */
public final class Sender {
    public static void main(final String[] arguments) throws Exception {
        final String setup = Files.readString(Path.of(System.getenv("APNS_DIRECTORY"), "simulator.json"));
        final String claims = String.format(
            "{\"iss\":\"%s\",\"iat\":%d}", member(setup, "team_id"), System.currentTimeMillis() / 1000);
        final String token = sign(
            String.format("{\"alg\":\"ES256\",\"kid\":\"%s\"}", member(setup, "key_id")), claims, key(member(setup, "key")));
        final HttpClient client = HttpClient.newBuilder().sslContext(trusting(member(setup, "ca"))).build();
        final URI uri = URI.create(
            "https://" + member(setup, "host") + ":" + member(setup, "port") + "/3/device/" + member(setup, "device_tokens"));
        final HttpRequest request = HttpRequest.newBuilder(uri)
            .header("authorization", "bearer " + token)
            .header("apns-topic", member(setup, "topic"))
            .header("apns-push-type", "alert")
            .POST(HttpRequest.BodyPublishers.ofString("{\"aps\":{\"alert\":\"Hello from Java\"}}"))
            .build();
        final HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
        System.out.println(response.version() + " " + response.statusCode() + " " + response.body());
        System.exit(response.statusCode() == 200 ? 0 : 1);
    }

    /** A member of simulator.json; of a list its first element. */
    private static String member(final String json, final String name) {
        final Matcher matcher = Pattern.compile("\"" + name + "\"\\s*:\\s*\\[?\\s*\"?([^\",\\]\\s]+)").matcher(json);
        if (!matcher.find()) throw new IllegalStateException("simulator.json has no " + name);
        return matcher.group(1).replace("\\/", "/");
    }

    private static SSLContext trusting(final String path) throws Exception {
        final KeyStore trust = KeyStore.getInstance(KeyStore.getDefaultType());
        trust.load(null, null);
        try (FileInputStream stream = new FileInputStream(path)) {
            trust.setCertificateEntry("apns", CertificateFactory.getInstance("X.509").generateCertificate(stream));
        }
        final TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trust);
        final SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }

    private static PrivateKey key(final String path) throws Exception {
        final String pem = Files.readString(Path.of(path)).replaceAll("-----[^-]+-----", "");
        return KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(pem)));
    }

    private static String sign(final String header, final String claims, final PrivateKey key) throws Exception {
        final Base64.Encoder base64 = Base64.getUrlEncoder().withoutPadding();
        final String text = base64.encodeToString(header.getBytes()) + "." + base64.encodeToString(claims.getBytes());
        final Signature signature = Signature.getInstance("SHA256withECDSAinP1363Format");
        signature.initSign(key);
        signature.update(text.getBytes());
        return text + "." + base64.encodeToString(signature.sign());
    }
}
