package dev.fairlead.adapter.node.share;

import dev.fairlead.application.config.Secret;
import dev.fairlead.application.port.out.node.Attach;
import dev.fairlead.domain.failure.Excerpt;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.mount.MountOptions;
import dev.fairlead.domain.mount.SelinuxContext;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Checks servers, paths and mount options. A PersistentVolume may be written by others than the operator, and what it
 * says becomes a word of a program that runs as root.
 */
public final class ShareValues {
    private static final String CONTEXT = "volume_context.";
    private static final String FLAGS = "mount_flags";
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0,252}");
    private static final Pattern IPV6 = Pattern.compile("[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*(%[A-Za-z0-9_.-]{1,15})?");

    /** Options by which mount(8) does something else than mounting, or gives up what protects the node. */
    private static final Set<String> REFUSED = Set.of(
            "suid",
            "dev",
            "bind",
            "rbind",
            "move",
            "remount",
            "loop",
            "user",
            "users",
            "owner",
            "group",
            "rshared",
            "shared",
            "rprivate",
            "private",
            "rslave",
            "slave",
            "unbindable",
            "runbindable");

    /** Others of that kind, those that name a secret, and those by which a file system takes a further device. */
    private static final Pattern REFUSED_BEGINNING = Pattern.compile(
            "(?i)(x-|helper=|uhelper=|loop=|offset=|pass|cred|device=|journal_dev=|journal_path=|logdev=|rtdev=).*");

    private ShareValues() {}

    /**
     * Returns a server as it stands before the colon of a source: an address of IPv6 in brackets.
     *
     * @throws StorageException {@code InvalidRequest}
     */
    public static String server(String key, String value) {
        String bare = value.startsWith("[") && value.endsWith("]") ? value.substring(1, value.length() - 1) : value;
        if (IPV6.matcher(bare).matches()) {
            return "[" + bare + "]";
        }
        if (!NAME.matcher(value).matches()) {
            throw invalid(CONTEXT + key, value, "a host name or an address");
        }
        return value;
    }

    /**
     * Returns an absolute path on a server, without a slash at its end.
     *
     * @throws StorageException {@code InvalidRequest}
     */
    public static String path(String key, String value) {
        boolean hostile = !value.startsWith("/")
                || value.indexOf(',') >= 0
                || value.chars().anyMatch(Character::isISOControl)
                || List.of(value.split("/", -1)).contains("..");
        if (hostile) {
            throw invalid(CONTEXT + key, value, "an absolute path without '..', commas and control characters");
        }
        String plain = value.replaceAll("/+$", "");
        return plain.isEmpty() ? "/" : plain;
    }

    /**
     * Returns mount options one by one; an item of the list may hold several, separated by commas.
     *
     * @param field where they come from, for the message
     * @throws StorageException {@code InvalidRequest}
     */
    public static List<String> options(String field, List<String> flags) {
        return MountOptions.of(field, flags).stream()
                .filter(option -> !option.equals("defaults"))
                .map(option -> checked(field, option))
                .toList();
    }

    /**
     * Returns the mount options of the volume, and after them those of its secret. Of options that contradict each
     * other the last counts, so one that is repeated has its last place.
     *
     * @throws StorageException {@code InvalidRequest}
     */
    public static List<String> options(Attach<?> request) {
        SequencedSet<String> options = new LinkedHashSet<>();
        options(FLAGS, request.capability().mountFlags()).forEach(options::addLast);
        Optional.ofNullable(request.secrets().get(FLAGS))
                .map(Secret::reveal)
                .ifPresent(flags -> options("secrets." + FLAGS, List.of(flags)).forEach(options::addLast));
        return List.copyOf(options);
    }

    /**
     * Refuses what no mount option of a device may be, in the flags of the volume and in those of its secret.
     *
     * @throws StorageException {@code InvalidRequest}
     */
    public static void checkFlags(Attach<?> request) {
        var _ = options(request);
    }

    /**
     * Returns the file system type that was asked for; the first known one if that is left open.
     *
     * @param kind what has such a type, for the message
     * @throws StorageException {@code InvalidRequest} if it is none of these
     */
    public static String fsType(Attach<?> request, List<String> known, String kind) {
        String type = request.capability().fsType().isEmpty()
                ? known.getFirst()
                : request.capability().fsType();
        if (!known.contains(type)) {
            String others = String.join(", ", known.subList(0, known.size() - 1));
            throw new StorageException(new Failure.InvalidRequest(
                    "volume_capability.mount.fs_type",
                    "'" + type + "' is not what " + kind + " has (expected: none" + (others.isEmpty() ? "" : ", ")
                            + others + " or " + known.getLast() + ")"));
        }
        return type;
    }

    /** Checks one option; a backslash at its end would make some versions of mount(8) add the next one to it. */
    private static String checked(String field, String option) {
        if (option.indexOf('"') >= 0 && !SelinuxContext.isQuoted(option)) {
            throw invalid(
                    field,
                    option.replaceAll("[=\"].*", "=…"),
                    "double quotes only around all of an SELinux context, such as"
                            + " context=\"system_u:object_r:container_file_t:s0:c1,c2\"");
        }
        boolean hostile = option.startsWith("-")
                || option.endsWith("\\")
                || option.chars().anyMatch(it -> Character.isISOControl(it) || Character.isWhitespace(it))
                || REFUSED.contains(option)
                || REFUSED_BEGINNING.matcher(option).matches();
        if (hostile) {
            throw invalid(
                    field,
                    option.replaceAll("=.*", "=…"),
                    "an option of the file system; this one is not allowed in a volume");
        }
        return option;
    }

    private static StorageException invalid(String field, String value, String expected) {
        return new StorageException(
                new Failure.InvalidRequest(field, Excerpt.of(value) + " (expected: " + expected + ")"));
    }
}
