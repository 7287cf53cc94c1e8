package dev.fairlead.bootstrap.options;

/** Says that a command line cannot be used; the message is one line with the remedy. */
public final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UsageException(String message) {
        super(message);
    }
}
