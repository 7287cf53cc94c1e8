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
import java.util.Set;

/**
 * Names a directory of an SMB share.
 *
 * @param server a name or an address, without brackets
 * @param names the names of the folders below the share, outermost first
 */
public record SmbLocation(String server, String share, List<String> names) implements ShareLocation {
    private static final Set<String> TYPES = Set.of("cifs", "smb3");

    /** The longest path that the kernel takes as the source of a mount, with room for its other options. */
    private static final int MOST = 2048;

    public SmbLocation {
        names = List.copyOf(names);
    }

    /**
     * Returns the directory of an attachment.
     *
     * @throws StorageException {@code InvalidRequest}
     */
    public static SmbLocation of(Attachment.Smb attachment) {
        String server = ShareValues.server("server", attachment.server());
        String bare = server.startsWith("[") ? server.substring(1, server.length() - 1) : server;
        List<String> names = names(attachment.share());
        if (names.isEmpty()
                || attachment.share().length() > MOST
                || names.stream().anyMatch(SmbLocation::isHostile)) {
            throw new StorageException(new Failure.InvalidRequest(
                    "volume_context.share",
                    Excerpt.of(attachment.share()) + " (expected: the name of a share, and perhaps folders below it"
                            + " after slashes; without '..', backslashes, commas and control characters)"));
        }
        return new SmbLocation(bare, names.getFirst(), names.subList(1, names.size()));
    }

    private static List<String> names(String path) {
        return Arrays.stream(path.split("/", -1))
                .filter(name -> !name.isEmpty())
                .toList();
    }

    /** Returns whether a name leads elsewhere, or would become an option of the mount: a comma has no escape there. */
    private static boolean isHostile(String name) {
        return name.equals("..")
                || name.equals(".")
                || name.isBlank()
                || name.chars().anyMatch(it -> it == ',' || it == '\\' || Character.isISOControl(it));
    }

    public static boolean isSmb(MountEntry mount) {
        return TYPES.contains(mount.fsType());
    }

    /**
     * Returns what a mount shows; empty if it is not of SMB. The kernel shares one file system between mounts of one
     * share, and then names the source of the first of them for all; the directory is told by the root.
     */
    public static Optional<SmbLocation> of(MountEntry mount) {
        return isSmb(mount)
                ? of(mount.source())
                        .map(it -> mount.root().equals("/")
                                ? it
                                : new SmbLocation(it.server, it.share, names(mount.root())))
                : Optional.empty();
    }

    /** Returns what the source of a mount names; empty if it is not of SMB. */
    public static Optional<SmbLocation> of(String source) {
        List<String> names = names(source.replace('\\', '/'));
        return names.size() < 2
                ? Optional.empty()
                : Optional.of(new SmbLocation(names.getFirst(), names.get(1), names.subList(2, names.size())));
    }

    /** Returns the source of a mount. */
    public String source() {
        return "//" + server + "/" + path();
    }

    private String path() {
        return names.isEmpty() ? share : share + "/" + String.join("/", names);
    }

    public Attachment.Smb attachment() {
        return new Attachment.Smb(server, path());
    }

    @Override
    public boolean isShownBy(MountEntry mount) {
        return on(mount).filter(names::equals).isPresent();
    }

    @Override
    public boolean holds(MountEntry mount) {
        return on(mount)
                .filter(it ->
                        it.size() >= names.size() && it.subList(0, names.size()).equals(names))
                .isPresent();
    }

    /**
     * Returns the names of the folders that a mount of this share shows; empty if it is of none, or of another. Names
     * of servers and shares are the same in capital letters.
     */
    private Optional<List<String>> on(MountEntry mount) {
        return of(mount)
                .filter(it -> folded(server).equals(folded(it.server))
                        && folded(share).equals(folded(it.share)))
                .map(SmbLocation::names);
    }

    private static String folded(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
