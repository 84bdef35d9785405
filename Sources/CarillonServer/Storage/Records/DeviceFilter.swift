/// The selection of an app's devices that a list wants; a member that is empty selects all.
package struct DeviceFilter: Sendable, Hashable {
    var states: Set<DeviceRecord.State> = []
    var tag: String?
    var user: String?

    package init() {}
}
