@_spi(Simulation) import UserNotifications

/// The process of a running app or extension, which forwards the use of WidgetKit to the simulated phone; usable from any thread.
@_spi(Simulation) public protocol WidgetHost: SimulatedProcess {
    /// Reads the widgets of the app that the person has added.
    func widgets(completion: @escaping @Sendable ([WidgetInfo]) -> Void)
    /// Reads the token for pushes to the app's widgets; `nil` if there is none.
    func widgetToken(completion: @escaping @Sendable (Data?) -> Void)
    /// Asks the phone to reload the widgets of a kind; `nil` means all kinds.
    func reloadWidgets(ofKind kind: String?)
    /// Reads the controls of the app that the person has added.
    func controls(completion: @escaping @Sendable ([ControlInfo]) -> Void)
    /// Asks the phone to reload the controls of a kind; `nil` means all kinds.
    func reloadControls(ofKind kind: String?)
}

/// Returns the host of the running code; `nil` in code that belongs to no phone.
func currentHost() -> (any WidgetHost)? { SimulatedDevices.currentProcess as? any WidgetHost }
