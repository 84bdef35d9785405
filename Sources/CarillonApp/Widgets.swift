import CarillonCore
import CarillonMessaging
import WidgetKit

/// The app's widgets and controls that the service reloads by push.
///
/// The SDK sends their tokens to the service with the registration. A token belongs to the phone and not to a user, so it stays after
/// ``Carillon/signOut()``: a push that reloads has no content, and the app's own code decides what its widgets show.
@MainActor
public final class CarillonWidgets {
    private let store: CarillonStore
    /// Reads the tokens from WidgetKit; `nil` until the app has called ``register()``.
    private var read: (@MainActor () async -> WidgetTokens?)?
    /// Called when the tokens have been read for the first time since the launch.
    var onRead: @MainActor () -> Void = {}

    init(store: CarillonStore) { self.store = store }

    /// Lets the service reload the app's widgets and controls.
    ///
    /// Call it at each launch, before ``Carillon/start(launchOptions:)``:
    ///
    /// ```swift
    /// if #available(iOS 18, *) { carillon.widgets.register() }
    /// ```
    ///
    /// The SDK reads the tokens from WidgetKit at launch and when the app enters the foreground. Pushes for widgets need iOS 26, those
    /// for controls iOS 18. A widget extension passes its push handlers' tokens to a `CarillonWidgetExtension`, so that they reach the
    /// service before the app runs again.
    @available(iOS 18, *)
    public func register() { read = { await Self.current() } }

    /// Reads the tokens, if the app has registered its widgets.
    func update() async {
        guard let tokens = await read?() else { return }
        if tokens != store.contents.widgets {
            store.update {
                if $0.widgets.wereSentByExtension { $0.registration.widgetsMayDiffer() }
                $0.widgets = tokens
            }
            store.save()
        }
        onRead()
    }

    @available(iOS 18, *)
    private static func current() async -> WidgetTokens? {
        var tokens = WidgetTokens()
        if #available(iOS 26, *) { tokens.widgets = await widgetToken() }
        // An error says nothing of the controls.
        guard let controls = try? await ControlCenter.shared.currentControls() else { return nil }
        tokens.setControls(controls.map { ($0.kind, $0.pushInfo.flatMap { DeviceToken($0.token) }) })
        return tokens
    }

    @available(iOS 26, *)
    private static func widgetToken() async -> DeviceToken? {
        await WidgetCenter.shared.currentPushInfo.flatMap { DeviceToken($0.token) }
    }
}
