import Foundation

/// The appearance and the capabilities of an app's calls.
/// [CXProviderConfiguration](https://developer.apple.com/documentation/callkit/cxproviderconfiguration)
///
/// Differs from iOS: the settings are stored without effect.
open class CXProviderConfiguration: NSObject, NSCopying {
    /// The app's name; since iOS 14 it is read from the app's bundle.
    @available(iOS, introduced: 10, deprecated: 14)
    open private(set) var localizedName: String?
    open var ringtoneSound: String?
    open var iconTemplateImageData: Data?
    open var maximumCallGroups = 2
    open var maximumCallsPerCallGroup = 5
    @available(iOS 11, *)
    open var includesCallsInRecents = true
    open var supportsVideo = false
    open var supportedHandleTypes: Set<CXHandle.HandleType> = []

    @available(iOS 14, *)
    public override init() { super.init() }

    @available(iOS, introduced: 10, deprecated: 14)
    public init(localizedName: String) {
        super.init()
        self.localizedName = localizedName
    }

    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = CXProviderConfiguration()
        copy.localizedName = localizedName
        copy.ringtoneSound = ringtoneSound
        copy.iconTemplateImageData = iconTemplateImageData
        copy.maximumCallGroups = maximumCallGroups
        copy.maximumCallsPerCallGroup = maximumCallsPerCallGroup
        copy.includesCallsInRecents = includesCallsInRecents
        copy.supportsVideo = supportsVideo
        copy.supportedHandleTypes = supportedHandleTypes
        return copy
    }
}
