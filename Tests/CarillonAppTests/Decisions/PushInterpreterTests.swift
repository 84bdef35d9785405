import CarillonApp
import CarillonBanner
import CarillonCore
import CarillonMessaging
import Testing

@Suite("What a push asks for, in every dialect")
struct PushInterpreterTests {
    private let interpreter = PushInterpreter()

    private func read(_ json: JSONValue) -> PushInstructions { interpreter.instructions(for: json.objectValue ?? [:]) }

    private func notification(_ instructions: PushInstructions) -> LocalNotification? {
        if case .local(let notification)? = instructions.message?.presentation { notification } else { nil }
    }

    @Test("a silent push becomes a notification with everything that its aps said")
    func silentBecomesLocal() throws {
        let instructions = read([
            "aps": ["content-available": 1], "article": 7,
            "carillon": [
                "v": 1, "id": "m-1", "now": 1000, "until": 9000, "badge": 3, "attempt": 2,
                "silent": [
                    "alert": ["title": "T", "subtitle": "S", "body": "B"], "sound": "bell.caf", "badge": 4,
                    "thread-id": "news", "category": "NEWS", "interruption-level": "time-sensitive",
                ],
            ],
        ])
        let local = try #require(notification(instructions))
        #expect(local.identifier == "m-1")
        #expect(local.title == .literal("T") && local.subtitle == .literal("S") && local.body == .literal("B"))
        #expect(local.sound == .named("bell.caf") && local.badge == 4)
        #expect(local.threadID == "news" && local.category == "NEWS")
        #expect(local.interruptionLevel == .timeSensitive)
        #expect(local.userInfo["article"] == 7)
        #expect(local.userInfo["aps"]?["alert"]?["title"] == "T")
        #expect(local.userInfo["carillon"]?["silent"] == nil)
        #expect(instructions.badge == 3)
        #expect(instructions.message?.until == Timestamp(millisecondsSince1970: 9000))
        #expect(instructions.message?.attempt == 2)
        #expect(instructions.composedAt == Timestamp(millisecondsSince1970: 1000))
    }

    @Test("an alert push with the key is shown by iOS and carries removals")
    func visible() {
        let instructions = read([
            "aps": ["alert": "Hello"],
            "carillon": ["v": 1, "id": "m-2", "rm": ["a", "b", "no spaces please"], "sync": true],
        ])
        #expect(instructions.message?.presentation == .bySystem)
        #expect(instructions.removals.map(\.identifier) == ["a", "b"])
        #expect(instructions.needsSync)
    }

    @Test(
        "the article's own example, a number, makes and deletes a notification",
        arguments: [
            JSONValue.int(1), .string("1"), .double(1),
        ])
    func pushwooshNumbers(id: JSONValue) {
        let made = read(["aps": ["content-available": 1], "crt": id, "title": "hello there"])
        #expect(notification(made)?.identifier == "com.pushwoosh.notification.1")
        #expect(notification(made)?.title == .literal("hello there"))
        #expect(read(["aps": [:], "dlt": id]).removals.map(\.identifier) == ["com.pushwoosh.notification.1"])
    }

    @Test("Pushwoosh's custom data is also found inside its JSON text u")
    func pushwooshNested() {
        let made = read(["aps": ["content-available": 1], "u": "{\"crt\": \"x\", \"title\": \"hi\"}"])
        #expect(notification(made)?.identifier == "com.pushwoosh.notification.x")
        #expect(read(["aps": [:], "u": ["dlt": 2]]).removals.map(\.identifier) == ["com.pushwoosh.notification.2"])
        #expect(read(["aps": [:], "u": "not json"]).dialect == .foreign)
    }

    @Test("dlt and crt of one id in one push create; of two ids each does its own")
    func pushwooshDeletesAndCreates() {
        let replaced = read(["aps": ["content-available": 1], "dlt": 1, "crt": "1", "title": "new"])
        #expect(replaced.removals.isEmpty && notification(replaced)?.title == .literal("new"))
        let both = read(["aps": ["content-available": 1], "dlt": 1, "crt": 2, "title": "new"])
        #expect(both.removals.map(\.identifier) == ["com.pushwoosh.notification.1"])
        #expect(notification(both)?.identifier == "com.pushwoosh.notification.2")
    }

