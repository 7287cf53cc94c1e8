package dev.fairlead.bootstrap.options;

/** A command line that cannot be followed; the message is one line with its remedy. */
public final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UsageException(String message) {
        super(message);
    }
}
