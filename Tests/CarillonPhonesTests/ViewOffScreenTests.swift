import CarillonDevice
import Foundation
import Testing

@testable import CarillonPhones

@Suite("Views beside the screen")
struct ViewOffScreenTests {
    @Test("of a long list in a view that clips, only the rows in view are sent")
    func rows() throws {
        let rows = try (0..<1000).map { try Self.view($0 + 10, y: Double($0) * 50, height: 50) }
        let list = try Self.view(2, y: 100, height: 400, clips: true, children: rows)
        let screen = try Self.view(0, y: 0, height: 800, clips: true, children: [list]).withoutWhatIsOffScreen
        #expect(screen.children[0].children.map(\.id) == Array(10..<18))
    }

    @Test(
        "a view is left out where it touches the screen from outside, and stays when it is moved a point inwards, on each side",
        arguments: [(-393.0, 100.0, 1.0, 0.0), (393, 100, -1, 0), (0, -50, 0, 1), (0, 800, 0, -1)])
    func sides(x: Double, y: Double, right: Double, down: Double) throws {
        func shown(x: Double, y: Double) throws -> [Int] {
            let view = try Self.view(2, x: x, y: y, height: 50)
            return try Self.view(0, y: 0, height: 800, clips: true, children: [view]).withoutWhatIsOffScreen.children
                .map(\.id)
        }
        #expect(try shown(x: x, y: y) == [])
        #expect(try shown(x: x + right, y: y + down) == [2])
    }

    @Test("a view off the screen stays when its subviews may be on it")
    func shiftedParent() throws {
        let child = try Self.view(3, y: 900, height: 50)
        let parent = try Self.view(2, y: -900, height: 10, children: [child])
        let screen = try Self.view(0, y: 0, height: 800, clips: true, children: [parent]).withoutWhatIsOffScreen
        #expect(screen.children.first?.children.map(\.id) == [3])
    }

    @Test("what a transform may bring into view stays")
    func transformed() throws {
        let moved = try Self.view(2, y: 2000, height: 10, transform: [1, 0, 0, 1, 0, -1500])
        let screen = try Self.view(0, y: 0, height: 800, clips: true, children: [moved]).withoutWhatIsOffScreen
        #expect(screen.children.map(\.id) == [2])
    }

    private static func view(
        _ id: Int, x: Double = 0, y: Double, height: Double, clips: Bool = false, transform: [Double]? = nil,
        children: [ViewSnapshot] = []
    ) throws -> ViewSnapshot {
        let json = """
            {"id": \(id), "kind": "view", "frame": {"x": \(x), "y": \(y), "width": 393, "height": \(height)}, "alpha": 1,
             "cornerRadius": 0, "clips": \(clips), "isTappable": false, "isEnabled": true, "children": []}
            """
        var view = try JSONDecoder().decode(ViewSnapshot.self, from: Data(json.utf8))
        view.transform = transform
        view.children = children
        return view
    }
}
