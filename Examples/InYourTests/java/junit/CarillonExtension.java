import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * A simulated APNs for JUnit 5, as a parameter of a test: {@code @ExtendWith(CarillonExtension.class)}; with options of
 * {@code carillon apns-simulator}: {@code @RegisterExtension CarillonExtension apns = new CarillonExtension("--strict")}. Each test
 * has its own, unless the class asked for it before, as a parameter of its constructor or of {@code @BeforeAll}.
 */
public final class CarillonExtension implements ParameterResolver {
    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(CarillonExtension.class);

    private final String[] options;

    public CarillonExtension() { this(new String[0]); }

    public CarillonExtension(final String... options) { this.options = options; }

    @Override public boolean supportsParameter(final ParameterContext parameter, final ExtensionContext context) {
        return parameter.getParameter().getType() == CarillonAPNs.class;
    }

    @Override public Object resolveParameter(final ParameterContext parameter, final ExtensionContext context) {
        return context.getStore(NAMESPACE).getOrComputeIfAbsent("apns", key -> new Started(options), Started.class).apns;
    }

    /** JUnit closes what is in its store when the test, or the class, has ended. */
    private static final class Started implements ExtensionContext.Store.CloseableResource {
        private final CarillonAPNs apns;

        private Started(final String... options) {
            try {
                apns = CarillonAPNs.start(options);
            } catch (final Exception problem) {
                throw new ParameterResolutionException(problem.getMessage(), problem);
            }
        }

        @Override public void close() throws Exception { apns.close(); }
    }
}
