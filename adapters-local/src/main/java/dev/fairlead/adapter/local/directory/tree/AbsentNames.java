package dev.fairlead.adapter.local.directory.tree;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Tells whether a mount remembers for a while which names are absent, so that this machine does not see what another
 * one has made there meanwhile.
 */
public final class AbsentNames {
    /** The options against it, as the kernel shows {@code lookupcache=positive} and {@code none}. */
    private static final List<String> ASKED = List.of("lookupcache=pos", "lookupcache=none");

    private static final int DEVICE = 2;

    private AbsentNames() {}

    /**
     * Returns whether a folder is on NFS that was mounted without an option against it.
     *
     * @param mounts the mounts of this process, as in {@code /proc/self/mountinfo}
     */
    public static boolean areRemembered(Path folder, Path mounts) throws IOException {
        long device = ((Number) Files.getAttribute(folder, "unix:dev")).longValue();
        long major = (device >>> 8 & 0xfff) | (device >>> 32 & ~0xfffL);
        long minor = (device & 0xff) | (device >>> 12 & ~0xffL);
        String number = major + ":" + minor;
        return Files.readAllLines(mounts, StandardCharsets.ISO_8859_1).stream()
                .map(line -> List.of(line.split(" ", -1)))
                .anyMatch(mount -> mount.size() > DEVICE && mount.get(DEVICE).equals(number) && isNfsThatDoes(mount));
    }

    /**
     * Returns whether a mount is one of NFS without an option against it; after a dash come type, source and options.
     */
    private static boolean isNfsThatDoes(List<String> mount) {
        List<String> system = mount.subList(mount.indexOf("-") + 1, mount.size());
        return system.getFirst().startsWith("nfs")
                && Arrays.stream(system.getLast().split(",")).noneMatch(ASKED::contains);
    }
}
