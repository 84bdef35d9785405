import CarillonCore
import CarillonServer

/// The round trip, from an HTTP request to a notification on a phone and back, in seven steps.
///
/// Each step passes sentences and checks to ``DemoEnvironment/see(_:_:)``. A check looks where the effect is visible: on the
/// phone's screen, in the simulated APNs' records or in the service's database. The demo never asks a component about its own
/// success.
enum DemoScenario {
    static let steps: [DemoStep] = [
        DemoStep("Two phones of one user allow notifications and register") { demo in
            for phone in demo.phones {
                await phone.boot()
                try await phone.openChime()
                try await demo.see("\(phone.name) asks whether Chime may send notifications") {
                    phone.showsPermissionSheet
                }
                try await phone.allowNotifications()
                try await demo.see("APNs has issued a device token to \(phone.name)") { demo.hasToken(phone) }
            }
            try await demo.see("the service's database contains both devices of the user") {
                try await demo.devicesOfTheUser() == 2
            }
            try await demo.see("the service has asked APNs, with an empty push, whether a new token is one") {
                demo.hasTriedToken
            }
        },

        DemoStep("A message is stored, sent and shown on both phones") { demo in
            await demo.locked.lock()
            try await demo.send("news-1", "Swift on every phone", link: "https://chime.example/news/1")
            try await demo.see("APNs returned 200 and an apns-id, once per phone") { demo.accepted("news-1") == 2 }
            try await demo.see("\(demo.open.name) shows a banner, as Chime in the foreground requested") {
                demo.open.banner == "news-1" && demo.open.lists("news-1")
            }
            try await demo.see("\(demo.locked.name) shows it on the lock screen") {
                demo.locked.lists("news-1") && demo.locked.isLocked
            }
            try await demo.see("the badge is 1 on both phones") { demo.badges == [1, 1] }
            try await demo.see("the service has received the receipt 'shown' from both phones") {
                try await demo.devices("news-1", that: .shown) == [2]
            }
        },

        DemoStep("A tap launches the app at the news item, and the other phone removes the message") { demo in
            try demo.locked.endChime()
            try await demo.locked.tap("news-1")
            try await demo.see("the tap launched Chime, which shows the news item") {
                demo.locked.newsItem == "https://chime.example/news/1"
            }
            try await demo.see("the message is gone from \(demo.locked.name)") { !demo.locked.lists("news-1") }
            try await demo.see("the message is gone from \(demo.open.name)") { !demo.open.lists("news-1") }
            try await demo.see("the badge is 0 on both phones") { demo.badges == [0, 0] }
            try await demo.see("the timeline says 'opened' for one phone and 'recalled' for the other") {
                try await demo.devices("news-1", that: .opened, .recalled) == [1, 1]
            }
        },

        DemoStep("A recall removes the message from both phones, one of which was offline when it was sent") { demo in
            try await demo.send("news-2", "This was a mistake")
            try await demo.see("both phones show the second message") {
                demo.phones.allSatisfy { $0.lists("news-2") }
            }
            await demo.open.goOffline()
            try await demo.recall("news-2")
            try await demo.see("the message is gone from \(demo.locked.name)") { !demo.locked.lists("news-2") }
            try await demo.see("\(demo.open.name) is offline and still shows it") { demo.open.lists("news-2") }
            try await demo.see("APNs stores the removal for \(demo.open.name)") { demo.isStored(for: demo.open) }
            await demo.open.goOnline()
            try await demo.see("\(demo.open.name) is online again, and the message is gone") {
                !demo.open.lists("news-2")
            }
            try await demo.see("both phones have confirmed the recall") {
                try await demo.devices("news-2", that: .recalled) == [2]
            }
        },

        DemoStep("A message that expired while a phone was offline is not shown there, and the timeline says why") {
            demo in
            await demo.open.goOffline()
            // Turns off the service's removal push, which would replace the message at APNs. The SDK's own check of the expiry
            // must suffice.
            let until = try await demo.send(
                "news-3", "Only for a moment", mode: .silent, validFor: .seconds(2), removesExpired: false)
            try await demo.see("\(demo.locked.name), which is online, shows it before it expires") {
                demo.locked.lists("news-3")
            }
            try await demo.wait(until: until + .milliseconds(50))
            await demo.open.goOnline()
            try await demo.see("APNs delivered it to \(demo.open.name) after it had expired") {
                demo.wasHandedOverLate("news-3", to: demo.open)
            }
            try await demo.see("the timeline says that it expired on \(demo.open.name), and why") {
                try await demo.expiryReason("news-3", on: demo.open) != nil
            }
            try await demo.see("\(demo.open.name) never showed it") { !demo.open.everShowed("news-3") }
        },

        DemoStep("A message whose time has passed leaves the screens, also where Chime is not running") { demo in
            await demo.locked.lock()
            try demo.locked.endChime()
            try await demo.send("news-4", "Until its end, and no longer", validFor: .seconds(2))
            try await demo.see("both phones show it") { demo.phones.allSatisfy { $0.lists("news-4") } }
            try await demo.see("it is gone from \(demo.open.name), where Chime is open") { !demo.open.lists("news-4") }
            try await demo.see("it is gone from \(demo.locked.name), which the service's removal has woken") {
                !demo.locked.lists("news-4")
            }
            try await demo.see("the report says that no phone shows it any more") {
                try await demo.removed("news-4") == 2
            }
        },

        DemoStep("The service is killed after it accepted a message and delivers it once after a restart") { demo in
            try await demo.restartService(sending: false)
            try await demo.send("news-5", "Survives a kill -9")
            try await demo.see("it is in the database, accepted but not sent") {
                let isUnsent = demo.accepted("news-5") == 0
                return try await demo.isQueued("news-5") && isUnsent
            }
            await demo.killService()
            try await demo.restartService(sending: true)
            try await demo.see("both phones show it") { demo.phones.allSatisfy { $0.lists("news-5") } }
            try await demo.see("both phones have confirmed it") {
                try await demo.devices("news-5", that: .shown) == [2]
            }
            try await demo.see("APNs accepted it once per phone") { demo.accepted("news-5") == 2 }
            try await demo.see("each phone alerted once") {
                demo.phones.allSatisfy { $0.alertCount(for: "news-5") == 1 }
            }
        },
    ]
}
