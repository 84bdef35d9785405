import Foundation

/// A button that asks for text.
/// [UNTextInputNotificationAction](https://developer.apple.com/documentation/usernotifications/untextinputnotificationaction)
open class UNTextInputNotificationAction: UNNotificationAction {
    public let textInputButtonTitle: String
    public let textInputPlaceholder: String

    @available(iOS 15, *)
    public init(
        identifier: String, title: String, options: UNNotificationActionOptions = [],
        icon: UNNotificationActionIcon?, textInputButtonTitle: String, textInputPlaceholder: String
    ) {
        self.textInputButtonTitle = textInputButtonTitle
        self.textInputPlaceholder = textInputPlaceholder
        super.init(identifier: identifier, title: title, options: options, icon: icon)
    }

    /// Makes an action whose button has the phone's own title.
    ///
    /// This override makes the subclass inherit the initializers of ``UNNotificationAction``, as on iOS.
    @available(iOS 15, *)
    public override convenience init(
        identifier: String, title: String, options: UNNotificationActionOptions = [], icon: UNNotificationActionIcon?
    ) {
        self.init(
            identifier: identifier, title: title, options: options, icon: icon, textInputButtonTitle: "",
            textInputPlaceholder: "")
    }

    public convenience init(
        identifier: String, title: String, options: UNNotificationActionOptions = [], textInputButtonTitle: String,
        textInputPlaceholder: String
    ) {
        self.init(
            identifier: identifier, title: title, options: options, icon: nil,
            textInputButtonTitle: textInputButtonTitle, textInputPlaceholder: textInputPlaceholder)
    }

    open override func isEqual(_ object: Any?) -> Bool {
        guard super.isEqual(object), let other = object as? UNTextInputNotificationAction else { return false }
        return other.textInputButtonTitle == textInputButtonTitle
            && other.textInputPlaceholder == textInputPlaceholder
    }

    open override var hash: Int { super.hash ^ textInputButtonTitle.hashValue }

    public required init?(coder: NSCoder) {
        textInputButtonTitle = coder.decodeText("textInputButtonTitle") ?? ""
        textInputPlaceholder = coder.decodeText("textInputPlaceholder") ?? ""
        super.init(coder: coder)
    }

    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encodeText(textInputButtonTitle, "textInputButtonTitle")
        coder.encodeText(textInputPlaceholder, "textInputPlaceholder")
    }
}
