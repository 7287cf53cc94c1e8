package dev.fairlead.domain.format;

import dev.fairlead.domain.format.DeviceFindings.Kind;
import dev.fairlead.domain.format.DeviceFindings.Signature;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Decides what to do with a device that is to be mounted: use the file system that is on it, make one, or refuse. It
 * makes one only if nothing at all speaks against it.
 */
public final class FormatGuard {
    private static final Set<String> EXT = Set.of("ext2", "ext3", "ext4", "ext4dev");

    private FormatGuard() {}

    /**
     * Holds all that is known of a device.
     *
     * @param born what the volume held when it was made
     * @param known the file system that this node has seen on the volume, or made on it
     * @param begun whether this node has begun to make a file system and does not know the end of it
     * @param host what the storage host knew of the volume when it was published
     */
    public record Evidence(DeviceFindings findings, Born born, Optional<Known> known, Begun begun, HostFinding host) {}

    /**
     * @param type empty if it is not known
     * @param uuid empty if it is not known
     */
    public record Known(String type, Optional<String> uuid) {
        private boolean isAnotherThan(Signature found) {
            return isAnotherType(found.type())
                    || (uuid.isPresent()
                            && found.uuid().isPresent()
                            && !uuid.get().equalsIgnoreCase(found.uuid().get()));
        }

        private boolean isAnotherType(String found) {
            return !type.isEmpty() && !family(type).equals(family(found));
        }

        /** Returns the one name of ext2, ext3 and ext4, which differ by features that may be turned on later. */
        private static String family(String type) {
            return EXT.contains(type) ? "ext" : type;
        }
    }

    /** Says whether this node began to make a file system on the volume without coming to the end. */
    public enum Begun {
        NO,
        /** It did, and it is not sure that the device is the same one. */
        ON_UNKNOWN_DEVICE,
        /** It did, on this very device, which it had proved empty before. */
        ON_THIS_DEVICE
    }

    /** Says what a volume held when it was made. */
    public enum Born {
        EMPTY,
        /** The content of a snapshot or of another volume. */
        COPIED,
        /** Unknown: the volume was made by a driver that does not tell. */
        UNTOLD
    }

    /** Answers what to do with a device. */
    public sealed interface Decision {
        /** Makes a file system. */
        record Format(Emptiness proof) implements Decision {}

        /** Uses the file system that is there. */
        record Use(String type, Optional<String> uuid) implements Decision {}

        /** Leaves the device alone. */
        record Refuse(Reason reason, String found) implements Decision {}
    }

    /** Tells for which reason a device is left alone; a metric label. */
    public enum Reason {
        PARTITIONED,
        FOREIGN,
        SEVERAL_SIGNATURES,
        NOT_BLANK,
        COPIED,
        KNOWN_BEFORE,
        ANOTHER_FILESYSTEM,
        HOST_SAYS_WRITTEN,
        INTERRUPTED
    }

    /** Decides by all of the evidence; whatever contradicts emptiness refuses. */
    public static Decision decide(Evidence evidence) {
        List<Signature> signatures = evidence.findings().signatures();
        boolean unfinished = signatures.stream().allMatch(it -> it.kind() == Kind.UNFINISHED);
        if (!unfinished) {
            // the type of a format that has not ended is what was wished for, and not what was seen
            return recognised(signatures, evidence.known().filter(_ -> evidence.begun() == Begun.NO));
        }
        if (evidence.begun() == Begun.ON_THIS_DEVICE && evidence.born() != Born.COPIED) {
            return new Decision.Format(
                    new Emptiness("this node proved it empty and began to format it; nothing finished is on it"));
        }
        if (!signatures.isEmpty() || !evidence.findings().zeros()) {
            return evidence.begun() != Begun.NO || !signatures.isEmpty()
                    ? refuse(Reason.INTERRUPTED, "what a mkfs left that was cut off, or data that was written since")
                    : refuse(Reason.NOT_BLANK, "data in which no file system is recognised");
        }
        if (evidence.known().isPresent() && evidence.begun() == Begun.NO) {
            return refuse(
                    Reason.KNOWN_BEFORE,
                    "nothing but zeros, although this node has had a "
                            + evidence.known().get().type() + " on it");
        }
        if (evidence.born() == Born.COPIED) {
            return refuse(Reason.COPIED, "nothing but zeros, although the volume was made with the content of another");
        }
        if (evidence.host() == HostFinding.WRITTEN) {
            return refuse(
                    Reason.HOST_SAYS_WRITTEN,
                    "nothing but zeros wherever it was read, although the storage host knew of data on it when the"
                            + " volume was published");
        }
        return new Decision.Format(new Emptiness("no signature, zeros wherever it was read, volume made "
                + (evidence.born() == Born.EMPTY ? "empty" : "by a driver that does not tell its content")
                + (evidence.host() == HostFinding.BLANK ? ", and blank to the storage host" : "")));
    }

    /**
     * Decides what to do with the last partition of a device: its file system is used, or it is left alone. Whoever
     * made the partition table has had plans for it, so it is never formatted, even if it is empty.
     *
     * @param known the file system that this node has seen on the volume
     */
    public static Decision decidePartition(DeviceFindings findings, Optional<Known> known) {
        return findings.signatures().isEmpty()
                ? refuse(Reason.PARTITIONED, "a partition table, and no file system in the last partition")
                : recognised(findings.signatures(), known);
    }

    private static Decision recognised(List<Signature> signatures, Optional<Known> known) {
        String found = String.join(
                ", ", signatures.stream().map(Signature::type).distinct().toList());
        if (signatures.stream().anyMatch(it -> it.kind() == Kind.PARTITION_TABLE)) {
            return refuse(Reason.PARTITIONED, found);
        }
        if (signatures.stream().anyMatch(it -> it.kind() == Kind.OTHER)) {
            return refuse(Reason.FOREIGN, found);
        }
        boolean mixed = signatures.stream().anyMatch(it -> it.kind() == Kind.UNFINISHED);
        if (mixed || signatures.stream().map(Signature::type).distinct().count() > 1) {
            return refuse(Reason.SEVERAL_SIGNATURES, found);
        }
        Signature only = signatures.getFirst();
        if (known.filter(it -> it.isAnotherThan(only)).isPresent()) {
            return refuse(
                    Reason.ANOTHER_FILESYSTEM,
                    named(only.type(), only.uuid()) + ", and this node knows the volume by "
                            + named(known.get().type(), known.get().uuid()));
        }
        return new Decision.Use(only.type(), only.uuid());
    }

    private static String named(String type, Optional<String> uuid) {
        return "a " + type + uuid.map(it -> " with the UUID " + it).orElse(" without a UUID");
    }

    private static Decision refuse(Reason reason, String found) {
        return new Decision.Refuse(reason, found);
    }
}
