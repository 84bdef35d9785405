import CarillonCore

/// A device's request to remove a message that is kept in bits.
struct RangedRemoval {
    var message: RangedMessage
    var request: RemovalRequest
    var place: ChunkPlace
}
