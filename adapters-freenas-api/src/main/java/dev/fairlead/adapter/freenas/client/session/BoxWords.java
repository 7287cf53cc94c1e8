package dev.fairlead.adapter.freenas.client.session;

import dev.fairlead.adapter.freenas.client.ApiErrno;
import dev.fairlead.adapter.freenas.client.FieldError;
import java.util.List;

/** Makes a box's words fit to be shown, and sums up the fields of a refusal. */
public final class BoxWords {
    private static final int LONGEST = 600;

    private BoxWords() {}

    /** Returns the words on one line, without control characters, and cut if they are long. */
    public static String shown(String words) {
        StringBuilder shown = new StringBuilder();
        words.strip().codePoints().limit(LONGEST).forEach(c -> shown.appendCodePoint(c < ' ' || c == 0x7F ? ' ' : c));
        return words.strip().codePointCount(0, words.strip().length()) > LONGEST
                ? shown.append('…').toString()
                : shown.toString();
    }

    /** Returns the errno of a whole refusal: that of the first field that has one of its own. */
    public static ApiErrno errno(ApiErrno whole, List<FieldError> fields) {
        return fields.stream()
                .map(FieldError::errno)
                .filter(errno -> errno != ApiErrno.EINVAL)
                .findFirst()
                .orElse(whole);
    }
}
