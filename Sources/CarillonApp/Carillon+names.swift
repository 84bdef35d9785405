import CarillonCore
import CarillonMessaging

/// The names of other modules that the SDK's API speaks in, for an app that imports `CarillonApp` alone.
///
/// Those modules are not re-exported: their names are plain (`Payload`, `Timestamp`, `Alert`), and SwiftUI and other SDKs have
/// such ones too.
extension Carillon {
    /// What a developer should know of.
    public typealias Event = CarillonMessaging.CarillonEvent
    /// The id of a message.
    public typealias MessageID = CarillonCore.MessageID
    /// A value of a payload.
    public typealias JSONValue = CarillonCore.JSONValue
}
