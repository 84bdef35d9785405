/// How a message is sent.
enum DeliveryForm: Equatable {
    /// By ranges, to whoever fulfils its condition then.
    case ranges
    /// To so many devices that have a row each, counted up to one more than ``ServiceLimits/audienceDevices``.
    case rows(devices: Int)

    /// How many devices it is for, as far as that is known.
    var devices: Int {
        switch self {
        case .ranges: 0
        case .rows(let devices): devices
        }
    }

    /// Whether those are too many for rows.
    var isRefused: Bool { devices > ServiceLimits.audienceDevices }
}
