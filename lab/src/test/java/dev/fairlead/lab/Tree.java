package dev.fairlead.lab;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a folder holds and what is mounted below another, as text: a comparer that shares nothing with the driver. */
final class Tree {
    private Tree() {}

    /** Paths, kinds, modes, owners, sizes and checksums; times are left out, since a retry is later. */
    static String of(Path folder) throws IOException {
        return of(folder, false);
    }

    /** The same; of images whose file systems are made anew, and differ in that, the sizes alone. */
    static String of(Path folder, boolean formatted) throws IOException {
        TreeMap<String, String> lines = new TreeMap<>();
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.toList()) {
                lines.put(folder.relativize(path).toString(), describe(path, formatted && path.endsWith("disk.img")));
            }
        }
        return lines.entrySet().stream()
                .map(e -> e.getKey() + " " + e.getValue())
                .collect(Collectors.joining("\n"));
    }

    private static String describe(Path path, boolean formatted) throws IOException {
        Map<String, Object> facts = Files.readAttributes(path, "unix:mode,uid,gid", LinkOption.NOFOLLOW_LINKS);
        String common = "%o %s:%s".formatted((Integer) facts.get("mode"), facts.get("uid"), facts.get("gid"));
        if (Files.isSymbolicLink(path)) {
            return common + " -> " + Files.readSymbolicLink(path);
        }
        if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
            return common + " " + (formatted ? Files.size(path) : checksum(path));
        }
        return common;
    }

    private static String checksum(Path path) throws IOException {
        byte[] content = Files.readAllBytes(path);
        if (path.endsWith(".fairlead/owner")) {
            // Each base folder that is made has a random text of its own.
            content = new String(content, StandardCharsets.UTF_8)
                    .replaceAll("(\"base\": *\")[^\"]*", "$1RANDOM")
                    .getBytes(StandardCharsets.UTF_8);
        }
        if (path.endsWith("volume.zfs") || path.toString().endsWith(".json")) {
            content = CrashDatasets.withoutNames(new String(content, StandardCharsets.UTF_8))
                    .getBytes(StandardCharsets.UTF_8);
        }
        if (path.toString().endsWith(".json")) {
            // The moment of birth and the number of the project differ between two runs, and nothing else does.
            content = new String(content, StandardCharsets.UTF_8)
                    .replaceAll("(\"project\": *\"?)\\d+", "$1NUMBER")
                    .replaceAll("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z", "TIME")
                    .getBytes(StandardCharsets.UTF_8);
        }
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content)) + " "
                    + content.length;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Removes a folder, where it is there, and all that is in it. */
    static void remove(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> all = Files.walk(folder)) {
                for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
    }

    /** The mounts below a folder: what is visible where, with which options. */
    static String mountsBelow(Path folder) throws IOException {
        return mounts(folder)
                .map(words -> words[3] + " at " + words[4] + " " + words[5])
                .sorted()
                .collect(Collectors.joining("\n"));
    }

    /** Takes off what is mounted below a folder, the last first. */
    static void unmountBelow(Path folder) throws IOException {
        List<String> points = mounts(folder).map(words -> words[4]).toList();
        for (String point : points.reversed()) {
            var _ = new ProcessBuilder("umount", point)
                    .inheritIO()
                    .start()
                    .onExit()
                    .join();
        }
    }

    private static Stream<String[]> mounts(Path folder) throws IOException {
        return Files.readAllLines(Path.of("/proc/self/mountinfo")).stream()
                .map(line -> line.split(" ", -1))
                .filter(words -> words[4].startsWith(folder + "/"));
    }
}
