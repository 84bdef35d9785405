import BackgroundTasks
import CarillonCore
import CarillonDevice
import CoreLocation
import SafariServices
import TestSupport
import Testing
import UIKit

/// Random values in an app's calls: whatever the app does wrong ends that app alone.
@MainActor @Suite("Random mistakes of an app", .serialized) struct MistakeFuzzTests {
    nonisolated private static let seeds = Seeds(fixed: 1...3, drawn: 2, filter: "MistakeFuzzTests")
    private static let stepCount = 150

    @Test("the phone lives, its other app too, and what is drawn can be sent to a page", arguments: seeds.all)
    func survives(_ seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let again = Self.seeds.again(seed)
        try await AppUnderTest.run(asking: { AskingApp($0) }) { app, _ in
            let other = AppBundle(bundleID: "other", name: "Other", makeDelegate: { AskingApp() })
            app.phone.install(other)
            try app.phone.settings.setNotificationsAllowed(true, for: "other")
            try app.phone.settings.setNotificationsAllowed(true, for: app.bundleID)
            for step in 0..<Self.stepCount {
                if app.state != .foregroundActive { try await app.open() }
                let deed = Deed.all[Int.random(in: Deed.all.indices, using: &random)]
                let values = WildValues(&random)
                await app.phone.run(in: app.bundleID) { deed.does(values) }
                try await app.advance(by: .seconds(1))
                if let tree = app.phone.screen.viewTree(of: app.bundleID) {
                    #expect(throws: Never.self, "\(deed.name), step \(step). \(again)") {
                        try JSONEncoder().encode(tree)
                    }
                }
            }
            #expect(app.phone.traces.flatMap(\.notes).contains { $0.hasPrefix("iOS terminated the app: ") }, "\(again)")
            await app.phone.pressHome()
            let push = try TestPhone.push(["aps": ["alert": "Still here"]], collapseID: "m1", to: "other")
            await app.phone.receive(push)
            #expect(app.phone.deliveredNotifications(of: "other").map(\.request.identifier) == ["m1"], "\(again)")
        }
    }
}

/// Values that no app means to pass.
private struct WildValues {
    let number: Double
    let size: CGFloat
    let integer: Int
    let text: String
    let components: DateComponents
    let date: Date
    let data: Data

    init(_ random: inout SeededGenerator) {
        let numbers: [Double] = [
            .nan, .infinity, -.infinity, 1e300, -1e300, 0, -0.0, -1, 59.999, 60, .leastNonzeroMagnitude, 0.5,
        ]
        let texts = ["", "ftp://a.b/", "raywenderlich.com", "http://", "%@ %d %", "\u{0}", "é🛎", "javascript:1", "//x"]
        let integers = [Int.min, -1, 0, 1, 99, Int.max]
        number = numbers[Int.random(in: numbers.indices, using: &random)]
        size = CGFloat(numbers[Int.random(in: numbers.indices, using: &random)])
        integer = integers[Int.random(in: integers.indices, using: &random)]
        text = texts[Int.random(in: texts.indices, using: &random)]
        data = Data((0..<Int.random(in: 0...40, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) })
        var components = DateComponents()
        components.month = Bool.random(using: &random) ? Int.random(in: -3...15, using: &random) : nil
        components.day = Bool.random(using: &random) ? Int.random(in: -3...40, using: &random) : nil
        components.hour = Int.random(in: -3...40, using: &random)
        components.weekday = Bool.random(using: &random) ? Int.random(in: -1...9, using: &random) : nil
        components.weekdayOrdinal = Bool.random(using: &random) ? Int.random(in: -2...7, using: &random) : nil
        components.quarter = Int.random(in: 0...3, using: &random) == 0 ? Int.random(in: -1...5, using: &random) : nil
        components.dayOfYear = Int.random(in: 0...3, using: &random) == 0 ? integer : nil
        components.weekOfYear =
            Int.random(in: 0...3, using: &random) == 0 ? Int.random(in: -1...60, using: &random) : nil
        self.components = components
        date = Date(timeIntervalSince1970: number)
    }
}

/// A thing that an app may do wrong.
private struct Deed: Sendable {
    let name: String
    let does: @MainActor @Sendable (WildValues) -> Void

    init(_ name: String, _ does: @escaping @MainActor @Sendable (WildValues) -> Void) {
        self.name = name
        self.does = does
    }

    static let all = screens + layouts + times + contents

    @MainActor private static func show(_ view: UIView) {
        let window = UIApplication.shared.windows.first ?? UIWindow(frame: UIScreen.main.bounds)
        window.rootViewController = window.rootViewController ?? UIViewController()
        window.makeKeyAndVisible()
        window.addSubview(view)
        kept.append(window)
        if kept.count > 8 { kept.removeFirst() }
    }

