import CarillonCore
import CarillonDevice
import Foundation
import TestSupport
import Testing
import UserNotifications

@testable import CarillonApp
@testable import CarillonMessaging

/// iOS terminates an extension that takes more than about 24 MB.
///
/// The memory is measured in a process of its own, because other tests run in this one at the same time.
@MainActor
@Suite("The memory of the service extension")
struct ExtensionMemoryTests {
    static let byteLimit = 24 << 20
    /// The largest image that may be attached.
    ///
    /// Foundation on Linux has no back pressure: of a video of 50 MB more may wait for a busy machine to write it than iOS
    /// would accept.
    static let pictureByteCount = 10 << 20
    nonisolated private static let isMeasuring = "CARILLON_MEASURES_ITSELF"

    @Test("the largest picture is attached, and the process grows by less than an extension may have in all")
    func measuredInAProcessOfItsOwn() async throws {
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
        let run = try await ProgramRun.of(
            URL(fileURLWithPath: "/usr/bin/env"),
            [
                "\(Self.isMeasuring)=1", program, "--testing-library", "swift-testing", "--filter",
                "ExtensionMemoryTests/attachesAPicture",
            ])
        #expect(run.status == 0 && run.transcript.contains("1 test in 1 suite passed"), "\(run.transcript)")
    }

    @Test(
        "attaches a picture",
        .enabled(if: ProcessInfo.processInfo.environment[isMeasuring] != nil, "measured by the other"))
    func attachesAPicture() async throws {
        let server = try WebServer([
            "/small.png": .zeros(1 << 10),
            "/large.png": .zeros(Self.pictureByteCount),
        ])
        defer { server.stop() }
        try await AppFixture.run { fixture in
            try await HostExtension.suspended(fixture, .init())
            // What is loaded once, such as the libraries of the network, is there before anything is measured.
            try await fixture.visible("m1", media: server.url("/small.png").absoluteString)
            try Self.forgetPeak()
            let before = try Self.residentByteCount("VmRSS")
            try await fixture.visible("m2", media: server.url("/large.png").absoluteString)
            let growth = try Self.residentByteCount("VmHWM") - before
            let shown = fixture.phone.deliveredNotifications(of: AppFixture.bundleID).first {
                $0.request.identifier == "m2"
            }
            #expect(shown?.request.content.attachments.count == 1)
            #expect(growth < Self.byteLimit, "it grew by \(growth >> 10) KiB")
        }
    }

    /// [proc(5)](https://man7.org/linux/man-pages/man5/proc_pid_clear_refs.5.html): 5 resets the peak.
    private static func forgetPeak() throws { try Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs")) }

    private static func residentByteCount(_ name: String) throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("\(name):") })
        return try #require(line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) }) << 10
    }
}
