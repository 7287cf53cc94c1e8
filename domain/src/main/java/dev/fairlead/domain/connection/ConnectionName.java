package dev.fairlead.domain.connection;

import java.util.regex.Pattern;

/**
 * Name of a connection: its file's base name.
 *
 * <p>Letters, digits, {@code .}, {@code _} and {@code -}, starting with a letter or digit, at most 63 characters: so a
 * name never leaves the connections folder and never holds the {@code /} that ends it in a handle. Every volume handle
 * carries the name, so it cannot change while volumes exist; over {@value #COMFORTABLE} characters, handles grow long.
 */
public record ConnectionName(String value) implements Comparable<ConnectionName> {
    // Before SINGLE, whose construction needs it.
    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");

    /** Names longer than this draw a warning: snapshot handles hold them twice over the CSI limit of 128 bytes. */
    public static final int COMFORTABLE = 20;

    /** The name inside Fairlead of the only connection where the main file is itself a driver's file. */
    public static final ConnectionName SINGLE = new ConnectionName("default");

    public ConnectionName {
        if (!FORM.matcher(value).matches()) {
            throw new IllegalArgumentException("connection: '" + printable(value)
                    + "' (expected: 1 to 63 letters, digits, '.', '_' or '-', starting with a letter or digit)");
        }
    }

    public static boolean isValid(String value) {
        return FORM.matcher(value).matches();
    }

    private static String printable(String value) {
        String cut = value.length() > 80 ? value.substring(0, 80) + "…" : value;
        return cut.replaceAll("\\p{Cntrl}", "?");
    }

    @Override
    public int compareTo(ConnectionName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
