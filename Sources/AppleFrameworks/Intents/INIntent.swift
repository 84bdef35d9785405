import Foundation
@_spi(Simulation) import UserNotifications

/// An activity that a person performs with an app.
/// [INIntent](https://developer.apple.com/documentation/intents/inintent)
open class INIntent: NSObject, NSCopying, NSSecureCoding {
    /// The spoken phrase that Siri may suggest to the person for starting this intent.
    open var suggestedInvocationPhrase: String?
    /// The further details for a donation of this intent.
    open var donationMetadata: INIntentDonationMetadata?

    var images: [AnyKeyPath: INImage] = [:]

    override init() { super.init() }

    /// The sender and the recipients that a notification shows; `nil` if the intent is neither a message nor a call.
    var speaks: Communication? { nil }

    /// The parameters that may have a picture: each key is the parameter's name in an archived intent, each value its key path.
    class var pictured: [String: AnyKeyPath] { [:] }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    func copied<Intent: INIntent>(to copy: Intent) -> Intent {
        copy.suggestedInvocationPhrase = suggestedInvocationPhrase
        copy.donationMetadata = donationMetadata
        copy.images = images
        return copy
    }

    open class var supportsSecureCoding: Bool { true }

    public required init?(coder: NSCoder) {
        super.init()
        for (name, path) in Self.pictured {
            images[path] = coder.decodeObject(of: INImage.self, forKey: "image.\(name)")
        }
    }

    open func encode(with coder: NSCoder) {
        for (name, path) in Self.pictured { coder.encode(images[path], forKey: "image.\(name)") }
    }
}

/// A protocol that lets `setImage(_:forParameterNamed:)` take key paths of the intent's own class.
public protocol INIntentSetImageKeyPath {}

extension INIntent: INIntentSetImageKeyPath {}

extension INIntentSetImageKeyPath where Self: INIntent {
    /// Sets the picture of a parameter that stands for a person or a group, such as `\.sender` or `\.speakableGroupName`.
    public func setImage<Value>(_ image: INImage?, forParameterNamed parameterName: KeyPath<Self, Value>) {
        images[parameterName] = image
    }

    public func image<Value>(forParameterNamed parameterName: KeyPath<Self, Value>) -> INImage? {
        images[parameterName]
    }
}

/// An app's response to an intent. The phone never asks an app for a response.
/// [INIntentResponse](https://developer.apple.com/documentation/intents/inintentresponse)
open class INIntentResponse: NSObject {}

/// The further details of a donation.
/// [INIntentDonationMetadata](https://developer.apple.com/documentation/intents/inintentdonationmetadata)
open class INIntentDonationMetadata: NSObject {}

/// The further details of a donated message.
/// [INSendMessageIntentDonationMetadata](https://developer.apple.com/documentation/intents/insendmessageintentdonationmetadata)
///
/// Differs from iOS: only `recipientCount` has an effect. The other properties are stored. They do not let the message through
/// a Focus, because an app on the phone cannot ask for the permission to see the Focus status.
open class INSendMessageIntentDonationMetadata: INIntentDonationMetadata {
    open var mentionsCurrentUser = false
    open var isReplyToCurrentUser = false
    /// Whether the sender has chosen to notify the recipient despite a Focus.
    open var notifyRecipientAnyway = false
    /// The number of recipients if the intent names only some of them; otherwise 0.
    open var recipientCount = 0

    public override init() { super.init() }
}
