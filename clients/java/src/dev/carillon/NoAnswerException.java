package dev.carillon;

/**
 * No complete answer came: the service is away, too slow, the connection broke, or the thread was interrupted (its flag is set
 * then). The call may have been made or not.
 */
public final class NoAnswerException extends CarillonException {
    private static final long serialVersionUID = 1;

    NoAnswerException(final String message, final Throwable cause) {
        super(message, cause);
    }
}
