import Foundation
import Testing

@testable import CarillonServer

@Suite("Senders of one database that send to different APNs")
struct OtherPlacesTests {
    private func beat(_ number: Int64, _ beat: Int, _ place: String?, isDead: Bool = false) -> SenderBeat {
        SenderBeat(sender: SenderNumber(rawValue: number), beat: beat, isDead: isDead, place: place)
    }

    @Test("are found when the other one has given a sign of life, and no longer than it does")
    func living() {
        var places = OtherPlaces()
        #expect(places.observe([beat(1, 5, "there:443")], own: "here:443") == [], "it may be long gone")
        #expect(places.observe([beat(1, 6, "there:443")], own: "here:443") == ["there:443"])
        #expect(places.observe([beat(1, 6, "there:443")], own: "here:443") == [])
        #expect(places.observe([beat(1, 7, "there:443", isDead: true)], own: "here:443") == [])
    }

    @Test("are only those that tell another place than this one")
    func same() {
        var places = OtherPlaces()
        _ = places.observe([beat(1, 1, "here:443"), beat(2, 1, nil), beat(3, 1, "there:443")], own: "here:443")
        let living = [beat(1, 2, "here:443"), beat(2, 2, nil), beat(3, 2, "there:443")]
        #expect(places.observe(living, own: "here:443") == ["there:443"])
        #expect(places.observe(living.map { beat($0.sender.rawValue, 3, $0.place) }, own: nil) == [])
    }

    @Test("tell their place in their names, which are the names of files too")
    func names() {
        let random = Data([0xab, 0xcd])
        #expect(SenderName.text(random, place: nil) == "abcd" && SenderName.place(in: "abcd") == nil)
        let name = SenderName.text(random, place: "[::1]:2197")
        #expect(name == "abcd@[::1]:2197" && SenderName.place(in: name) == "[::1]:2197")
        let long = SenderName.text(random, place: String(repeating: "a/", count: 300))
        #expect(!long.contains("/") && long.utf8.count < 200)
    }
}
