import CarillonDevice
import Testing
import UIKit

private final class ItemCell: UITableViewCell {
    private(set) var timesReused = 0

    override func prepareForReuse() {
        super.prepareForReuse()
        timesReused += 1
    }
}

/// A list as many apps have it.
private final class ItemsController: UITableViewController {
    var items = ["One", "Two", "Three"]
    private(set) var chosen: [String] = []

    override func viewDidLoad() {
        super.viewDidLoad()
        tableView.register(ItemCell.self, forCellReuseIdentifier: "Item")
    }

    override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { items.count }

    override func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String? { "Items" }

    override func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        let cell = tableView.dequeueReusableCell(withIdentifier: "Item", for: indexPath)
        cell.textLabel?.text = items[indexPath.row]
        return cell
    }

    override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
        chosen.append(items[indexPath.row])
        tableView.deselectRow(at: indexPath, animated: false)
    }
}

/// A screen with a line and a text to fill in.
private final class FormController: UIViewController, UITextFieldDelegate, UITextViewDelegate {
    let name = UITextField(frame: CGRect(x: 20, y: 100, width: 300, height: 40))
    let note = UITextView(frame: CGRect(x: 20, y: 200, width: 300, height: 100))
    private(set) var heard: [String] = []

    override func viewDidLoad() {
        super.viewDidLoad()
        name.placeholder = "Name"
        name.delegate = self
        note.delegate = self
        name.addAction(UIAction { [weak self] _ in self?.heard.append("changed") }, for: .editingChanged)
        view.addSubview(name)
        view.addSubview(note)
    }

    func textFieldDidBeginEditing(_ textField: UITextField) { heard.append("began") }
    func textFieldDidEndEditing(_ textField: UITextField) { heard.append("ended with \(textField.text ?? "")") }

    func textFieldShouldReturn(_ textField: UITextField) -> Bool {
        textField.resignFirstResponder()
        return true
    }

    func textField(
        _ textField: UITextField, shouldChangeCharactersIn range: NSRange, replacementString string: String
    ) -> Bool { string != "!" }

    func textViewDidChange(_ textView: UITextView) { heard.append(textView.text) }
}

/// A table in a screen of its own making, with what few tables have.
private final class RichController: UIViewController, UITableViewDataSource, UITableViewDelegate {
    let table = UITableView(frame: UIScreen.main.bounds, style: .grouped)
    var sections = [["a", "b"], ["c"]]
    private(set) var heard: [String] = []

    override func loadView() {
        let (top, bottom) = (UILabel(frame: .zero), UILabel(frame: .zero))
        (top.text, bottom.text) = ("top", "bottom")
        (top.frame.size.height, bottom.frame.size.height) = (30, 20)
        table.dataSource = self
        table.delegate = self
        table.tableHeaderView = top
        table.tableFooterView = bottom
        view = table
    }

    func numberOfSections(in tableView: UITableView) -> Int { sections.count }

    func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { sections[section].count }

    func tableView(_ tableView: UITableView, titleForFooterInSection section: Int) -> String? {
        section == 0 ? "end of the first" : nil
    }

    func tableView(_ tableView: UITableView, viewForHeaderInSection section: Int) -> UIView? {
        let view = UIView(frame: .zero)
        view.backgroundColor = .systemGray
        return section == 0 ? view : nil
    }

    func tableView(_ tableView: UITableView, heightForHeaderInSection section: Int) -> CGFloat { 10 }

    func tableView(_ tableView: UITableView, heightForRowAt indexPath: IndexPath) -> CGFloat {
        indexPath.section == 0 ? 60 : UITableView.automaticDimension
    }

    func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        let known = tableView.dequeueReusableCell(withIdentifier: "Rich")
        let cell = known ?? UITableViewCell(style: .subtitle, reuseIdentifier: "Rich")
        cell.textLabel?.text = sections[indexPath.section][indexPath.row]
        cell.detailTextLabel?.text = "row \(indexPath.row)"
        cell.imageView?.image = UIImage(systemName: "bell")
        cell.accessoryType = .disclosureIndicator
        return cell
    }

    func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
        heard.append("chosen \(indexPath.section).\(indexPath.row)")
    }

    func tableView(_ tableView: UITableView, didDeselectRowAt indexPath: IndexPath) {
        heard.append("left \(indexPath.section).\(indexPath.row)")
    }
}

/// A table controller that says nothing: there are no rows.
private final class EmptyController: UITableViewController {}

private final class TableApp: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
    private var root: UIViewController?

    convenience init(_ root: UIViewController) {
        self.init()
        self.root = root
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
        window = UIWindow(frame: UIScreen.main.bounds)
        window?.rootViewController = root
        window?.makeKeyAndVisible()
        return true
    }
}

