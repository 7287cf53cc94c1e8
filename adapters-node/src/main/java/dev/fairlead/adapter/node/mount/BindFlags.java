package dev.fairlead.adapter.node.mount;

import static dev.fairlead.linux.MountCalls.ATTR_ATIME;
import static dev.fairlead.linux.MountCalls.ATTR_IDMAP;
import static dev.fairlead.linux.MountCalls.ATTR_NOATIME;
import static dev.fairlead.linux.MountCalls.ATTR_NODEV;
import static dev.fairlead.linux.MountCalls.ATTR_NODIRATIME;
import static dev.fairlead.linux.MountCalls.ATTR_NOEXEC;
import static dev.fairlead.linux.MountCalls.ATTR_NOSUID;
import static dev.fairlead.linux.MountCalls.ATTR_NOSYMFOLLOW;
import static dev.fairlead.linux.MountCalls.ATTR_RDONLY;
import static dev.fairlead.linux.MountCalls.ATTR_STRICTATIME;

import dev.fairlead.domain.mount.MountOptions;
import java.util.ArrayList;
import java.util.List;

/**
 * Translates mount flags into attributes of a bind mount.
 *
 * <p>Flags that are not named stay as they are at the source, so a {@code nosuid} there is kept. Of two flags that
 * contradict each other the last counts, as in mount(8), except that {@code ro} always wins: a class may say {@code rw}
 * and a pod ask for reading only.
 *
 * @param set attributes to switch on
 * @param clear attributes to switch off, or the mask of those of which {@code set} names one
 * @param passedOver flags without a meaning for a bind mount, such as {@code nfsvers=4}: they are the file system's own
 *     and were given when it was mounted
 */
record BindFlags(long set, long clear, List<String> passedOver) {
    private static final long ALL =
            ATTR_RDONLY | ATTR_NOSUID | ATTR_NODEV | ATTR_NOEXEC | ATTR_ATIME | ATTR_NODIRATIME | ATTR_NOSYMFOLLOW;

    BindFlags {
        passedOver = List.copyOf(passedOver);
    }

    static BindFlags of(List<String> flags) {
        List<String> single = MountOptions.of("volume_capability.mount.mount_flags", flags);
        BindFlags wanted = new BindFlags(0, 0, List.of());
        for (String flag : single) {
            wanted = wanted.with(flag);
        }
        return single.contains("ro") ? wanted.on(ATTR_RDONLY) : wanted;
    }

    private BindFlags with(String flag) {
        return switch (flag) {
            case "ro" -> on(ATTR_RDONLY);
            case "rw" -> off(ATTR_RDONLY);
            case "nosuid" -> on(ATTR_NOSUID);
            case "suid" -> off(ATTR_NOSUID);
            case "nodev" -> on(ATTR_NODEV);
            case "dev" -> off(ATTR_NODEV);
            case "noexec" -> on(ATTR_NOEXEC);
            case "exec" -> off(ATTR_NOEXEC);
            case "nosymfollow" -> on(ATTR_NOSYMFOLLOW);
            case "symfollow" -> off(ATTR_NOSYMFOLLOW);
            case "nodiratime" -> on(ATTR_NODIRATIME);
            case "diratime" -> off(ATTR_NODIRATIME);
            case "noatime" -> oneOf(ATTR_ATIME, ATTR_NOATIME);
            case "strictatime" -> oneOf(ATTR_ATIME, ATTR_STRICTATIME);
            case "relatime", "atime", "norelatime", "nostrictatime" -> oneOf(ATTR_ATIME, 0);
            case "defaults", "bind" -> this;
            default -> passingOver(flag);
        };
    }

    private BindFlags on(long attribute) {
        return new BindFlags(set | attribute, clear & ~attribute, passedOver);
    }

    private BindFlags off(long attribute) {
        return new BindFlags(set & ~attribute, clear | attribute, passedOver);
    }

    private BindFlags oneOf(long mask, long attribute) {
        return new BindFlags((set & ~mask) | attribute, clear | mask, passedOver);
    }

    private BindFlags passingOver(String flag) {
        List<String> more = new ArrayList<>(passedOver);
        more.add(flag);
        return new BindFlags(set, clear, more);
    }

    boolean changesNothing() {
        return set == 0 && clear == 0;
    }

    /** Returns the attributes of a bind mount whose source has these. */
    long applyTo(long attributes) {
        return (attributes & ~clear) | set;
    }

    /** Returns whether a mount with these options has the flags asked for. */
    boolean inForce(List<String> options) {
        long now = attributesOf(options);
        return applyTo(now) == now;
    }

    /**
     * Returns whether binding a source with these options makes the same mount as those flags would, whatever the order
     * of the flags.
     */
    boolean makeSameAs(BindFlags others, List<String> source) {
        long attributes = attributesOf(source);
        return applyTo(attributes) == others.applyTo(attributes);
    }

    /** Returns only what is asked for about reading and writing. */
    BindFlags onlyAccess() {
        return new BindFlags(set & ATTR_RDONLY, clear & ATTR_RDONLY, List.of());
    }

    /** Returns the attributes for per-mount options, as the mount table spells them. */
    static long attributesOf(List<String> options) {
        BindFlags read = new BindFlags(0, 0, List.of());
        for (String option : options) {
            read = read.with(option);
        }
        boolean strict = !options.contains("noatime") && !options.contains("relatime");
        return (read.set & ALL) | (strict ? ATTR_STRICTATIME : 0);
    }

    /** Returns attributes as options, in the mount table's spelling and order. */
    static List<String> optionsOf(long attributes) {
        List<String> options = new ArrayList<>();
        options.add((attributes & ATTR_RDONLY) != 0 ? "ro" : "rw");
        addIf(options, attributes & ATTR_NOSUID, "nosuid");
        addIf(options, attributes & ATTR_NODEV, "nodev");
        addIf(options, attributes & ATTR_NOEXEC, "noexec");
        addIf(options, attributes & ATTR_NOATIME, "noatime");
        addIf(options, attributes & ATTR_NODIRATIME, "nodiratime");
        if ((attributes & ATTR_ATIME) == 0) {
            options.add("relatime");
        }
        addIf(options, attributes & ATTR_NOSYMFOLLOW, "nosymfollow");
        addIf(options, attributes & ATTR_IDMAP, "idmapped");
        return options;
    }

    private static void addIf(List<String> options, long bit, String option) {
        if (bit != 0) {
            options.add(option);
        }
    }

    /** Returns the same attributes as {@code MS_*} flags, for kernels without {@code mount_setattr}. */
    static long legacy(long attributes) {
        long flags = attributes & (ATTR_RDONLY | ATTR_NOSUID | ATTR_NODEV | ATTR_NOEXEC); // these have the same bits
        flags |= (attributes & ATTR_NODIRATIME) != 0 ? 0x800 : 0;
        flags |= (attributes & ATTR_NOSYMFOLLOW) != 0 ? 0x100 : 0;
        long atime = attributes & ATTR_ATIME;
        if (atime == ATTR_NOATIME) {
            return flags | 0x400;
        }
        return flags | (atime == ATTR_STRICTATIME ? 0x1000000 : 0x200000);
    }
}