    @Test("a crt without a title makes nothing, and says so")
    func pushwooshWithoutTitle() {
        let instructions = read(["aps": [:], "crt": 1])
        #expect(instructions.message?.presentation == .nothing)
        #expect(instructions.problem != nil)
    }

    @Test("the four branches of Infobip's guard")
    func infobip() {
        #expect(read(["aps": ["content-available": 1], "internalData": ["silent": [:]]]).dialect == .foreign)
        let silent = read([
            "aps": ["content-available": 1], "messageId": "i-1",
            "internalData": [
                "validUntil": 1_700_000_000_000, "silent": ["title": "T", "body": "B", "sound": "default"],
            ],
        ])
        #expect(silent.message?.until == Timestamp(millisecondsSince1970: 1_700_000_000_000))
        #expect(notification(silent)?.body == .literal("B"))
        #expect(notification(silent)?.sound == .default)
        let inApp = read([
            "aps": ["content-available": 1], "messageId": "i-2",
            "internalData": ["silent": ["body": "B"], "inAppDetails": ["type": "banner"]],
        ])
        #expect(inApp.message?.presentation == .inApp)
        #expect(read(["aps": ["alert": "A"], "messageId": "i-3"]).message?.presentation == .bySystem)
    }

    @Test(
        "what the other dialect wants inside of the app is no notification of Carillon's either; what iOS shows, it shows"
    )
    func inAppThroughTheService() {
        let data: JSONValue = ["silent": ["title": "theirs"], "inAppDetails": ["clickUrl": "https://example.org/"]]
        let silent = read([
            "aps": ["content-available": 1], "messageId": "m1", "internalData": data,
            "carillon": ["v": 1, "id": "m1", "silent": ["alert": "ours"]],
        ])
        #expect(silent.message?.presentation == .inApp && silent.message?.messageID?.rawValue == "m1")
        let visible = read([
            "aps": ["alert": "ours"], "messageId": "m1", "internalData": data, "carillon": ["v": 1, "id": "m1"],
        ])
        #expect(visible.message?.presentation == .bySystem)
    }

    @Test("Carillon's message wins beside another dialect's, and the removals of both are carried out")
    func both() {
        let instructions = read([
            "aps": ["content-available": 1], "dlt": "old", "crt": "new", "title": "theirs",
            "carillon": ["v": 1, "id": "new", "rm": ["gone"], "silent": ["alert": "ours"]],
        ])
        #expect(notification(instructions)?.body == .literal("ours"))
        #expect(instructions.removals.map(\.identifier) == ["gone", "com.pushwoosh.notification.old"])
    }

    @Test(
        "nonsense is foreign and never a crash",
        arguments: [
            JSONValue.object([:]), ["aps": 1], ["carillon": "x"], ["carillon": ["v": 0]], ["crt": [:]], ["u": [1]],
            ["aps": [:], "messageId": 1, "internalData": 5], ["carillon": ["v": 1, "id": "bad id"]],
        ])
    func nonsense(payload: JSONValue) {
        #expect(read(payload).removals.isEmpty)
        #expect(notification(read(payload)) == nil)
    }

    @Test("a silent aps that makes no sense is reported and not shown")
    func badSilent() {
        let instructions = read([
            "aps": [:], "carillon": ["v": 1, "id": "m", "silent": ["alert": "A", "badge": "five"]],
        ])
        #expect(instructions.message?.presentation == .nothing)
        #expect(instructions.problem?.contains("badge") == true)
    }

    @Test(
        "iOS shows a push by itself only if there is something in its alert",
        arguments: [
            (["alert": "Hello"], true), (["alert": ["title": "Hello"]], true), (["alert": nil], false),
            (["alert": ""], false), (["alert": [:]], false), (["badge": 1], false),
        ] as [(JSONValue, Bool)])
    func alert(aps: JSONValue, isShown: Bool) { #expect(PushInterpreter().isAlert(["aps": aps]) == isShown) }
}