    @MainActor private static var kept: [NSObject] = []

    private static let screens = [
        Deed("a browser") { values in
            guard let url = URL(string: values.text) else { return }
            let browser = SFSafariViewController(url: url)
            UIApplication.shared.windows.first?.rootViewController?.present(browser, animated: true)
        },
        Deed("frames") { values in
            let view = UIView(frame: CGRect(x: values.size, y: 1, width: 2, height: values.size))
            show(view)
            view.frame = CGRect(x: 0, y: values.size, width: values.size, height: 3)
            view.alpha = values.size
            view.transform = CGAffineTransform(scaleX: values.size, y: 1)
            view.layer.cornerRadius = values.size
            view.layer.borderWidth = values.size
        },
        Deed("colours and texts") { values in
            let label = UILabel(frame: CGRect(x: 0, y: 0, width: 100, height: 20))
            label.backgroundColor = UIColor(red: values.size, green: 0, blue: values.size, alpha: values.size)
            label.font = .systemFont(ofSize: values.size)
            label.numberOfLines = values.integer
            label.text = values.text
            show(label)
            _ = label.sizeThatFits(CGSize(width: values.size, height: values.size))
        },
        Deed("an animation") { values in
            let view = UIView(frame: .zero)
            show(view)
            UIView.animate(withDuration: values.number, delay: values.number, options: []) {
                view.frame = CGRect(x: 1, y: 1, width: 1, height: 1)
            }
        },
        Deed("scrolling") { values in
            let scroll = UIScrollView(frame: CGRect(x: 0, y: 0, width: 50, height: 50))
            show(scroll)
            scroll.contentSize = CGSize(width: values.size, height: values.size)
            scroll.contentInset.top = values.size
            scroll.setContentOffset(CGPoint(x: values.size, y: values.size), animated: true)
        },
        Deed("stacks and tabs") { values in
            let stack = UIStackView(arrangedSubviews: [UIView(frame: .zero), UILabel(frame: .zero)])
            stack.frame = CGRect(x: 0, y: 0, width: 40, height: 40)
            stack.spacing = values.size
            stack.insertArrangedSubview(UIView(frame: .zero), at: values.integer)
            stack.insertSubview(UIView(frame: .zero), at: values.integer)
            show(stack)
            let tabs = UITabBarController()
            tabs.viewControllers = [UIViewController()]
            tabs.selectedIndex = values.integer
        },
        Deed("tables") { values in
            let table = UITableView(frame: CGRect(x: 0, y: 0, width: 40, height: 40))
            show(table)
            let path = IndexPath(row: values.integer, section: values.integer)
            _ = table.cellForRow(at: path)
            table.selectRow(at: path, animated: false, scrollPosition: .top)
            table.deselectRow(at: path, animated: false)
            _ = table.dequeueReusableCell(withIdentifier: values.text, for: path)
        },
        Deed("pictures") { values in
            let image = UIImageView(image: UIImage(data: values.data))
            show(image)
            image.frame.size = image.sizeThatFits(CGSize(width: values.size, height: 1))
        },
        Deed("controllers") { values in
            let stack = UINavigationController(rootViewController: UIViewController())
            stack.pushViewController(values.integer > 0 ? stack : UIViewController(), animated: true)
            _ = stack.topViewController?.navigationController
            stack.present(stack, animated: true)
            stack.dismiss(animated: true)
            _ = UIStoryboard(name: values.text, bundle: nil).instantiateInitialViewController()
        },
        Deed("a gesture") { values in
            let press = UILongPressGestureRecognizer { _ in }
            press.minimumPressDuration = values.number
            let view = UIView(frame: CGRect(x: 0, y: 0, width: 400, height: 800))
            view.addGestureRecognizer(press)
            show(view)
        },
    ]

    private static let layouts = [
        Deed("constraints") { values in
            let (outer, inner) = (UIView(frame: .zero), UILabel(frame: .zero))
            outer.addSubview(inner)
            inner.translatesAutoresizingMaskIntoConstraints = false
            NSLayoutConstraint.activate([
                inner.widthAnchor.constraint(equalToConstant: values.size),
                inner.heightAnchor.constraint(equalTo: outer.heightAnchor, multiplier: values.size),
                inner.leadingAnchor.constraint(equalTo: outer.leadingAnchor, constant: values.size),
            ])
            show(outer)
            outer.layoutIfNeeded()
        },
        Deed("rows") { values in
            let table = UITableView(frame: CGRect(x: 0, y: 0, width: 40, height: 40))
            let rows = Rows()
            kept.append(table)
            kept.append(rows)
            table.dataSource = rows
            table.rowHeight = values.size
            table.contentInset.bottom = values.size
            show(table)
            table.scrollToRow(at: IndexPath(row: values.integer, section: 0), at: .bottom, animated: true)
        },
        Deed("empty containers") { values in
            let tabs = UITabBarController()
            tabs.viewControllers = []
            tabs.selectedIndex = values.integer
            let stack = UINavigationController(rootViewController: UIViewController())
            stack.viewControllers = []
            stack.popViewController(animated: true)
            stack.popToRootViewController(animated: true)
            let rows = UIStackView(arrangedSubviews: [])
            rows.removeArrangedSubview(UIView(frame: .zero))
            rows.setCustomSpacing(values.size, after: rows)
            show(rows)
        },
    ]

