import Foundation
import Testing

@testable import CarillonServer

#if canImport(Glibc)
    import Glibc
#endif

@Suite("A lock that a process holds")
struct HeldFileLockTests {
    @Test(
        "one holder at a time; who releases it leaves it to the next, even while a program that starts has its descriptor"
    )
    func released() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let path = folder.url.appending(path: "lock").path
        var lock = try HeldFileLock(path: path, creating: true)
        #expect(lock != nil)
        #expect(try HeldFileLock(path: path, creating: true) == nil)
        let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        let name = names.first {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
        }
        let descriptor = try #require(name.flatMap { Int32($0) })
        let copy = dup(descriptor)
        defer { close(copy) }
        lock = nil
        lock = try HeldFileLock(path: path, creating: true)
        #expect(lock != nil)
    }
}
