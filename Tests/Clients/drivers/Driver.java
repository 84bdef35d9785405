import dev.carillon.ApiException;
import dev.carillon.Carillon;
import dev.carillon.Json;
import dev.carillon.NoAnswerException;
import dev.carillon.Pages;
import dev.carillon.Request;
import dev.carillon.Types.*;
import dev.carillon.WebhookException;
import dev.carillon.Webhooks;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What the tests have the Java client do: Driver SCENARIO [ARGUMENT …]. It prints one line of JSON. */
public final class Driver {
    private static Carillon client() {
        final Map<String, String> env = System.getenv();
        return Carillon.at(env.get("CARILLON_URL"), env.get("CARILLON_API_KEY")).topic(env.get("CARILLON_TOPIC"))
            .timeout(Duration.ofMillis(Long.parseLong(env.getOrDefault("CLIENT_TIMEOUT", "30000"))))
            .attempts(Integer.parseInt(env.getOrDefault("CLIENT_ATTEMPTS", "4"))).build();
    }

    private static Object verify(final String path) throws Exception {
        final Map<?, ?> request = (Map<?, ?>) Json.parse(Files.readString(Path.of(path)));
        final List<String> secrets = new ArrayList<>();
        for (final Object each : (List<?>) request.get("secrets")) secrets.add((String) each);
        final Map<String, String> headers = new LinkedHashMap<>();
        ((Map<?, ?>) request.get("headers")).forEach((name, value) -> headers.put(((String) name).toLowerCase(), (String) value));
        final byte[] body = ((String) request.get("body")).getBytes(StandardCharsets.UTF_8);
        return Webhooks.verify(secrets, headers::get, body).stream()
            .map(each -> List.of(each.type(), each.message() == null ? "" : each.message())).collect(Collectors.toList());
    }

    private static <T, V> List<V> collected(final Pages<T> all, final Function<T, V> value) {
        return all.stream().map(value).collect(Collectors.toList());
    }

    private static Webhook change(final Carillon carillon, final String webhook, final String etag) {
        return carillon.ifMatch(etag).changeWebhook(webhook, new WebhookChange().texts(true));
    }

    private static String awaited(final Carillon carillon, final String message) throws InterruptedException {
        for (int look = 0; look < 400; look++) {
            final Report report = carillon.report(message);
            if (report.counts().getOrDefault("accepted", 0L) == 1) return report.state();
            Thread.sleep(50);
        }
        throw new IllegalStateException(message + " is not accepted by APNs");
    }

    private static Map<String, Object> alert(final Object alert) {
        return Map.of("aps", Map.of("alert", alert));
    }

    private static void messages(final Carillon carillon, final String me, final Map<String, Object> out) throws Exception {
        final String first = me + "-1";
        final String second = me + "-2";
        final Audience to = new Audience().user("u-42");
        final Send body = new Send().to(to).payload(alert(Map.of("title", "Zug 🚆"))).id(first).campaign(me);
        out.put("count", carillon.countAudience(new Count().to(new Audience().devices(List.of("phone")))));
        out.put("dry_run", carillon.dryRun(body).devices());
        out.put("send", carillon.send(body).devices());
        out.put("again", carillon.send(body).id());
        out.put("report", awaited(carillon, first));
        final Send later = new Send().to(to).payload(alert("Later")).id(second).sendAt(Instant.now().plusSeconds(3600));
        out.put("later", carillon.send(later).state());
        out.put("steered", List.of(carillon.pause(second).state(), carillon.resume(second).state(), carillon.cancel(second).state()));
        out.put("messages", collected(carillon.messages(new MessagesQuery().id(me + "-").limit(1L)), ListedMessage::id));
        final MessagesQuery stopped = new MessagesQuery().id(me + "-").state(List.of("cancelled", "paused"));
        out.put("cancelled", collected(carillon.messages(stopped), ListedMessage::title));
        final RecipientsQuery unseen = new RecipientsQuery().group("not_shown");
        out.put("recipients", collected(carillon.recipients(first, unseen), each -> List.of(each.device(), each.state())));
        final List<String> events = new ArrayList<>();
        for (final DeviceTimeline device : carillon.timeline(first)) device.events().forEach(each -> events.add(each.event()));
        out.put("timeline", events);
        out.put("resend", carillon.resend(first).id());
        out.put("read", carillon.markRead("u-42", new Read().messages(List.of(first))).marked());
        out.put("recall", carillon.recall(first, new RecallRequest().notice(new Notice().title("Vorbei"))).state());
        out.put("figures", carillon.figures(new FiguresQuery().campaign(me)).total().accepted() > 0);
        final List<String> campaigns = collected(carillon.campaigns(new CampaignsQuery().limit(1L)), CampaignTotal::campaign);
        out.put("campaigns", campaigns.stream().filter(me::equals).collect(Collectors.toList()));
    }

