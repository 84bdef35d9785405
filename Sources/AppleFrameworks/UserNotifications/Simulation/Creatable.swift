import Foundation

/// A maker of objects whose class is known only at run time, such as an app's delegate.
///
/// Swift calls `init()` of such a class only if it is `required`, which app classes need not declare. But every subclass of
/// `NSObject` has its `init()` at the same position of its method table, and a required `init()` is called through that
/// position. So ``make(_:)`` treats each class as a subclass of `Creatable`.
@_spi(Simulation) open class Creatable: NSObject {
    // `open`, so that the compiler cannot know all subclasses and must use the method table.
    public required override init() { super.init() }

    /// Calls `type.init()`. As on iOS, the program stops with an explanation if the class has no such initializer.
    public final class func make<Object: NSObject>(_ type: Object.Type) -> Object {
        let object: AnyObject = unsafeBitCast(type, to: Creatable.Type.self).init()
        return unsafeDowncast(object, to: type)
    }
}
