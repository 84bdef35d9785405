import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.ConnectException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The sender of SenderTest in JUnit 5, with the extension. */
class SenderJUnitTest {
    @Nested @ExtendWith(CarillonExtension.class)
    class EachTestHasItsOwn {
        private static final java.util.List<CarillonAPNs> SEEN = new java.util.ArrayList<>();

        @Test void aPushArrives(final CarillonAPNs apns) throws Exception {
            SEEN.add(apns);
            final CarillonAPNs.Phone phone = apns.device();
            assertEquals(200, SenderTest.send(apns, phone.token).statusCode());
            assertTrue(phone.push().contains("Hello from Java"));
        }

        @Test void theAppWasDeleted(final CarillonAPNs apns) throws Exception {
            SEEN.add(apns);
            final CarillonAPNs.Phone phone = apns.device();
            phone.deleteApp();
            assertEquals(410, SenderTest.send(apns, phone.token).statusCode());
        }

        @AfterAll static void theyHaveEnded() {
            assertNotEquals(SEEN.get(0).get("port"), SEEN.get(1).get("port"));
            for (final CarillonAPNs apns : SEEN) assertThrows(ConnectException.class, () -> apns.call("GET", "/fleet", ""));
        }
    }

    @Nested
    class TheClassHasOne {
        @RegisterExtension static final CarillonExtension APNS = new CarillonExtension("--topic", "com.example.one");
        private static CarillonAPNs ofTheClass;

        @BeforeAll static void start(final CarillonAPNs apns) { ofTheClass = apns; }

        @Test void withOptions(final CarillonAPNs apns) {
            assertEquals("com.example.one", apns.get("topic"));
            assertEquals(ofTheClass, apns);
        }
    }
}
