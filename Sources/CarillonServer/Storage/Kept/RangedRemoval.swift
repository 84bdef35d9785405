import CarillonCore

/// A removal that is kept in bits: a device is to remove a message.
struct RangedRemoval {
    var message: RangedMessage
    var request: RemovalRequest
    var place: ChunkPlace
}
