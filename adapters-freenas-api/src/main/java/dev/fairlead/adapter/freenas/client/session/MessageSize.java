package dev.fairlead.adapter.freenas.client.session;

/**
 * Bounds the number of values in a message: as objects in memory they take many times the bytes of the message, which
 * this process would not survive.
 */
public final class MessageSize {
    private static final int MOST = 1 << 20;

    /** Each reason begins with it, also the socket's for a message of too many bytes. */
    private static final String MORE = "a message of more than ";

    private MessageSize() {}

    /** Says whether a message has few enough values; colons and commas within texts count too. */
    public static boolean isBearable(String text) {
        long values = 0;
        for (int i = 0; i < text.length(); i++) {
            switch (text.charAt(i)) {
                case ',', ':', '{', '[' -> values++;
                default -> {}
            }
        }
        return values <= MOST;
    }

    /** Returns what such a message is called in a failure. */
    public static String tooMuch() {
        return MORE + MOST + " values";
    }

    /** Says whether a session ended since the box sent too much: the same question would be answered the same. */
    public static boolean isTooMuch(String why) {
        return why.startsWith(MORE);
    }
}
