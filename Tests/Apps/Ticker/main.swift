import UIKit

// An app as it was begun before there was `@main`: its entry point is this file.
UIApplicationMain(CommandLine.argc, CommandLine.unsafeArgv, nil, NSStringFromClass(TickerDelegate.self))