    private static void people(final Carillon carillon, final String me, final Map<String, Object> out) throws Exception {
        final String user = "u/" + me + " ü";
        final StringBuilder token = new StringBuilder();
        me.chars().forEach(each -> token.append(String.format("%02x", each)));
        final Path file = Files.createTempFile("devices", ".csv");
        Files.writeString(file, "token,user\n" + token.toString().repeat(8) + "," + user + "\n");
        out.put("import", carillon.importDevices(file, "text/csv", null, 0).added());
        Files.delete(file);
        final String device = carillon.userDevices(user).get(0).installation();
        out.put("devices", collected(carillon.devices(new DevicesQuery().user(user)), each -> each.installation().equals(device)));
        out.put("device", carillon.device("phone").user());
        out.put("sign_out_device", carillon.signOutDevice(device).removals());
        out.put("sign_out_user", carillon.signOutUser(user));
        out.put("user", carillon.user("u-42", new UserQuery().limit(100L)).messages().stream()
            .map(UserMessage::id).filter((me + "-1")::equals).collect(Collectors.toList()));
        out.put("erase_user", carillon.eraseUser(user).remaining());
        carillon.deleteDevice(device);
        carillon.changeApp(new AppChange().sendsPerSecond(500L));
        out.put("app", carillon.app().sendsPerSecond());
        final Long limit = carillon.changeApp(new AppChange().sendsPerSecond(0L)).sendsPerSecond();
        out.put("change_app", limit == null ? 0 : limit);
    }

    private static void activities(final Carillon carillon, final String me, final Map<String, Object> out) {
        final String id = me + "-live";
        final LiveActivity started = carillon.startLiveActivity(new LiveActivityStart()
            .id(id).to(new Audience().user("u-42")).attributesType("OrderAttributes").attributes(Map.of("order", id))
            .contentState(Map.of("stops", 9)).alert(Map.of("title", "Your order")));
        out.put("started", List.of(started.state(), started.phones()));
        out.put("updated", carillon.updateLiveActivity(id, new LiveActivityUpdate().contentState(Map.of("stops", 8))).revision());
        out.put("activity", carillon.liveActivity(id).contentState());
        out.put("phones", collected(carillon.liveActivityTimeline(id), LiveActivityPhone::device));
        out.put("ended", carillon.endLiveActivity(id).state());
    }

