import CarillonCore
import Foundation
import FoundationNetworking
import Synchronization

/// A phone's connection to an APNs simulator in another process, through the simulator's admin port.
///
/// `carillon apns-simulator` writes the port's URL into `simulator.json` as `admin_url`; docs/simulator.md describes the
/// protocol. If the connection breaks while the phone is online, this object reopens the connection after a second. Until then
/// the simulator stores pushes, as APNs does.
///
/// Differs from iOS: the payload arrives as an equal JSON value, but not byte for byte.
public final class AdminPushLink: PushLink {
    private let adminURL: URL
    private let clock: any CarillonClock
    private let streams = Mutex<[String: PushStream]>([:])

    /// Makes a connection, which opens when the phone calls ``connect(phone:deliver:)``.
    ///
    /// - Parameters:
    ///   - adminURL: the URL of the admin port, such as `http://127.0.0.1:40123`.
    ///   - clock: the clock for the pause before a reconnection: real time, unless the simulator also uses a virtual clock.
    public init(adminURL: URL, clock: any CarillonClock) {
        self.adminURL = adminURL
        self.clock = clock
    }

    /// Asks the simulator for a device token.
    ///
    /// - Parameter request: the app and the phone.
    /// - Returns: the token.
    /// - Throws: an error that names the simulator's address, if the simulator cannot be reached or refuses.
    public func deviceToken(for request: TokenRequest) async throws -> Data {
        let body: JSONValue = [
            "topic": .string(request.topic), "environment": .string(request.environment.rawValue),
            "new": .bool(request.isNew),
        ]
        let answer = try await send("POST", url(["devices", request.phone, "tokens"]), body)
        guard let text = answer["token"]?.stringValue, let token = DeviceToken(hex: text) else {
            throw LinkError(description: "The simulator at \(adminURL) gave no device token: is it of this version?")
        }
        return token.data
    }

    /// Tells the simulator which broadcast channels the app on the phone follows.
    ///
    /// - Parameters:
    ///   - channels: the channels' IDs; empty to follow none.
    ///   - bundleID: the app.
    ///   - phone: the phone's ID.
    /// - Throws: an error that names an unknown channel, or the simulator's address if the simulator cannot be reached.
    public func follow(_ channels: [String], of bundleID: String, phone: String) async throws {
        let body: JSONValue = [
            "topic": .string(bundleID), "channels": .array(channels.map { .string($0) }),
        ]
        _ = try await send("PUT", url(["devices", phone, "channels"]), body)
    }

    /// Tells the simulator that a token is invalid; does nothing if the simulator cannot be reached.
    public func invalidate(_ token: Data) async {
        guard let token = DeviceToken(token) else { return }
        // If the simulator cannot be reached, the phone still deletes the app, and the token stays valid until the simulator
        // ends.
        _ = try? await send("DELETE", url(["tokens", token.hex]))
    }

    /// Connects the phone to the simulator.
    ///
    /// This method returns when the simulator lists the phone as online, or when the first attempt to connect has failed.
    ///
    /// - Parameters:
    ///   - phone: the phone's ID.
    ///   - deliver: called with each push, on any thread.
    public func connect(phone: String, deliver: @escaping @Sendable (IncomingPush) -> Void) async {
        let stream = PushStream(url: url(["devices", phone, "pushes"]), clock: clock, deliver: deliver)
        streams.withLock { $0.updateValue(stream, forKey: phone) }?.close()
        await stream.open()
    }

    /// Disconnects the phone, which receives no push after this method has returned.
    ///
    /// - Parameter phone: the phone's ID.
    public func disconnect(phone: String) async {
        streams.withLock { $0.removeValue(forKey: phone) }?.close()
    }

    /// The reason why a request to the simulator failed, and the remedy.
    struct LinkError: Error, CustomStringConvertible {
        let description: String
    }

    private func url(_ path: [String]) -> URL { path.reduce(adminURL) { $0.appending(component: $1) } }

    private func send(_ method: String, _ url: URL, _ body: JSONValue? = nil) async throws -> JSONValue {
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.httpBody = try body?.encoded()
        let session = URLSession(configuration: .ephemeral)
        defer { session.finishTasksAndInvalidate() }
        let (data, response): (Data, URLResponse)
        do {
            (data, response) = try await session.data(for: request)
        } catch {
            throw LinkError(
                description: "The simulator's admin port does not answer at \(adminURL): \(error.localizedDescription)")
        }
        let answer = (try? JSONValue(parsing: data)) ?? .null
        guard let status = (response as? HTTPURLResponse)?.statusCode, (200..<300).contains(status) else {
            let detail = answer["detail"]?.stringValue ?? "no reason given"
            throw LinkError(description: "The simulator at \(adminURL) refused \(method) \(url.path): \(detail)")
        }
        return answer
    }
}
