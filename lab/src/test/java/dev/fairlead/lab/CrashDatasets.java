package dev.fairlead.lab;

import static dev.fairlead.lab.abuse.machine.Shell.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A ZFS pool of one test, and what the driver has made in it as {@code zfs} and its mounts show it. */
final class CrashDatasets {
    private static final Path POOLS = Path.of("/proc/spl/kstat/zfs");
    private static final String OWNER = "dev.fairlead:owner";
    private static final String COLUMNS = "name,type,refquota,readonly,mounted,origin,defer_destroy," + OWNER;

    /** Names that no two runs share. */
    private static final Pattern NAME = Pattern.compile("fairlead-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    private CrashDatasets() {}

    static void createPool(Path folder, Path at, Path disk) throws IOException, InterruptedException {
        run("zpool", "create", "-m", at.toString(), pool(folder), disk.toString());
    }

    /** Destroys the pool, if this kernel has it. */
    static void destroyPool(Path folder) throws IOException, InterruptedException {
        if (Files.exists(POOLS.resolve(pool(folder)))) {
            run("zpool", "destroy", "-f", pool(folder));
        }
    }

    private static String pool(Path folder) {
        return "kills-" + folder.getFileName().toString().toLowerCase(Locale.ROOT);
    }

    /**
     * Each dataset and snapshot with its properties, and the content of those that are not mounted.
     *
     * @param base the pool's folder of volumes, two levels below the test's
     */
    static String of(Path base) throws IOException, InterruptedException {
        Path folder = base.resolve("../..").normalize();
        List<String> lines = run("zfs", "list", "-Hp", "-t", "all", "-o", COLUMNS, "-r", pool(folder))
                .lines()
                .skip(1)
                .toList();
        Map<String, String> names = names(lines);
        List<String> facts = new ArrayList<>();
        for (String line : lines) {
            facts.add(named(line, names));
            String[] columns = line.split("\t", -1);
            if (columns[1].equals("filesystem") && columns[4].equals("no")) {
                facts.add(content(columns[0], folder, named(columns[0], names)));
            }
        }
        return facts.stream().sorted().collect(Collectors.joining("\n"));
    }

    /** Returns the owner of each dataset by the random part of its name. */
    private static Map<String, String> names(List<String> lines) {
        Map<String, String> owners = new TreeMap<>();
        for (String line : lines) {
            String[] columns = line.split("\t", -1);
            String name = columns[0].substring(columns[0].lastIndexOf('/') + 1);
            if (NAME.matcher(name).matches()) {
                owners.put(name, "of-" + columns[columns.length - 1]);
            }
        }
        return owners;
    }

    private static String named(String text, Map<String, String> names) {
        return NAME.matcher(text).replaceAll(match -> names.getOrDefault(match.group(), "of-none"));
    }

    private static String content(String dataset, Path folder, String name) throws IOException, InterruptedException {
        Path at = Files.createDirectories(folder.resolve("look"));
        run("mount", "-t", "zfs", "-o", "ro", dataset, at.toString());
        try {
            return name + " holds:\n" + Tree.of(at);
        } finally {
            run("umount", at.toString());
            Files.delete(at);
        }
    }

    /** Returns a text without the names that no two runs share. */
    static String withoutNames(String text) {
        return NAME.matcher(text).replaceAll("DATASET");
    }
}
