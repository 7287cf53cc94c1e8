package dev.fairlead.lab.soak.audit;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * One thing that a volume may leave.
 *
 * @param place the machine that it is on
 * @param name what tells it from others of its kind there
 */
public record LeftOver(Kind kind, String place, String name) implements Comparable<LeftOver> {
    /** The last line of what a machine says, without which it did not say all. */
    private static final String END = "end";

    /** Each kind, and whether volumes have it while they are in use. */
    public enum Kind {
        POD("pod", true),
        CLAIM("PersistentVolumeClaim", true),
        VOLUME("PersistentVolume", true),
        ATTACHMENT("VolumeAttachment", false),
        DATASET("dataset or zvol", true),
        SNAPSHOT("snapshot", false),
        NFS_EXPORT("NFS export", true),
        SAVED_NFS_EXPORT("saved NFS export", false),
        SMB_SHARE("SMB share", true),
        ISCSI_TARGET("iSCSI target", true),
        ISCSI_BACKSTORE("iSCSI backstore", true),
        SAVED_ISCSI("saved iSCSI target or backstore", true),
        NVME_SUBSYSTEM("NVMe subsystem", true),
        SAVED_NVME("saved NVMe subsystem", true),
        MOUNT("mount on a node", true),
        ISCSI_SESSION("iSCSI session", true),
        ISCSI_RECORD("iSCSI record of a node", false),
        NVME_CONTROLLER("NVMe controller", true),
        JOURNAL_ENTRY("journal entry", true),
        KUBELET_FOLDER("folder of kubelet", true),
        STUCK_PROCESS("process that is stuck", false);

        private final String words;
        private final boolean inUse;

        Kind(String words, boolean inUse) {
            this.words = words;
            this.inUse = inUse;
        }

        public String words() {
            return words;
        }

        /** Says whether some of it are seen while volumes of each protocol are in use, or the audit is blind. */
        public boolean isInUse() {
            return inUse;
        }
    }

    /**
     * Reads what a machine's script has printed: a kind and a name on each line, divided by a tab, and "end".
     *
     * <p>Throws if anything else is there or the end is missing, since what was not looked at is not known to be
     * absent.
     */
    static SortedSet<LeftOver> of(String place, String printed) {
        List<String> lines = new ArrayList<>(printed.lines().toList());
        if (lines.isEmpty() || !lines.removeLast().equals(END)) {
            throw new IllegalArgumentException(place + " did not tell all: " + printed);
        }
        SortedSet<LeftOver> found = new TreeSet<>();
        for (String line : lines) {
            String[] parts = line.split("\t", 2);
            if (parts.length != 2) {
                throw new IllegalArgumentException(place + " said '" + line + "' (expected: kind, tab, name)");
            }
            found.add(new LeftOver(Kind.valueOf(parts[0].toUpperCase(Locale.ROOT)), place, parts[1]));
        }
        return found;
    }

    /**
     * Returns what the storage host's file says of this once somebody saves it, if its kind is saved there: the host's
     * tools save all that runs, also what was there before the soak.
     */
    Optional<LeftOver> saved() {
        return switch (kind) {
            case ISCSI_TARGET, ISCSI_BACKSTORE -> Optional.of(new LeftOver(Kind.SAVED_ISCSI, place, name));
            case NVME_SUBSYSTEM -> Optional.of(new LeftOver(Kind.SAVED_NVME, place, name));
            default -> Optional.empty();
        };
    }

    @Override
    public int compareTo(LeftOver other) {
        int byKind = kind.compareTo(other.kind);
        int byPlace = byKind != 0 ? byKind : place.compareTo(other.place);
        return byPlace != 0 ? byPlace : name.compareTo(other.name);
    }

    @Override
    public String toString() {
        return kind.words() + " at " + place + ": " + name;
    }
}
