import CarillonCore
import Foundation
import HTTPTypes
import Hummingbird
import Logging

/// The routes of `/v1/users`: the calls of backends about their users.
struct UserRoutes {
    let service: ServiceContext
    let users: UserCalls
    let devices: DeviceCalls

    /// The answer of `POST /v1/users/{id}/read`.
    struct ReadAnswer: Encodable {
        /// The number of messages that the call changed from unread to read.
        var marked: Int
        var unread: Int
    }

    /// The answer of `GET /v1/users/{id}/devices`.
    struct DevicesAnswer: Encodable {
        var devices: [DeviceAnswer]
    }

    /// The answer of `GET /v1/users/{id}`: a page of what is kept of the user.
    ///
    /// Only the first page has the installations.
    struct DataAnswer: Encodable {
        var data: UserData
        var devices: [DeviceAnswer]?

        private enum CodingKeys: String, CodingKey {
            case devices
        }

        func encode(to encoder: any Encoder) throws {
            try data.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encodeIfPresent(devices, forKey: .devices)
        }
    }

    /// The answer of `POST /v1/users/{id}/sign-out`.
    struct SignOutAnswer: Encodable {
        /// The number of installations on which the user was signed in.
        var devices: Int
    }

    /// The answer of `DELETE /v1/users/{id}`, with counts of the erased and of the remaining data.
    struct ErasureAnswer: Encodable {
        var user: String
        var erasedAt: Timestamp
        var devices: Int
        var messages: Int
        var inbox: Int
        var deliveries: Int
        var remaining: Int
        var copies: [String]
        /// The number of the user's installations that were deleted; absent if the call did not ask for that.
        var deletedDevices: Int?

        enum CodingKeys: String, CodingKey {
            case user, devices, messages, inbox, deliveries, remaining, copies
            case erasedAt = "erased_at"
            case deletedDevices = "deleted_devices"
        }
    }

    func add(to router: Router<ServiceRequestContext>) {
        router.post("/v1/users/{id}/read") { request, context in try await read(request, context) }
        router.get("/v1/users/{id}/devices") { request, context in try await list(request, context) }
        router.post("/v1/users/{id}/sign-out") { request, context in try await signOut(request, context) }
        router.get("/v1/users/{id}") { request, context in try await data(request, context) }
        router.delete("/v1/users/{id}") { request, context in try await erase(request, context) }
    }

    private func read(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        let user = try await user(request, context, may: .send)
        var body = try await JSONBody.object(request)
        let ids = try body.takeStrings("messages", limit: ServiceLimits.messagesPerPage)
        let moment = try body.takeMoment("up_to")
        try body.finish()
        let outcome = try await users.markRead(
            try Self.selection(ids, moment), user: user, on: nil, at: service.clock.now)
        return try JSONBody.answer(ReadAnswer(marked: outcome.marked, unread: outcome.unread))
    }

    private func list(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        let user = try await user(request, context, may: .read)
        let devices = try await users.devices(of: user, limit: ServiceLimits.devicesPerPage)
        return try JSONBody.answer(DevicesAnswer(devices: devices.map { DeviceAnswer($0) }))
    }

    private func data(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        let user = try await user(request, context, may: .users)
        let query = ListQuery(request)
        let mark = try query.text("after", atMost: MessageID.byteLimit)
        let id = mark.flatMap { try? MessageID($0) }
        let known = try await users.devices(of: user, limit: ServiceLimits.devicesPerPage)
        let page =
            mark != nil && id == nil
            ? nil
            : try await users.data(
                of: user, in: known.first?.facts.locale, after: id, limit: try query.limit(), at: service.clock.now)
        guard let page else { throw ListQuery.unknownMark }
        return try JSONBody.answer(DataAnswer(data: page, devices: mark == nil ? known.map { DeviceAnswer($0) } : nil))
    }

    private func signOut(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        let user = try await user(request, context, may: .users)
        return try JSONBody.answer(SignOutAnswer(devices: try await users.signOut(user, at: service.clock.now)))
    }

    private func erase(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        let (user, caller) = try await userAndCaller(request, context, may: .users)
        let now = service.clock.now
        let deleted = try Self.asksForDevices(request) ? try await deleteDevices(of: user, at: now) : nil
        let erasure = try await users.erase(user, by: caller.actor, at: now)
        // A line of the log lasts longer than the user, so it does not name the user.
        var details: Logger.Metadata = [
            "devices": "\(erasure.devices)", "messages": "\(erasure.messages)", "app": "\(caller.app.topic)",
        ]
        if !erasure.copies.isEmpty { details["copies"] = "\(erasure.copies.joined(separator: ", "))" }
        context.logger.notice("a user was erased", metadata: details)
        return try JSONBody.answer(
            ErasureAnswer(
                user: user.id, erasedAt: now, devices: erasure.devices, messages: erasure.messages,
                inbox: erasure.inbox, deliveries: erasure.deliveries, remaining: erasure.remaining,
                copies: erasure.copies, deletedDevices: deleted))
    }

    private static func asksForDevices(_ request: Request) throws(Problem) -> Bool {
        switch request.uri.queryParameters.get("devices") {
        case nil, "false": return false
        case "true": return true
        default:
            throw .query("devices must be true, to delete the user's installations too, or false")
        }
    }

    /// Deletes the installations on which a user is signed in.
    ///
    /// An erasure that ended in between, and is repeated, finds those that are left.
    ///
    /// - Returns: the number of deleted installations.
    private func deleteDevices(of user: UserReference, at now: Timestamp) async throws -> Int {
        var count = 0
        while true {
            let found = try await users.devices(of: user, limit: ServiceLimits.devicesPerPage)
            guard !found.isEmpty else { return count }
            for device in found {
                if try await devices.delete(device.id, at: now) { count += 1 }
            }
        }
    }

    private func user(
        _ request: Request, _ context: ServiceRequestContext, may scope: APIScope
    ) async throws -> UserReference { try await userAndCaller(request, context, may: scope).user }

    /// Returns the user that the request's path names, and the calling backend.
    private func userAndCaller(
        _ request: Request, _ context: ServiceRequestContext, may scope: APIScope
    ) async throws -> (user: UserReference, caller: CallerAuthentication.Backend) {
        let caller = try await service.callers.backend(request, may: scope)
        guard let id = try context.parameters.require("id").removingPercentEncoding, UserID.isValid(id) else {
            throw Problem(.notFound, "no-such-user", "There is no such user", UserID.rule)
        }
        return (UserReference(id, of: caller.app.number), caller)
    }

    private static func selection(_ ids: [String]?, _ moment: Timestamp?) throws(Problem) -> ReadSelection {
        switch (ids, moment) {
        case (let ids?, nil): return .messages(try messages(ids))
        case (nil, let moment?): return .upTo(moment)
        default:
            throw .invalid(
                "", #"must have either "messages": the ids that were read, or "up_to": a time until which all were"#)
        }
    }

    private static func messages(_ ids: [String]) throws(Problem) -> [MessageID] {
        var messages: [MessageID] = []
        for (index, text) in ids.enumerated() {
            guard let id = try? MessageID(text) else {
                throw .invalid("/messages/\(index)", "is not a message's id")
            }
            messages.append(id)
        }
        return messages
    }
}