@MainActor @Suite("Tables and text fields") struct TableTests {
    private func run<Controller: UIViewController>(
        _ make: @escaping @MainActor @Sendable () -> Controller,
        _ body: @MainActor (AppUnderTest, Controller) async throws -> Void
    ) async throws {
        try await AppUnderTest.run({ TableApp(make()) }) { app in
            try await app.open()
            let controller = app.delegate(as: TableApp.self)?.window?.rootViewController as? Controller
            try await body(app, #require(controller))
        }
    }

    @Test("rows are shown under their title, a tap selects one, and cells are used again")
    func table() async throws {
        try await run({ ItemsController(style: .plain) }) { app, items in
            #expect(app.texts == ["Three", "Two", "One", "Items"], "in front first")
            let two = try #require(items.tableView.cellForRow(at: IndexPath(row: 1, section: 0)))
            #expect(two.frame.height == 44 && items.tableView.indexPath(for: two) == IndexPath(row: 1, section: 0))
            let place = items.tableView.convert(CGPoint(x: two.frame.midX, y: two.frame.midY), to: nil)
            try await app.phone.screen.tap(atX: Double(place.x), y: Double(place.y))
            #expect(items.chosen == ["Two"] && items.tableView.indexPathForSelectedRow == nil)
            items.items = ["Four"]
            items.tableView.deleteRows(at: [IndexPath(row: 1, section: 0)], with: .automatic)
            try await app.phone.settled()
            #expect(app.texts == ["Four", "Items"])
            #expect((items.tableView.visibleCells.first as? ItemCell)?.timesReused == 1)
            #expect(items.tableView.cellForRow(at: IndexPath(row: 5, section: 7)) == nil)
            items.items = []
            items.tableView.reloadData()
            #expect(app.texts == ["Items"])
        }
    }

    @Test("sections have views and titles, rows heights, cells pictures and details; what changes is shown anew")
    func sections() async throws {
        try await run({ RichController() }) { app, rich in
            #expect(app.texts.contains("top") && app.texts.contains("bottom") && app.texts.contains("end of the first"))
            let (table, first) = (rich.table, IndexPath(row: 0, section: 0))
            #expect(table.cellForRow(at: first)?.frame == CGRect(x: 0, y: 40, width: 390, height: 60))
            #expect(table.cellForRow(at: IndexPath(row: 0, section: 1))?.frame.height == 44)
            #expect(table.indexPathsForVisibleRows?.count == 3 && table.numberOfSections == 2)
            #expect(table.numberOfRows(inSection: 0) == 2 && table.indexPath(for: UITableViewCell()) == nil)
            for y in [100.0, 160] { try await app.phone.screen.tap(atX: 100, y: y) }
            #expect(rich.heard == ["chosen 0.0", "left 0.0", "chosen 0.1"], "below the status bar")
            #expect(table.cellForRow(at: IndexPath(row: 1, section: 0))?.isSelected == true)
            table.selectRow(at: IndexPath(row: 0, section: 1), animated: false, scrollPosition: .bottom)
            #expect(table.indexPathForSelectedRow == IndexPath(row: 0, section: 1))
            table.deselectRow(at: IndexPath(row: 0, section: 1), animated: false)
            table.performBatchUpdates {
                rich.sections[1].append("d")
            } completion: {
                #expect($0)
            }
            #expect(app.texts.contains("d"))
            table.beginUpdates()
            rich.sections.removeLast()
            table.deleteSections([1], with: .fade)
            table.endUpdates()
            table.insertRows(at: [first], with: .none)
            table.reloadRows(at: [first], with: .none)
            table.reloadSections([0], with: .none)
            table.insertSections([], with: .none)
            #expect(!app.texts.contains("d") && app.texts.contains("a"))
            table.tableHeaderView = nil
            table.allowsSelection = false
            try await app.phone.screen.tap(atX: 100, y: 100)
            #expect(rich.heard.count == 3 && !app.texts.contains("top"))
        }
        try await run({ EmptyController(style: .insetGrouped) }) { app, empty in
            #expect(app.texts == [] && empty.tableView.style == .insetGrouped)
            #expect(
                empty.tableView(empty.tableView, cellForRowAt: IndexPath(row: 0, section: 0)).textLabel?.text == nil)
        }
        try await run({ EmptyController() }) { _, empty in #expect(empty.tableView.style == .plain) }
    }

    @Test("a tap in a field begins to edit it, what is typed comes in, is refused or ends it; a text view takes lines")
    func typing() async throws {
        try await run({ FormController() }) { app, form in
            #expect(app.texts.contains("Name"))
            await #expect(throws: PhoneError.self) { try await app.phone.screen.type("too early") }
            try await app.phone.screen.tap(atX: 50, y: 120)
            try await app.phone.screen.type("Ada!\n")
            #expect(form.name.text == "Ada" && !form.name.isFirstResponder)
            #expect(form.heard == ["began", "changed", "changed", "changed", "ended with Ada"])
            #expect(app.texts.contains("Ada"))
            form.name.isSecureTextEntry = true
            #expect(app.texts.contains("•••") && !app.texts.contains("Ada"))
            try await app.phone.screen.tap(atX: 50, y: 220)
            try await app.phone.screen.type("Dear 👩‍🚀,\nhello")
            #expect(form.note.text == "Dear 👩‍🚀,\nhello" && form.heard.last == "Dear 👩‍🚀,\nhello")
        }
    }
}
