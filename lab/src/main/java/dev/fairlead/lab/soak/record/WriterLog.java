package dev.fairlead.lab.soak.record;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tells what a pod with {@link WriterScript} has printed.
 *
 * @param found the lines of the file as the pod found them
 * @param whole whether the pod has read all of the file
 * @param kept the number of the last record that it was told is kept; 0 if there is none yet
 * @param kibibytes the size of the file system as the pod saw it last; 0 if it has not yet
 */
public record WriterLog(List<String> found, boolean whole, long kept, long kibibytes) {
    private static final String FOUND = "found ";
    private static final Pattern KEPT = Pattern.compile("kept ([0-9]{1,12})");
    private static final Pattern SIZE = Pattern.compile("\\S+ +([0-9]{1,15}) +[0-9]+ +-?[0-9]+ +\\S+ +/data");

    public WriterLog {
        found = List.copyOf(found);
    }

    /** Reads a log; lines of other forms, such as a program's complaint, are passed over. */
    public static WriterLog of(String log) {
        List<String> found = new ArrayList<>();
        boolean whole = false;
        long kept = 0;
        long kibibytes = 0;
        for (String line : log.lines().toList()) {
            Matcher keeps = KEPT.matcher(line);
            Matcher size = SIZE.matcher(line);
            if (line.startsWith(FOUND)) {
                found.add(line.substring(FOUND.length()));
            } else if (line.equals("whole")) {
                whole = true;
            } else if (keeps.matches()) {
                kept = Long.parseLong(keeps.group(1));
            } else if (size.matches()) {
                kibibytes = Long.parseLong(size.group(1));
            }
        }
        return new WriterLog(found, whole, kept, kibibytes);
    }
}
