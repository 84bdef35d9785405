import Foundation
import Testing

@testable import CommandSupport

@Suite("Standard output")
struct StandardOutputTests {
    @Test("a text is written at once, with a line break")
    func writes() throws {
        let pipe = Pipe()
        try StandardOutput.write("Zwei Töne", to: .init(descriptor: pipe.fileHandleForWriting.fileDescriptor))
        #expect(pipe.fileHandleForReading.availableData == Data("Zwei Töne\n".utf8))
    }

    @Test("a reader that went away is told apart from every other failure")
    func closedPipe() throws {
        signal(SIGPIPE, SIG_IGN)
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()
        #expect {
            try StandardOutput.write("x", to: .init(descriptor: pipe.fileHandleForWriting.fileDescriptor))
        } throws: { error in
            guard case StandardOutput.WriteError.closed = error else { return false }
            return true
        }
        let full = try FileHandle(forWritingTo: URL(fileURLWithPath: "/dev/full"))
        #expect {
            try StandardOutput.write("x", to: .init(descriptor: full.fileDescriptor))
        } throws: { "\($0)" == "standard output cannot be written: No space left on device" }
    }
}
