import CarillonCore

/// That a device is to remove a message which is kept in bits.
struct RangedRemoval {
    var message: RangedMessage
    var request: RemovalRequest
    var place: ChunkPlace
    /// Whether a push with it was queued.
    var isTold: Bool
}
