import CarillonCore

/// That a device is to remove a message which is kept in bits.
struct RangedRemoval {
    var message: RangedMessage
    var request: RemovalRequest
    var place: ChunkPlace
}