    /// A table's two rows.
    private final class Rows: NSObject, UITableViewDataSource {
        func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { 2 }

        func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
            UITableViewCell(style: .default, reuseIdentifier: nil)
        }
    }

    private static let times = [
        Deed("a timer") { values in
            Timer.scheduledTimer(withTimeInterval: values.number, repeats: false) { _ in }
        },
        Deed("a time interval trigger") { values in
            add(values, UNTimeIntervalNotificationTrigger(timeInterval: values.number, repeats: values.integer > 0))
        },
        Deed("a calendar trigger") { values in
            add(values, UNCalendarNotificationTrigger(dateMatching: values.components, repeats: values.integer > 0))
        },
        Deed("a location trigger") { values in
            let center = CLLocationCoordinate2D(latitude: values.number, longitude: values.number)
            let region = CLCircularRegion(center: center, radius: values.number, identifier: values.text)
            add(values, UNLocationNotificationTrigger(region: region, repeats: values.integer > 0))
        },
        Deed("a delay") { values in
            DispatchQueue.main.asyncAfter(deadline: .now() + values.number) { add(values, nil) }
        },
        Deed("an attachment") { values in
            let url = URL(fileURLWithPath: "/" + values.text.filter { $0 != "\0" })
            let options: [AnyHashable: Any] = [UNNotificationAttachmentOptionsThumbnailTimeKey: values.number]
            _ = try? UNNotificationAttachment(identifier: values.text, url: url, options: options)
        },
        Deed("an old reminder") { values in
            let reminder = UILocalNotification()
            reminder.fireDate = values.date
            reminder.repeatInterval = values.integer > 0 ? .month : []
            reminder.alertBody = values.text
            UIApplication.shared.scheduleLocalNotification(reminder)
        },
        Deed("a background task") { values in
            let request = BGAppRefreshTaskRequest(identifier: values.text)
            request.earliestBeginDate = values.date
            try? BGTaskScheduler.shared.submit(request)
        },
        Deed("background time") { values in
            let application = UIApplication.shared
            application.endBackgroundTask(UIBackgroundTaskIdentifier(rawValue: values.integer))
            _ = application.backgroundTimeRemaining
        },
    ]

    @MainActor private static func add(_ values: WildValues, _ trigger: UNNotificationTrigger?) {
        let content = UNMutableNotificationContent()
        content.body = values.text
        content.badge = NSNumber(value: values.number)
        content.relevanceScore = values.number
        content.sound = UNNotificationSound(named: UNNotificationSoundName(values.text))
        content.categoryIdentifier = values.text
        UNUserNotificationCenter.current().add(
            UNNotificationRequest(identifier: values.text, content: content, trigger: trigger))
    }

    private static let contents = [
        Deed("a notification") { add($0, nil) },
        Deed("badges") { values in
            UIApplication.shared.applicationIconBadgeNumber = values.integer
            UNUserNotificationCenter.current().setBadgeCount(values.integer) { _ in }
        },
        Deed("user info") { values in
            let content = UNMutableNotificationContent()
            content.body = "x"
            content.userInfo = ["a": values.number, "b": [values.components as Any, NSNull(), values.data]]
            if values.integer > 0 { content.userInfo = ["date": values.date] }
            UNUserNotificationCenter.current().add(
                UNNotificationRequest(identifier: "u", content: content, trigger: nil))
        },
        Deed("settings") { values in
            UserDefaults.standard.set(values.number, forKey: values.text)
            UserDefaults.standard.set(["a": NSNull()], forKey: "null")
            _ = UserDefaults.standard.integer(forKey: values.text)
        },
        Deed("activities and links") { values in
            let activity = NSUserActivity(activityType: values.text)
            activity.webpageURL = URL(string: values.text)
            activity.becomeCurrent()
            if let url = URL(string: values.text) { UIApplication.shared.open(url) }
        },
        Deed("categories") { values in
            let action = UNNotificationAction(identifier: values.text, title: values.text)
            UNUserNotificationCenter.current().setNotificationCategories([
                UNNotificationCategory(identifier: values.text, actions: [action, action], intentIdentifiers: [])
            ])
        },
        Deed("an exception") { values in
            NSException(name: .genericException, reason: values.text).raise()
        },
    ]
}
