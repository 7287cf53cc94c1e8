package dev.fairlead.adapter.local.pool.room;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Says how much of a pool's file system is not given to volumes.
 *
 * @param percent of the file system's size, 0 to 99; 0 if bytes are given
 */
public record Reserve(long bytes, int percent) {
    public static final Reserve NONE = new Reserve(0, 0);

    public static final String EXPECTED = "expected: bytes such as 10737418240 or 10Gi, or a part such as 5%";

    private static final Pattern FORM = Pattern.compile("([0-9]{1,15})(Ki|Mi|Gi|Ti|%)?");
    private static final List<String> UNITS = List.of("", "Ki", "Mi", "Gi", "Ti");
    private static final int MOST_PERCENT = 99;

    public static Reserve parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not an amount");
        }
        long number = Long.parseLong(form.group(1));
        String unit = form.group(2) == null ? "" : form.group(2);
        if (unit.equals("%")) {
            if (number > MOST_PERCENT) {
                throw new IllegalArgumentException(number + "% leaves nothing for volumes");
            }
            return new Reserve(0, (int) number);
        }
        try {
            return new Reserve(Math.multiplyExact(number, 1L << (10 * UNITS.indexOf(unit))), 0);
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("'" + text + "' is more than any disk holds", e);
        }
    }

    /** Returns the bytes that are kept of a file system of this size. */
    public long of(long total) {
        return bytes + Math.round(total / 100.0 * percent);
    }
}
