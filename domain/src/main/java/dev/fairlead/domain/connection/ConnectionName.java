package dev.fairlead.domain.connection;

import java.util.regex.Pattern;

/**
 * Names a connection: the base name of its file.
 *
 * <p>A name has the characters of a key of a Kubernetes Secret before its {@code .yaml}: letters, digits, {@code .},
 * {@code _} and {@code -}. It does not start with a dot, since hidden files are no connections. So a name never leaves
 * the connections folder and never holds the {@code /} that ends it in a handle. Every volume handle carries the name,
 * so it cannot change while volumes exist; over {@value #COMFORTABLE} characters, handles grow long.
 */
public record ConnectionName(String value) implements Comparable<ConnectionName> {
    // This stands before SINGLE, whose construction needs it.
    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]{0,249}");

    /** The form of a name, in words. A file's name has at most 255 bytes, of which five are {@code .yaml}. */
    public static final String EXPECTED = "1 to 250 letters, digits, '.', '_' or '-', the first not a '.'";

    /** Names longer than this draw a warning: snapshot handles hold them twice over the CSI limit of 128 bytes. */
    public static final int COMFORTABLE = 20;

    /** The name, inside Fairlead, of the only connection if the main file is itself a driver's file. */
    public static final ConnectionName SINGLE = new ConnectionName("default");

    public ConnectionName {
        if (!FORM.matcher(value).matches()) {
            throw new IllegalArgumentException("connection: '" + printable(value) + "' (expected: " + EXPECTED + ")");
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
