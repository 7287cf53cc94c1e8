package dev.fairlead.domain.failure;

/** Text from outside as a message may quote it: on one line, without control characters, and cut where it is long. */
public final class Excerpt {
    private static final int MAX_CHARS = 80;

    private Excerpt() {}

    /** The text in single quotes. */
    public static String of(String text) {
        return of(text, MAX_CHARS);
    }

    /** The text in single quotes, where it is known to say more than a few words. */
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
