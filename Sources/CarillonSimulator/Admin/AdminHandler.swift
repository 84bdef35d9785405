import CarillonCore
import CarillonPage
import Foundation
import NIOCore
import NIOHTTP1

/// Handles one connection to the admin port.
final class AdminHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let api: @Sendable () -> AdminAPI?
    private let access: LocalAccess
    private var head: HTTPRequestHead?
    private var body = ByteBuffer()
    private var isTooLarge = false

    init(access: LocalAccess, api: @escaping @Sendable () -> AdminAPI?) {
        self.access = access
        self.api = api
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let received):
            head = received
            body.clear()
            isTooLarge = false
        case .body(var part):
            // Reads the body to its end, so that the client can read the answer.
            isTooLarge = isTooLarge || body.readableBytes + part.readableBytes > SimulatorLimits.adminBodyByteLimit
            if !isTooLarge { body.writeBuffer(&part) }
        case .end:
            guard let received = head else { return }
            head = nil
            guard !isTooLarge else {
                let limit = SimulatorLimits.adminBodyByteLimit
                return Self.write(
                    AdminProblem(413, "the body has more than \(limit) bytes: split the request"), to: context.channel)
            }
            answer(received, Data(body.readableBytesView), on: context.channel)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func answer(_ head: HTTPRequestHead, _ body: Data, on channel: any Channel) {
        if let refusal = refusal(of: head, hasBody: !body.isEmpty) {
            return Self.write(AdminProblem(refusal.status, refusal.detail), to: channel)
        }
        guard let api = api() else {
            return Self.write(AdminProblem(503, "the simulator is starting or has been shut down"), to: channel)
        }
        guard let request = AdminRequest(head, body: body) else {
            return Self.write(AdminProblem(400, "the path cannot be read"), to: channel)
        }
        // The future owns the task, which ends with the answer or with the stream.
        channel.eventLoop.makeFutureWithTask {
            do throws(AdminProblem) {
                await Self.write(try await api.answer(request), to: channel, simulator: api.simulator)
            } catch {
                Self.write(error, to: channel)
            }
        }.whenFailure { _ in channel.close(promise: nil) }
    }

    /// Refuses what another site's page has sent through a browser.
    ///
    /// A program need not say that its body is JSON, because only a browser can be made to send a form.
    private func refusal(of head: HTTPRequestHead, hasBody: Bool) -> LocalAccess.Refusal? {
        let request = LocalAccess.Request(
            host: head.headers.first(name: "host"), origin: head.headers.first(name: "origin"),
            fetchSite: head.headers.first(name: "sec-fetch-site"),
            contentType: head.headers.first(name: "content-type"))
        return access.refusal(of: request, needsJSON: hasBody && request.isFromBrowser)
    }

    private static func write(_ answer: AdminAnswer, to channel: any Channel, simulator: APNsSimulator) async {
        switch answer {
        case .nothing: write(Data(), status: .noContent, type: nil, to: channel)
        case .text(let text, let type): write(Data(text.utf8), status: .ok, type: type, to: channel)
        case .json(let json, let status):
            let text = (try? json.encoded(pretty: true)) ?? Data()
            write(text + Data("\n".utf8), status: .init(statusCode: status), type: "application/json", to: channel)
        case .page(let file):
            write(
                Data(file.bytes), status: .ok, type: file.mediaType, to: channel,
                further: PagePolicy.headers + [("Cache-Control", "no-cache"), ("X-Content-Type-Options", "nosniff")])
        case .inboxNews:
            let inbox = simulator.inbox
            await InboxStreamWriter(channel: channel).run(inbox.news(), newest: inbox.newest)
        case .events(let after): await EventStreamWriter(channel: channel).run(simulator.eventStream(), after: after)
        case .devices(let devices): await DeviceStreamWriter(channel: channel, fleet: simulator.devices).run(devices)
        }
    }

    private static func write(_ problem: AdminProblem, to channel: any Channel) {
        let json: JSONValue = ["status": .int(Int64(problem.status)), "detail": .string(problem.detail)]
        write(
            (try? json.encoded()) ?? Data(), status: .init(statusCode: problem.status),
            type: "application/problem+json", to: channel)
    }

    private static func write(
        _ body: Data, status: HTTPResponseStatus, type: String?, to channel: any Channel,
        further: [(name: String, value: String)] = []
    ) {
        var headers = HTTPHeaders(further.map { ($0.name, $0.value) })
        if let type { headers.add(name: "content-type", value: type) }
        if status != .noContent { headers.add(name: "content-length", value: "\(body.count)") }
        channel.write(
            HTTPServerResponsePart.head(.init(version: .http1_1, status: status, headers: headers)), promise: nil)
        if !body.isEmpty {
            channel.write(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: body))), promise: nil)
        }
        channel.writeAndFlush(HTTPServerResponsePart.end(nil), promise: nil)
    }
}
