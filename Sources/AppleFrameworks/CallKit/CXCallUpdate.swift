import Foundation

/// The known or changed attributes of a call; an attribute that is `nil` or has its initial value is unknown.
/// [CXCallUpdate](https://developer.apple.com/documentation/callkit/cxcallupdate)
open class CXCallUpdate: NSObject, NSCopying {
    open var remoteHandle: CXHandle?
    open var localizedCallerName: String?
    open var supportsHolding = true
    open var supportsGrouping = true
    open var supportsUngrouping = true
    open var supportsDTMF = true
    open var hasVideo = false

    public override init() { super.init() }

    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = CXCallUpdate()
        copy.remoteHandle = remoteHandle
        copy.localizedCallerName = localizedCallerName
        copy.supportsHolding = supportsHolding
        copy.supportsGrouping = supportsGrouping
        copy.supportsUngrouping = supportsUngrouping
        copy.supportsDTMF = supportsDTMF
        copy.hasVideo = hasVideo
        return copy
    }
}
