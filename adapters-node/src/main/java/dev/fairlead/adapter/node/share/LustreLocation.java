package dev.fairlead.adapter.node.share;

import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Excerpt;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Names a directory of a Lustre file system.
 *
 * @param servers the management server, as {@code mount.lustre} takes it: network ids of one server divided by commas,
 *     servers by colons
 * @param path the name of the file system, and perhaps folders below it
 */
public record LustreLocation(String servers, String path) implements ShareLocation {
    private static final Pattern NID = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0,252}(@[a-z][a-z0-9]{0,31})?");
    private static final Pattern ADDRESS = Pattern.compile("[0-9.]+(@.*)?");
    private static final String TYPE = "lustre";
    private static final int MOST = 1024;

    /**
     * Returns the directory of an attachment.
     *
     * @throws StorageException {@code InvalidRequest}
     */
    public static LustreLocation of(Attachment.Lustre attachment) {
        String servers = attachment.server();
        if (servers.length() > MOST
                || !nids(servers).stream().allMatch(it -> NID.matcher(it).matches())) {
            throw new StorageException(new Failure.InvalidRequest(
                    "volume_context.server",
                    Excerpt.of(servers) + " (expected: network ids such as 10.0.0.1@tcp, divided by colons)"));
        }
        String path = ShareValues.path("share", attachment.share());
        if (path.equals("/")) {
            throw new StorageException(new Failure.InvalidRequest(
                    "volume_context.share", "/ (expected: the name of the file system after the slash)"));
        }
        return new LustreLocation(servers, path);
    }

    public static boolean isLustre(MountEntry mount) {
        return mount.fsType().equals(TYPE);
    }

    /** Returns what a mount shows; empty if it is not of Lustre. */
    public static Optional<LustreLocation> of(MountEntry mount) {
        return isLustre(mount) ? of(mount.source()) : Optional.empty();
    }

    /** Returns what the source of a mount names; empty if it is not of Lustre. */
    public static Optional<LustreLocation> of(String source) {
        int end = source.indexOf(":/");
        return end > 0
                ? Optional.of(new LustreLocation(
                        source.substring(0, end), source.substring(end + 1).replaceAll("/+$", "")))
                : Optional.empty();
    }

    public String source() {
        return servers + ":" + path;
    }

    public Attachment.Lustre attachment() {
        return new Attachment.Lustre(servers, path);
    }

    @Override
    public boolean isShownBy(MountEntry mount) {
        return of(mount).filter(it -> path.equals(it.path) && hasServersOf(it)).isPresent();
    }

    @Override
    public boolean holds(MountEntry mount) {
        return of(mount)
                .filter(it -> (it.path + "/").startsWith(path + "/") && hasServersOf(it))
                .isPresent();
    }

    /**
     * Returns whether a mount may be of these servers. The kernel shows addresses in place of names; so of servers that
     * are names only the file system tells, and a node can mount no two of one name.
     */
    private boolean hasServersOf(LustreLocation mounted) {
        boolean named =
                nids(servers).stream().anyMatch(it -> !ADDRESS.matcher(it).matches());
        return named || plain(servers).equals(plain(mounted.servers));
    }

    private static List<String> nids(String servers) {
        return Arrays.asList(servers.split("[:,]", -1));
    }

    /** Returns network ids as the kernel writes them: the network is told always, and the first one has no number. */
    private static List<String> plain(String servers) {
        return nids(servers).stream()
                .map(it -> it.toLowerCase(Locale.ROOT))
                .map(it -> it.contains("@") ? it.replaceFirst("(@[a-z]+)0$", "$1") : it + "@tcp")
                .toList();
    }
}
