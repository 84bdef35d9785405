package dev.carillon;

/** All errors of this package, except those of a wrong argument. */
public abstract class CarillonException extends RuntimeException {
    private static final long serialVersionUID = 1;

    CarillonException(final String message, final Throwable cause) {
        super(message, cause);
    }
}
