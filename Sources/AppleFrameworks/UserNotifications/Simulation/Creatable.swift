import Foundation

/// Makes objects of classes that are known only when the program runs, as UIKit makes an app's delegate.
///
/// Swift calls `init()` of such a class only if it is `required`, which Apple's classes do not ask of an app's. But every
/// subclass of `NSObject` has its `init()` at one place of its method table, `NSObject`'s own, and a required `init()` is
/// called through that place. So the class is taken for a subclass of this one for the length of that call.
@_spi(Simulation) open class Creatable: NSObject {
    // `open`, so that the compiler cannot know which classes there are, and must look into the table.
    public required override init() { super.init() }

    /// Calls `type.init()`. As on iOS, the program ends with an explanation if the class has no such initialiser.
    public final class func make<Object: NSObject>(_ type: Object.Type) -> Object {
        let object: AnyObject = unsafeBitCast(type, to: Creatable.Type.self).init()
        return unsafeDowncast(object, to: type)
    }
}
