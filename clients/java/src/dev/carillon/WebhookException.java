package dev.carillon;

/** A request is not a webhook of this service, or it is an old one that somebody repeats. Answer 401. */
public final class WebhookException extends CarillonException {
    private static final long serialVersionUID = 1;

    WebhookException(final String message) {
        super(message, null);
    }
}
