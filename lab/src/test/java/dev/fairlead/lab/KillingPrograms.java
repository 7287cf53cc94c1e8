package dev.fairlead.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Programs of the machine behind scripts that note each start, and kill who starts one of them where that is asked for.
 */
final class KillingPrograms {
    /** Programs that ask for a version alone, at a driver's start, do not count. */
    private static final String SCRIPT = """
            #!/bin/sh
            name=${0##*/}
            PATH=@PATH@
            case $* in '' | -V | --version | version) exec "$name" "$@" ;; esac
            exec 9>>@DIR@/lock
            flock 9
            echo "$name $*" >>@DIR@/started
            if [ -e @DIR@/nth ] && [ "$(wc -l <@DIR@/started)" = "$(cat @DIR@/nth)" ]; then
              kill -9 $PPID
              [ ! -e @DIR@/instead ] || exit 1
            fi
            exec 9>&-
            exec "$name" "$@"
            """;

    private static final List<String> NAMES = List.of(
            "zfs",
            "btrfs",
            "mount",
            "umount",
            "blkid",
            "wipefs",
            "losetup",
            "mkfs.ext4",
            "mkfs.xfs",
            "e2fsck",
            "fsck.ext4",
            "resize2fs",
            "xfs_growfs",
            "xfs_repair");

    private static final Pattern DEVICE = Pattern.compile("/dev/loop\\d+");
    private static final Pattern WORD = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    private final Path folder;

    private KillingPrograms(Path folder) {
        this.folder = folder;
    }

    /** When the driver dies, seen from the program that it starts. */
    enum Death {
        /** It starts, and its program does nothing. */
        INSTEAD_OF,
        /** Its program goes on alone. */
        BESIDE
    }

    /** Returns those of a driver that runs the machine's own. */
    static KillingPrograms none(Path folder) {
        return new KillingPrograms(programs(folder));
    }

    /** Makes the scripts, before the driver of this folder is started. */
    static KillingPrograms make(Path folder) throws IOException {
        Path programs = Files.createDirectories(programs(folder));
        for (String name : NAMES) {
            String script = SCRIPT.replace("@PATH@", machine()).replace("@DIR@", programs.toString());
            Path file = Files.writeString(programs.resolve(name), script);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        return new KillingPrograms(programs);
    }

    /** Returns the search path of a driver in this folder, if it has such programs. */
    static Optional<String> path(Path folder) {
        Path programs = programs(folder);
        return Files.isDirectory(programs) ? Optional.of(programs + ":" + machine()) : Optional.empty();
    }

    private static Path programs(Path folder) {
        return folder.resolve("programs");
    }

    private static String machine() {
        return System.getenv("PATH");
    }

    /** Has who starts the nth program from now on killed. */
    void arm(Death death, int nth) throws IOException {
        disarm();
        if (death == Death.INSTEAD_OF) {
            Files.createFile(folder.resolve("instead"));
        }
        Files.writeString(folder.resolve("nth"), Integer.toString(nth));
    }

    /** Forgets what was started, and kills nobody. */
    void disarm() throws IOException {
        for (String file : List.of("nth", "instead", "started")) {
            Files.deleteIfExists(folder.resolve(file));
        }
    }

    /** Returns the programs that were started, with their words but for what no two runs share. */
    List<String> started() throws IOException {
        Path file = folder.resolve("started");
        return Files.exists(file)
                ? Files.readAllLines(file).stream().map(KillingPrograms::form).toList()
                : List.of();
    }

    private static String form(String line) {
        return DEVICE.matcher(WORD.matcher(line).replaceAll("UUID")).replaceAll("/dev/loopN");
    }
}
