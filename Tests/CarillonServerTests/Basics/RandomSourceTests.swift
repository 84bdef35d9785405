import Testing

@testable import CarillonServer

@Suite("Random numbers of the service")
struct RandomSourceTests {
    @Test(
        "a fraction is 0 at the least, just below 1 at the most, and between them as its first bits say",
        arguments: [
            ([0, 0, 0, 0, 0, 0, 0, 0], 0), ([0x80, 0, 0, 0, 0, 0, 0, 0], 0.5), ([0x40, 0, 0, 0, 0, 0, 0, 0], 0.25),
            ([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], 1.0.nextDown),
        ] as [([UInt8], Double)])
    func fraction(bytes: [UInt8], expected: Double) {
        #expect(RandomSource { Array(bytes.prefix($0)) }.fraction() == expected)
    }
}
