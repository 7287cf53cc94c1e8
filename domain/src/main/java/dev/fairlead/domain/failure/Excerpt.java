package dev.fairlead.domain.failure;

/**
 * Makes text from outside fit to quote in a message: on one line, without control characters, and cut if it is long.
 */
public final class Excerpt {
    private static final int MAX_CHARS = 80;

    private Excerpt() {}

    /** Returns the text in single quotes, cut after 80 characters. */
    public static String of(String text) {
        return of(text, MAX_CHARS);
    }

    /**
     * Returns the text in single quotes, cut after {@code maxChars} characters; for texts that need more than the usual
     * 80.
     */
    public static String of(String text, int maxChars) {
        var shown = new StringBuilder("'");
        text.codePoints().limit(maxChars).forEach(c -> shown.appendCodePoint(isPlain(c) ? c : '?'));
        boolean cut = text.codePointCount(0, text.length()) > maxChars;
        return shown.append(cut ? "…'" : "'").toString();
    }

    private static boolean isPlain(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }
}
