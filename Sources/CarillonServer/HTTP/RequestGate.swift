import CarillonCore
import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP1

/// A channel handler that guards a connection: it refuses requests that the service should not see, ends requests of slow
/// clients, and closes the connection.
final class RequestGate: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// The channel event that announces that the service is about to read the body of the request.
    struct WantsBody: Sendable {}

    private let line: LineWatch
    private let clock: any CarillonClock
    private var order = ConnectionOrder()
    private var isClosing = false
    private var time: ReadingTime
    /// The running timer, and the time at which it checks the client's deadline; `nil` if no timer runs.
    private var look: (at: NIODeadline, timer: Scheduled<Void>)?
    private let connections: OpenConnections

    init(line: LineWatch, clock: any CarillonClock, times: ConnectionTimes, connections: OpenConnections) {
        self.line = line
        self.clock = clock
        self.connections = connections
        time = ReadingTime(times)
    }

    // MARK: Time

    func channelActive(context: ChannelHandlerContext) {
        guard connections.take(context.channel) else { return context.close(promise: nil) }
        time.opened(at: context.eventLoop.now)
        watch(context)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        look?.timer.cancel()
        context.fireChannelInactive()
    }

    func read(context: ChannelHandlerContext) {
        time.awaits(at: context.eventLoop.now)
        watch(context)
        context.read()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        time.reads(context.channel.isWritable, at: context.eventLoop.now)
        watch(context)
        context.fireChannelWritabilityChanged()
    }

    /// Sets a timer for the client's next deadline.
    private func watch(_ context: ChannelHandlerContext) {
        guard let deadline = time.deadline, look.map({ $0.at > deadline }) ?? true else { return }
        look?.timer.cancel()
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        look = (
            deadline,
            context.eventLoop.scheduleTask(deadline: deadline) {
                let (gate, context) = bound.value
                gate.look = nil
                gate.checkTime(context)
            }
        )
    }

    private func checkTime(_ context: ChannelHandlerContext) {
        guard !isClosing, let deadline = time.deadline else { return }
        guard deadline <= context.eventLoop.now else { return watch(context) }
        guard time.isBody, context.channel.isWritable else { return context.close(promise: nil) }
        // The reader of the body then answers the request.
        order.ranOut()
        time.receivedAll()
        context.fireErrorCaught(BodyTimeout())
    }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var isHead = false
        let action: ConnectionOrder.Inbound
        let part = unwrapInboundIn(data)
        line.parsed(part)
        switch part {
        case .head(let head):
            isHead = head.method == .HEAD
            time.receivedHead()
            action = order.received(head)
        case .body(let bytes):
            time.received(bytes.readableBytes, at: context.eventLoop.now)
            action = order.receivedBody()
        case .end:
            time.receivedAll()
            action = order.receivedEnd()
        }
        switch action {
        case .pass: context.fireChannelRead(data)
        case .drop: break
        case .refuse(let problem): refuse(problem, hasBody: !isHead, context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let fault = error as? HTTPParserError else {
            // After a fault, the parser reports an error for each further piece of input.
            if error is ByteToMessageDecoderError { return }
            return context.fireErrorCaught(error)
        }
        switch order.failed(fault, isRequestLine: line.start.isRequestLine) {
        case .pass: context.fireErrorCaught(error)
        case .drop: break
        case .refuse(let problem): refuse(problem, hasBody: true, context)
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head):
            order.answers(&head)
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body: context.write(data, promise: promise)
        case .end:
            switch order.answered() {
            case .goOn:
                context.write(data, promise: promise)
                guard order.isIdle else { break }
                time.answered(at: context.eventLoop.now)
                watch(context)
            case .close: end(data, promise, context)
            case .refuse(let problem):
                context.write(data, promise: promise)
                refuse(problem, hasBody: true, context)
            }
        }
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard event is WantsBody else { return context.triggerUserOutboundEvent(event, promise: promise) }
        if order.wantsBody() {
            let head = HTTPResponseHead(version: .http1_1, status: .continue)
            context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
        }
        promise?.succeed()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if isClosing, let event = event as? ChannelEvent, event == .inputClosed {
            context.close(promise: nil)
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    private func refuse(_ problem: Problem, hasBody: Bool, _ context: ChannelHandlerContext) {
        let body = (try? CarillonJSON.encode(problem.document)) ?? Data()
        var headers: HTTPHeaders = [
            "content-type": "application/problem+json", "content-length": "\(body.count)", "connection": "close",
            "date": clock.now.httpDate,
        ]
        for field in problem.headers { headers.add(name: field.name.canonicalName, value: field.value) }
        let status = HTTPResponseStatus(statusCode: problem.status.code, reasonPhrase: problem.status.reasonPhrase)
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if hasBody { context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil) }
        end(wrapOutboundOut(.end(nil)), nil, context)
    }

    /// Writes the end of the last answer and closes the connection's output.
    ///
    /// The input stays open for a while: the system resets a connection that is closed with unread bytes, and the
    /// client may then lose the answer
    /// ([RFC 9112 §9.6](https://www.rfc-editor.org/rfc/rfc9112#section-9.6)).
    private func end(_ data: NIOAny, _ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext) {
        isClosing = true
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.cascade(to: promise)
        let bound = context.loopBound
        written.futureResult.whenComplete { _ in bound.value.close(mode: .output, promise: nil) }
        context.writeAndFlush(data, promise: written)
        context.eventLoop.scheduleTask(in: ServiceLimits.lingering) { bound.value.close(promise: nil) }
    }
}

extension Timestamp {
    /// The time in the format of HTTP headers ([RFC 9110 §5.6.7](https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7)).
    fileprivate var httpDate: String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let date = Date(timeIntervalSince1970: Double(millisecondsSince1970) / 1000)
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second, .weekday], from: date)
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        func two(_ number: Int?) -> String { ((number ?? 0) < 10 ? "0" : "") + "\(number ?? 0)" }
        let day = "\(days[((parts.weekday ?? 1) - 1) % 7]), \(two(parts.day)) \(months[((parts.month ?? 1) - 1) % 12])"
        return "\(day) \(parts.year ?? 1970) \(two(parts.hour)):\(two(parts.minute)):\(two(parts.second)) GMT"
    }
}