    private static void webhooks(final Carillon carillon, final String me, final Map<String, Object> out) {
        final NewWebhook wanted = new NewWebhook().url("http://127.0.0.1:1/" + me).types(List.of("message.opened"));
        final Webhook added = carillon.addWebhook(wanted);
        final String id = added.id();
        out.put("secret", added.secret().startsWith("whsec_") && carillon.webhook(id).secret() == null);
        final String etag = carillon.request(new Request("GET", "/v1/webhooks/" + id)).etag();
        out.put("changed", change(carillon, id, etag).texts());
        try {
            change(carillon, id, etag);
        } catch (final ApiException error) {
            out.put("stale", List.of(error.status(), error.name()));
        }
        out.put("rotated", !carillon.rotateWebhook(id).secret().equals(added.secret()));
        carillon.replayWebhook(id, new WebhookReplay().since(Instant.now().minusSeconds(60)));
        out.put("tested", carillon.testWebhook(id).id().equals(id));
        out.put("webhooks", carillon.webhooks().stream().map(each -> each.id().equals(id)).collect(Collectors.toList()));
        carillon.deleteWebhook(id);
    }

    private static Object everything(final Carillon carillon, final String me) throws Exception {
        final Map<String, Object> out = new LinkedHashMap<>();
        final String cursor = carillon.events().next();
        messages(carillon, me, out);
        people(carillon, me, out);
        activities(carillon, me, out);
        webhooks(carillon, me, out);
        final List<String> accepted = new ArrayList<>();
        carillon.follow(cursor, new EventsQuery().types(List.of("message.accepted")), null,
            page -> page.events().forEach(each -> accepted.add(each.message())));
        out.put("events", accepted);
        return out;
    }

    private static Object play(final Carillon carillon, final String scenario, final List<String> arguments) throws Exception {
        switch (scenario) {
            case "new":
                return "made";
            case "report":
                return carillon.report(arguments.get(0)).state();
            case "send":
                return carillon.send(new Send().to(new Audience().user("u-42")).payload(alert("Zug 🚆 ü\u2028\\"))).id();
            case "messages":
                return collected(carillon.messages(), ListedMessage::id);
            case "delete-device":
                carillon.deleteDevice(arguments.get(0));
                return null;
            case "test-webhook":
                return carillon.testWebhook(arguments.get(0)).id();
            case "change-webhook":
                return change(carillon, arguments.get(0), arguments.get(1)).id();
            case "import":
                return carillon.importDevices(Path.of(arguments.get(0)), "text/csv", null, 0).added();
            case "all":
                return everything(carillon, arguments.get(0));
            default:
                throw new IllegalStateException("no scenario " + scenario);
        }
    }

    private static Map<String, Object> described(final ApiException error) {
        final Map<String, Object> out = new LinkedHashMap<>();
        out.put("kind", "api");
        out.put("status", error.status());
        out.put("type", error.type());
        out.put("name", error.name() == null ? "" : error.name());
        out.put("title", error.title());
        out.put("detail", error.detail());
        out.put("pointer", error.pointer() == null ? "" : error.pointer());
        out.put("retry_after", error.retryAfter() == null ? null : error.retryAfter().getSeconds());
        out.put("text", error.toString());
        return out;
    }

    private static Map<String, Object> described(final String kind, final RuntimeException error) {
        final StringBuilder text = new StringBuilder();
        for (Throwable each = error; each != null; each = each.getCause()) text.append(each).append('\n');
        return Map.of("kind", kind, "text", text.toString());
    }

    public static void main(final String[] arguments) throws Exception {
        final Map<String, Object> out = new LinkedHashMap<>();
        try {
            if (arguments[0].equals("verify")) {
                out.put("value", verify(arguments[1]));
            } else {
                final Carillon carillon = client();
                out.put("shown", carillon.toString());
                out.put("value", play(carillon, arguments[0], Arrays.asList(arguments).subList(1, arguments.length)));
            }
        } catch (final ApiException error) {
            out.put("error", described(error));
        } catch (final NoAnswerException error) {
            out.put("error", described("no-answer", error));
        } catch (final WebhookException error) {
            out.put("error", described("webhook", error));
        } catch (final IllegalArgumentException error) {
            out.put("error", described("argument", error));
        }
        // The console's encoding may be another one.
        System.out.write((Json.write(out) + "\n").getBytes(StandardCharsets.UTF_8));
        System.out.flush();
    }
}
