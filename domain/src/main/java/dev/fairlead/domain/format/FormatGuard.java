package dev.fairlead.domain.format;

import dev.fairlead.domain.format.DeviceFindings.Kind;
import dev.fairlead.domain.format.DeviceFindings.Signature;
import java.util.List;
import java.util.Optional;

/**
 * Decides what to do with a device that is to be mounted: use the file system that is on it, make one, or refuse. It
 * makes one only if nothing at all speaks against it.
 */
public final class FormatGuard {
    private FormatGuard() {}

    /**
     * Holds all that is known of a device.
     *
     * @param born what the volume held when it was made
     * @param known the type of the file system that this node has seen on the volume, or made on it
     * @param interrupted whether this node began to make a file system on it and the end of that is not known
     * @param host what the storage host found on the volume; empty if it was not asked
     */
    public record Evidence(
            DeviceFindings findings,
            Born born,
            Optional<String> known,
            boolean interrupted,
            Optional<HostFinding> host) {}

    /** Says what a volume held when it was made. */
    public enum Born {
        EMPTY,
        /** The content of a snapshot or of another volume. */
        COPIED,
        /** Unknown: the volume was made by a driver that does not tell. */
        UNTOLD
    }

    /** Says what the storage host found on a volume. */
    public enum HostFinding {
        BLANK,
        WRITTEN
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
        HOST_SAYS_WRITTEN,
        INTERRUPTED
    }

    /** Decides by all of the evidence; whatever contradicts emptiness refuses. */
    public static Decision decide(Evidence evidence) {
        List<Signature> signatures = evidence.findings().signatures();
        if (!signatures.isEmpty()) {
            return recognised(signatures);
        }
        if (!evidence.findings().zeros()) {
            return evidence.interrupted()
                    ? refuse(
                            Reason.INTERRUPTED,
                            "what a mkfs left that was cut off on this node, or data that was written since")
                    : refuse(Reason.NOT_BLANK, "data in which no file system is recognised");
        }
        if (evidence.known().isPresent() && !evidence.interrupted()) {
            return refuse(
                    Reason.KNOWN_BEFORE,
                    "nothing but zeros, although this node has had a "
                            + evidence.known().get() + " on it");
        }
        if (evidence.born() == Born.COPIED) {
            return refuse(Reason.COPIED, "nothing but zeros, although the volume was made with the content of another");
        }
        if (evidence.host().filter(HostFinding.WRITTEN::equals).isPresent()) {
            return refuse(Reason.HOST_SAYS_WRITTEN, "nothing but zeros, although the storage host finds data on it");
        }
        return new Decision.Format(new Emptiness("no signature, zeros at both ends, volume made "
                + (evidence.born() == Born.EMPTY ? "empty" : "by a driver that does not tell its content")));
    }

    private static Decision recognised(List<Signature> signatures) {
        String found = String.join(
                ", ", signatures.stream().map(Signature::type).distinct().toList());
        if (signatures.stream().anyMatch(it -> it.kind() == Kind.PARTITION_TABLE)) {
            return refuse(Reason.PARTITIONED, found);
        }
        if (signatures.stream().anyMatch(it -> it.kind() == Kind.OTHER)) {
            return refuse(Reason.FOREIGN, found);
        }
        if (signatures.stream().map(Signature::type).distinct().count() > 1) {
            return refuse(Reason.SEVERAL_SIGNATURES, found);
        }
        Signature only = signatures.getFirst();
        return new Decision.Use(only.type(), only.uuid());
    }

    private static Decision refuse(Reason reason, String found) {
        return new Decision.Refuse(reason, found);
    }
}
