// Empty on purpose. Swift Testing declares a module of this name that is imported wherever a test imports both Testing
// and UIKit; on Apple's platforms it attaches pictures to tests. On Linux nobody provides it, and without it such a test
// does not compile.
