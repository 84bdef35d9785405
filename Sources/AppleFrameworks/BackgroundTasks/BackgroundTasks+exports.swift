// Apple's BackgroundTasks brings Foundation along.
@_exported import Foundation
