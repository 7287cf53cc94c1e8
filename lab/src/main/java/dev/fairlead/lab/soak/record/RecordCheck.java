package dev.fairlead.lab.soak.record;

import java.util.ArrayList;
import java.util.List;

/**
 * Tells how the records that were read differ from those that were written.
 *
 * <p>Records are in order, and a batch that failed is written again, so a number may come again but none is left out. A
 * cut may leave the beginning of a record. Anything else is wrong.
 *
 * @param last the number up to which every record is there
 * @param lost how many of the records are missing that were said to be kept
 * @param torn how many records are there in part
 * @param wrong the lines that no writer of this volume has written
 */
public record RecordCheck(long last, long lost, int torn, List<String> wrong) {
    public RecordCheck {
        wrong = List.copyOf(wrong);
    }

    /**
     * Compares lines with what a volume's pods have written.
     *
     * @param kept the number of the last record that was said to be kept
     */
    public static RecordCheck of(RecordText text, List<String> lines, long kept) {
        long last = 0;
        int torn = 0;
        List<String> wrong = new ArrayList<>();
        for (String line : lines) {
            long number = number(line);
            if (line.isEmpty()) {
                continue;
            }
            if (number >= 1 && number <= last + 1 && line.equals(text.line(number))) {
                last = Math.max(last, number);
            } else if (isBeginning(text, line, last)) {
                torn++;
            } else {
                wrong.add("'" + line + "' where " + (last + 1) + " was expected");
            }
        }
        return new RecordCheck(last, Math.max(0, kept - last), torn, wrong);
    }

    private static long number(String line) {
        String first = line.substring(0, (line + " ").indexOf(' '));
        return first.matches("[0-9]{1,12}") ? Long.parseLong(first) : 0;
    }

    private static boolean isBeginning(RecordText text, String line, long last) {
        for (long number = last + 1; number >= 1; number--) {
            if (text.line(number).startsWith(line)) {
                return true;
            }
        }
        return false;
    }
}
