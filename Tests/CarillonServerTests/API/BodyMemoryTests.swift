import Testing

@testable import CarillonServer

@Suite("The memory for the bodies of all calls")
struct BodyMemoryTests {
    private static let limit = 16 << 20
    private static let network = IPAddress("192.0.2.7")

    /// Takes pieces of 64 KiB until one is refused, and returns how many bytes were taken.
    private func fill(_ memory: BodyMemory, _ caller: BodyMemory.Caller, from address: IPAddress? = network) -> Int {
        var body = BodyMemory.Body(caller: caller, network: address)
        while memory.take(64 << 10, for: &body) {}
        return body.bytes
    }

    @Test("one network's phones fill an eighth, all phones three quarters, and unknown callers a quarter")
    func phones() {
        let memory = BodyMemory(limit: Self.limit)
        #expect(fill(memory, .installation) == Self.limit / 8)
        #expect(fill(memory, .unknown) == 0, "of the same network")
        var unknown = 0
        var known = Self.limit / 8
        for index in 0..<20 { unknown += fill(memory, .unknown, from: IPAddress("10.0.0.\(index)")) }
        for index in 0..<20 { known += fill(memory, .installation, from: IPAddress("10.0.1.\(index)")) }
        #expect(unknown == Self.limit / 4 && unknown + known == Self.limit / 4 * 3)
        #expect(fill(memory, .key("a")) == Self.limit / 4, "what is reserved for backends")
    }

    @Test("one API key fills half, and leaves the rest to others")
    func keys() {
        let memory = BodyMemory(limit: Self.limit)
        #expect(fill(memory, .key("a")) == Self.limit / 2)
        #expect(fill(memory, .key("b")) == Self.limit / 2)
        #expect(fill(memory, .installation) == 0)
    }

    @Test("what was given back can be taken again")
    func giveBack() {
        let memory = BodyMemory(limit: Self.limit)
        for caller in [BodyMemory.Caller.unknown, .installation, .key("a")] {
            var body = BodyMemory.Body(caller: caller, network: Self.network)
            for _ in 0..<3 {
                #expect(memory.take(1 << 20, for: &body))
                memory.giveBack(body)
                body.bytes = 0
            }
        }
        #expect(fill(memory, .key("b")) == Self.limit / 2)
    }

    @Test("the largest body has room in the smallest memory that an operator may set")
    func smallest() {
        for (caller, size) in [
            (BodyMemory.Caller.unknown, ServiceLimits.installationBodyBytes),
            (.installation, ServiceLimits.appBodyBytes),
            (.key("a"), ServiceLimits.backendBodyBytes),
        ] {
            var body = BodyMemory.Body(caller: caller, network: Self.network)
            #expect(BodyMemory(limit: 1 << 20).take(size, for: &body), "\(caller)")
        }
    }
}
