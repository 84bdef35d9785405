import CarillonCore

/// The round trip, from an HTTP request to a notification on a phone and back, in six steps.
///
/// Every sentence given to `see` is checked where it would show to an outsider: on the phone's screen, in APNs' log, in
/// the service's database. Nothing is taken from the one who did it.
enum Story {
    static let steps: [Step] = [
        Step("Two phones of one user allow notifications and are registered") { stage in
            for phone in stage.phones {
                await phone.boot()
                try await phone.openChime()
                try await stage.see("\(phone.name) shows Chime's permission sheet") { phone.showsPermissionSheet }
                try await phone.allowNotifications()
                try await stage.see("APNs has given \(phone.name) a device token") { stage.hasToken(phone) }
            }
            try await stage.see("the service's database has two devices of the user") {
                try await stage.devicesOfTheUser() == 2
            }
        },

        Step("A message is stored, pushed and shown on both") { stage in
            await stage.locked.lock()
            try await stage.send("news-1", "Swift on every phone", link: "https://chime.example/news/1")
            try await stage.see("APNs answered 200 with its id, once for each phone") { stage.accepted("news-1") == 2 }
            try await stage.see("\(stage.open.name) shows it in the foreground, as Chime's willPresent decided") {
                stage.open.banner == "news-1" && stage.open.lists("news-1")
            }
            try await stage.see("\(stage.locked.name) shows it on its lock screen") {
                stage.locked.lists("news-1") && stage.locked.isLocked
            }
            try await stage.see("both badges say 1") { stage.badges == [1, 1] }
            try await stage.see("both receipts have come back: shown") {
                try await stage.devices("news-1", that: .shown) == [2]
            }
        },

        Step("A tap opens the news item from a cold start, and the other phone forgets the message") { stage in
            try stage.locked.endChime()
            try await stage.locked.tap("news-1")
            try await stage.see("Chime was started by the tap and shows the news item") {
                stage.locked.newsItem == "https://chime.example/news/1"
            }
            try await stage.see("the message has left \(stage.locked.name)") { !stage.locked.lists("news-1") }
            try await stage.see("the message has left \(stage.open.name)") { !stage.open.lists("news-1") }
            try await stage.see("both badges have fallen to 0") { stage.badges == [0, 0] }
            try await stage.see("the timeline says opened on one phone, recalled on the other") {
                try await stage.devices("news-1", that: .opened, .recalled) == [1, 1]
            }
        },

        Step("A recall empties both phones, one of which was offline when it was sent") { stage in
            try await stage.send("news-2", "This was a mistake")
            try await stage.see("both phones show the second message") {
                stage.phones.allSatisfy { $0.lists("news-2") }
            }
            await stage.open.goOffline()
            try await stage.recall("news-2")
            try await stage.see("it has left \(stage.locked.name)") { !stage.locked.lists("news-2") }
            try await stage.see("\(stage.open.name) is offline and still shows it") { stage.open.lists("news-2") }
            try await stage.see("APNs keeps the removal for \(stage.open.name)") { stage.isStored(for: stage.open) }
            await stage.open.goOnline()
            try await stage.see("it has left \(stage.open.name) too") { !stage.open.lists("news-2") }
            try await stage.see("both phones have confirmed the recall") {
                try await stage.devices("news-2", that: .recalled) == [2]
            }
        },

        Step("A message that expired while the phone was offline is not shown, and the timeline says why") { stage in
            await stage.open.goOffline()
            let until = try await stage.send("news-3", "Only for a moment", mode: .silent, validFor: .seconds(2))
            try await stage.see("\(stage.locked.name), which is online, shows it in time") {
                stage.locked.lists("news-3")
            }
            try await stage.wait(until: until + .milliseconds(50))
            await stage.open.goOnline()
            try await stage.see("APNs handed it to \(stage.open.name) all the same") {
                stage.wasHandedOverLate("news-3", to: stage.open)
            }
            try await stage.see("the timeline says that it expired on \(stage.open.name), and why") {
                try await stage.expiryReason("news-3", on: stage.open) != nil
            }
            try await stage.see("\(stage.open.name) never showed it") { !stage.open.everShowed("news-3") }
        },

        Step("The service is killed between acknowledging and sending, and delivers once when it is back") { stage in
            try await stage.restartService(sending: false)
            try await stage.send("news-4", "Survives a kill -9")
            try await stage.see("it is in the database, acknowledged and not sent") {
                let isUnsent = stage.accepted("news-4") == 0
                return try await stage.isQueued("news-4") && isUnsent
            }
            await stage.killService()
            try await stage.restartService(sending: true)
            try await stage.see("both phones show it") { stage.phones.allSatisfy { $0.lists("news-4") } }
            try await stage.see("both have confirmed it") { try await stage.devices("news-4", that: .shown) == [2] }
            try await stage.see("APNs accepted it once for each phone, and each phone alerted once") {
                stage.accepted("news-4") == 2 && stage.phones.allSatisfy { $0.alertCount(for: "news-4") == 1 }
            }
        },
    ]
}
