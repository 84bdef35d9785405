import CarillonCore

/// The round trip, from an HTTP request to a notification on a phone and back, in six steps.
///
/// Every sentence given to `see` is checked where it would show to an outsider: on the phone's screen, in APNs' log, in
/// the service's database. Nothing is taken from the one who did it.
enum DemoScenario {
    static let steps: [DemoStep] = [
        DemoStep("Two phones of one user allow notifications and are registered") { demo in
            for phone in demo.phones {
                await phone.boot()
                try await phone.openChime()
                try await demo.see("\(phone.name) shows Chime's permission sheet") { phone.showsPermissionSheet }
                try await phone.allowNotifications()
                try await demo.see("APNs has given \(phone.name) a device token") { demo.hasToken(phone) }
            }
            try await demo.see("the service's database has two devices of the user") {
                try await demo.devicesOfTheUser() == 2
            }
        },

        DemoStep("A message is stored, pushed and shown on both") { demo in
            await demo.locked.lock()
            try await demo.send("news-1", "Swift on every phone", link: "https://chime.example/news/1")
            try await demo.see("APNs answered 200 with its id, once for each phone") { demo.accepted("news-1") == 2 }
            try await demo.see("\(demo.open.name) shows it in the foreground, as Chime's willPresent decided") {
                demo.open.banner == "news-1" && demo.open.lists("news-1")
            }
            try await demo.see("\(demo.locked.name) shows it on its lock screen") {
                demo.locked.lists("news-1") && demo.locked.isLocked
            }
            try await demo.see("both badges say 1") { demo.badges == [1, 1] }
            try await demo.see("both receipts have come back: shown") {
                try await demo.devices("news-1", that: .shown) == [2]
            }
        },

        DemoStep("A tap opens the news item from a cold start, and the other phone forgets the message") { demo in
            try demo.locked.endChime()
            try await demo.locked.tap("news-1")
            try await demo.see("Chime was started by the tap and shows the news item") {
                demo.locked.newsItem == "https://chime.example/news/1"
            }
            try await demo.see("the message has left \(demo.locked.name)") { !demo.locked.lists("news-1") }
            try await demo.see("the message has left \(demo.open.name)") { !demo.open.lists("news-1") }
            try await demo.see("both badges have fallen to 0") { demo.badges == [0, 0] }
            try await demo.see("the timeline says opened on one phone, recalled on the other") {
                try await demo.devices("news-1", that: .opened, .recalled) == [1, 1]
            }
        },

        DemoStep("A recall empties both phones, one of which was offline when it was sent") { demo in
            try await demo.send("news-2", "This was a mistake")
            try await demo.see("both phones show the second message") {
                demo.phones.allSatisfy { $0.lists("news-2") }
            }
            await demo.open.goOffline()
            try await demo.recall("news-2")
            try await demo.see("it has left \(demo.locked.name)") { !demo.locked.lists("news-2") }
            try await demo.see("\(demo.open.name) is offline and still shows it") { demo.open.lists("news-2") }
            try await demo.see("APNs keeps the removal for \(demo.open.name)") { demo.isStored(for: demo.open) }
            await demo.open.goOnline()
            try await demo.see("it has left \(demo.open.name) too") { !demo.open.lists("news-2") }
            try await demo.see("both phones have confirmed the recall") {
                try await demo.devices("news-2", that: .recalled) == [2]
            }
        },

        DemoStep("A message that expired while the phone was offline is not shown, and the timeline says why") { demo in
            await demo.open.goOffline()
            let until = try await demo.send("news-3", "Only for a moment", mode: .silent, validFor: .seconds(2))
            try await demo.see("\(demo.locked.name), which is online, shows it in time") {
                demo.locked.lists("news-3")
            }
            try await demo.wait(until: until + .milliseconds(50))
            await demo.open.goOnline()
            try await demo.see("APNs handed it to \(demo.open.name) all the same") {
                demo.wasHandedOverLate("news-3", to: demo.open)
            }
            try await demo.see("the timeline says that it expired on \(demo.open.name), and why") {
                try await demo.expiryReason("news-3", on: demo.open) != nil
            }
            try await demo.see("\(demo.open.name) never showed it") { !demo.open.everShowed("news-3") }
        },

        DemoStep("The service is killed between acknowledging and sending, and delivers once when it is back") { demo in
            try await demo.restartService(sending: false)
            try await demo.send("news-4", "Survives a kill -9")
            try await demo.see("it is in the database, acknowledged and not sent") {
                let isUnsent = demo.accepted("news-4") == 0
                return try await demo.isQueued("news-4") && isUnsent
            }
            await demo.killService()
            try await demo.restartService(sending: true)
            try await demo.see("both phones show it") { demo.phones.allSatisfy { $0.lists("news-4") } }
            try await demo.see("both have confirmed it") { try await demo.devices("news-4", that: .shown) == [2] }
            try await demo.see("APNs accepted it once for each phone, and each phone alerted once") {
                demo.accepted("news-4") == 2 && demo.phones.allSatisfy { $0.alertCount(for: "news-4") == 1 }
            }
        },
    ]
}
