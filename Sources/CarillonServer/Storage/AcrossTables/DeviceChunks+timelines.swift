import CarillonCore

/// Reads the timelines of deliveries that are stored in the bits of chunks (``RangeChunk``), not in rows.
extension DeviceChunks {
    /// Returns the next devices, in the order of their ids, whose deliveries of a message are stored in a ``RangeChunk``.
    ///
    /// A call stops after it has examined a limited number of devices.
    ///
    /// - Returns: `found` has the devices with their positions in chunks. `end` is the id up to which the call has examined all
    ///   devices; `nil` if it has examined the last device.
    func devices(
        of message: RangedMessage, after device: String, limit: Int
    ) throws -> (found: [(id: String, place: ChunkPlace)], end: String?) {
        var (found, position): ([(id: String, place: ChunkPlace)], String) = ([], device)
        for _ in 0..<StoreLimits.timelineLooks {
            let rows = try rows(
                """
                SELECT id, app, ordinal FROM devices WHERE id > ? ORDER BY id LIMIT ?
                """, [position, StoreLimits.timelineLook])
            for row in rows {
                let id: String = try row["id"]
                if found.count == limit { return (found, position) }
                position = id
                guard try row["app"] == message.app.number.rawValue, let ordinal: Int64 = row["ordinal"],
                    let place = try place(of: message, ordinal: ordinal)
                else { continue }
                if try chunks.chunk(place.chunk)?.chunk[.row].contains(place.place) == false {
                    found.append((id, place))
                }
            }
            if rows.count < StoreLimits.timelineLook { return (found, nil) }
        }
        return (found, position)
    }

    /// Returns the timeline events of one device, as the device's flags in a ``RangeChunk`` express them.
    ///
    /// A chunk stores one time for each kind of event, so all devices of the chunk share this time.
    func events(at place: ChunkPlace, of message: RangedMessage, on device: String) throws -> [TimelineEvent] {
        guard let chunk = try chunks.chunk(place.chunk)?.chunk else { return [] }
        func event(_ kind: TimelineEventKind, _ at: Timestamp?, attempt: Int? = nil) -> TimelineEvent {
            let id = PushIdentifier.uuid(
                message: message.id.rawValue, device: device, purpose: .show, revision: chunk.revision)
            return TimelineEvent(
                message: message.id, device: device, event: kind, at: at ?? message.accepted,
                purpose: kind.isReceipt ? nil : .show, revision: chunk.revision, attempt: attempt,
                apnsID: attempt == nil ? nil : id.lowercased,
                detail: at == nil ? nil : Self.chunkMoment)
        }
        var events = [event(.queued, nil)]
        let isHanded = chunk[.handed].contains(place.place)
        if isHanded { events.append(event(.sent, chunk.handedAt, attempt: 1)) }
        if chunk[.accepted].contains(place.place) {
            events.append(event(.accepted, chunk.acceptedAt, attempt: 1))
        }
        for kind in ReceiptEvent.allCases where chunk[ChunkMark(kind)].contains(place.place) {
            events.append(event(TimelineEventKind(kind), chunk.reportedAt))
        }
        return events
    }

    private static let chunkMoment = "at the latest: of a broadcast, the moment is kept for many devices together"
}
