package dev.fairlead.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** Unmounts what an interrupted walk left mounted below the demo's folder. */
final class DemoMounts {
    private static final Path TABLE = Path.of("/proc/self/mountinfo");
    private static final int MOUNT_POINT = 4;
    private static final Pattern ESCAPED = Pattern.compile("\\\\([0-7]{3})");

    private DemoMounts() {}

    static void removeBelow(Path folder) throws IOException, InterruptedException {
        if (!Files.isReadable(TABLE)) {
            return;
        }
        for (Path mounted : below(folder, Files.readAllLines(TABLE)).reversed()) {
            Process umount = new ProcessBuilder("umount", mounted.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            var _ = umount.waitFor(10, TimeUnit.SECONDS);
        }
    }

    /** Returns the mount points below the folder, in the order in which they were mounted. */
    static List<Path> below(Path folder, List<String> table) {
        return table.stream()
                .map(line -> line.split(" ", -1))
                .filter(fields -> fields.length > MOUNT_POINT)
                .map(fields -> Path.of(decoded(fields[MOUNT_POINT])))
                .filter(point -> point.startsWith(folder) && !point.equals(folder))
                .toList();
    }

    private static String decoded(String field) {
        return ESCAPED.matcher(field)
                .replaceAll(match -> java.util.regex.Matcher.quoteReplacement(
                        Character.toString(Integer.parseInt(match.group(1), 8))));
    }
}
