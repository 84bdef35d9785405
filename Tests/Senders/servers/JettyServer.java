import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicInteger;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.server.handler.AbstractHandler;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/**
 * Jetty as somebody else's APNs: JettyServer PORT MODE P12 PASSWORD FILE. Appends the apns-id of each request that it has
 * processed to FILE.
 *
 * <p>MODE: plain; streams (3 at a time); window (100 bytes of each body, then on request); half (each tenth answer breaks off after
 * its head); cut (TCP ends at each hundredth request, without TLS' goodbye).
 */
public final class JettyServer extends AbstractHandler {
    private final AtomicInteger count = new AtomicInteger();
    private final String mode;
    private final Path file;

    private JettyServer(final String mode, final Path file) {
        this.mode = mode;
        this.file = file;
    }

    @Override
    public void handle(
        final String target, final Request base, final HttpServletRequest request, final HttpServletResponse response)
        throws IOException {
        request.getInputStream().readAllBytes();
        final int number = count.incrementAndGet();
        final String id = request.getHeader("apns-id");
        synchronized (this) {
            Files.writeString(file, id + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
        if (mode.equals("cut") && number % 100 == 0) {
            base.getHttpChannel().getEndPoint().close();
            return;
        }
        response.setHeader("apns-id", id);
        response.setStatus(200);
        base.setHandled(true);
        if (mode.equals("half") && number % 10 == 0) {
            response.flushBuffer();
            base.getHttpChannel().abort(new IOException("half an answer"));
        }
    }

    public static void main(final String[] arguments) throws Exception {
        final SslContextFactory.Server tls = new SslContextFactory.Server();
        tls.setKeyStorePath(arguments[2]);
        tls.setKeyStorePassword(arguments[3]);
        tls.setKeyStoreType("PKCS12");
        final HttpConfiguration configuration = new HttpConfiguration();
        configuration.addCustomizer(new SecureRequestCustomizer(false));
        final HTTP2ServerConnectionFactory http2 = new HTTP2ServerConnectionFactory(configuration);
        if (arguments[1].equals("streams")) http2.setMaxConcurrentStreams(3);
        if (arguments[1].equals("window")) http2.setInitialStreamRecvWindow(100);
        final ALPNServerConnectionFactory alpn = new ALPNServerConnectionFactory("h2");
        alpn.setDefaultProtocol("h2");
        final Server server = new Server();
        final ServerConnector connector =
            new ServerConnector(server, new SslConnectionFactory(tls, "alpn"), alpn, http2);
        connector.setHost("127.0.0.1");
        connector.setPort(Integer.parseInt(arguments[0]));
        server.addConnector(connector);
        server.setHandler(new JettyServer(arguments[1], Path.of(arguments[4])));
        server.start();
        server.join();
    }
}
