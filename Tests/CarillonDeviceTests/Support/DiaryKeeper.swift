import UIKit

/// What an app delegate of these tests has in common with the others: a diary that the test reads.
///
/// It conforms to no delegate protocol itself: a method that only a subclass has would not be called then.
class DiaryKeeper: UIResponder {
    let diary: Diary

    init(_ diary: Diary) {
        self.diary = diary
        super.init()
    }

    override init() {
        diary = Diary()
        super.init()
    }
}
