package dev.carillon;

import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The entries of all pages. A page is fetched when the one before is used up; each iteration begins anew. */
public final class Pages<T> implements Iterable<T> {
    /** The entries of a page, and the cursor of the next one; null behind the last. */
    static final class Page<T> {
        final List<T> entries;
        final String next;

        Page(final List<T> entries, final String next) {
            this.entries = entries;
            this.next = next;
        }
    }

    private final Function<String, Page<T>> fetch;

    Pages(final Function<String, Page<T>> fetch) {
        this.fetch = fetch;
    }

    @Override
    public Iterator<T> iterator() {
        return new Iterator<T>() {
            private Iterator<T> page = Collections.emptyIterator();
            private String after;
            private boolean isDone;

            @Override
            public boolean hasNext() {
                while (!page.hasNext() && !isDone) {
                    final Page<T> fetched = fetch.apply(after);
                    page = fetched.entries.iterator();
                    after = fetched.next;
                    isDone = after == null;
                }
                return page.hasNext();
            }

            @Override
            public T next() {
                if (!hasNext()) throw new NoSuchElementException();
                return page.next();
            }
        };
    }

    public Stream<T> stream() {
        return StreamSupport.stream(spliterator(), false);
    }
}
