package dev.fairlead.domain.affinity;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Decides when a change of affinity may be made. A widening may be made at once, since no node loses the volume; any
 * other change waits until the source has given the same answer for a while, and until no attachment names a node that
 * would lose the volume.
 *
 * @param settle the time over which a source has to give equal answers
 */
public record ChangeRules(Duration settle) {
    public static final ChangeRules USUAL = new ChangeRules(Duration.ofSeconds(30));

    private static final String BOUND = "Bound";

    /** Returns why the change has to wait; empty if it may be made now. */
    public Optional<ChangeDelay> delay(AffinityChange change, SteadyReading reading, VolumeUse use, Duration now) {
        Optional<ChangeDelay> byUse = delay(change, use);
        boolean settled = !change.kind().takesAccess() || reading.isSettled(settle, now);
        return byUse.or(() -> settled
                ? Optional.empty()
                : delay(
                        WaitReason.SETTLING,
                        "the placement is new; it is acted on once it has been the same for " + settle.toSeconds()
                                + " s"));
    }

    /** Returns why the volume's use makes the change wait; empty if it does not. */
    public static Optional<ChangeDelay> delay(AffinityChange change, VolumeUse use) {
        if (use.deletionBegun()) {
            return delay(WaitReason.DELETION_BEGUN, "its deletion has begun");
        }
        if (use.paused().isPresent()) {
            return delay(WaitReason.PAUSED, use.paused().get());
        }
        if (!use.phase().equals(BOUND)) {
            return delay(WaitReason.NOT_BOUND, "its phase is " + (use.phase().isEmpty() ? "not known" : use.phase()));
        }
        for (VolumeUse.Attached attached : use.attachments()) {
            if (attached.inMotion()) {
                return delay(
                        WaitReason.ATTACHMENT_IN_MOTION,
                        "it is being attached to or detached from node " + attached.node());
            }
        }
        return change.kind().takesAccess() ? inUse(change, use) : Optional.empty();
    }

    private static Optional<ChangeDelay> inUse(AffinityChange change, VolumeUse use) {
        for (VolumeUse.Attached attached : use.attachments()) {
            Optional<Map<String, String>> known = attached.labels();
            boolean loses = known.map(labels -> change.from().mayAdmit(attached.node(), labels)
                            && !change.to().mayAdmit(attached.node(), labels))
                    .orElse(true);
            if (loses) {
                return delay(
                        known.isPresent() ? WaitReason.IN_USE : WaitReason.UNKNOWN_NODE,
                        "it is attached to node " + attached.node()
                                + (known.isPresent()
                                        ? ", which would lose it"
                                        : ", which Kubernetes does not know, or does not show"));
            }
        }
        return Optional.empty();
    }

    private static Optional<ChangeDelay> delay(WaitReason reason, String text) {
        return Optional.of(new ChangeDelay(reason, text));
    }
}
