import CarillonCore
import Foundation
import WidgetKit

/// The widgets and controls on a simulated phone, with the person's actions.
@MainActor public final class PhoneWidgets {
    let placed: Widgets
    let placedControls: Controls
    /// The parts that handle pushes.
    var receivers: [any PushReceiver] { [placed, placedControls] }
    private let kernel: PhoneKernel
    private let device: DeviceState
    private let apps: InstalledApps

    init(background: Background, connection: PushConnection) {
        (kernel, device, apps) = (background.kernel, background.device, background.apps)
        let extensions = WidgetExtensions(background: background)
        placed = Widgets(extensions: extensions, connection: connection)
        placedControls = Controls(extensions: extensions, connection: connection)
    }

    /// Returns the app's widgets, in the order in which the person added them.
    public func shown(of bundleID: String) -> [PhoneWidget] {
        apps[bundleID].map(placed.placed) ?? []
    }

    /// Returns the token for pushes to the app's widgets.
    ///
    /// - Returns: `nil` if no widget with a push handler is on the phone, or the phone has not fetched the token yet.
    public func token(of bundleID: String) -> Data? { apps[bundleID].flatMap(placed.token) }

    /// Adds a widget of the app, as the person does from the gallery.
    ///
    /// The phone loads its content. For the first widget with a push handler, it also fetches the token, and calls the handler.
    ///
    /// - Parameters:
    ///   - kind: a kind of ``AppBundle/widgets``.
    ///   - family: the size; the default is small.
    ///   - bundleID: the app.
    /// - Returns: the widget before its content is loaded.
    /// - Throws: ``PhoneError`` if the phone is off, or (`noWidget`) if the app offers no such widget.
    @discardableResult
    public func add(_ kind: String, _ family: WidgetFamily = .systemSmall, of bundleID: String) throws(PhoneError)
        -> PhoneWidget
    {
        try kernel.doingAtOnce(.addWidget(kind, family: family.rawValue, app: bundleID)) {
            () throws(PhoneError) -> PhoneWidget in
            let app = try apps.installed(bundleID)
            try device.checkPoweredOn()
            return try placed.add(kind, family, of: app)
        }
    }

    /// Removes a widget, as the person does.
    ///
    /// With the last widget that has a push handler, the token ends (``PhoneRule/widgetTokenEndsWithLastWidget``).
    ///
    /// - Throws: ``PhoneError`` if the phone is off, or (`noWidget`) if the app has no such widget.
    public func remove(_ id: Int, of bundleID: String) throws(PhoneError) {
        try kernel.doingAtOnce(.removeWidget(id, app: bundleID)) { () throws(PhoneError) -> Void in
            let app = try apps.installed(bundleID)
            try device.checkPoweredOn()
            try placed.remove(id, of: app)
        }
    }

    // MARK: controls

    /// Returns the app's controls, in the order in which the person added them.
    public func controls(of bundleID: String) -> [PhoneControl] {
        apps[bundleID].map(placedControls.placed) ?? []
    }

    /// Adds a control of the app, as the person does in Control Center.
    ///
    /// The phone loads its value. If it has a push handler, the phone also fetches its token, and calls the handler.
    ///
    /// - Parameters:
    ///   - kind: a kind of ``AppBundle/controls``.
    ///   - bundleID: the app.
    /// - Returns: the control before its value is loaded.
    /// - Throws: ``PhoneError`` if the phone is off, or (`noWidget`) if the app offers no such control.
    @discardableResult
    public func addControl(_ kind: String, of bundleID: String) throws(PhoneError) -> PhoneControl {
        try kernel.doingAtOnce(.addControl(kind, app: bundleID)) { () throws(PhoneError) -> PhoneControl in
            let app = try apps.installed(bundleID)
            try device.checkPoweredOn()
            return try placedControls.add(kind, of: app)
        }
    }

    /// Removes a control, as the person does; its token ends.
    ///
    /// - Throws: ``PhoneError`` if the phone is off, or (`noWidget`) if the app has no such control.
    public func removeControl(_ id: String, of bundleID: String) throws(PhoneError) {
        try kernel.doingAtOnce(.removeControl(id, app: bundleID)) { () throws(PhoneError) -> Void in
            let app = try apps.installed(bundleID)
            try device.checkPoweredOn()
            try placedControls.remove(id, of: app)
        }
    }
}
