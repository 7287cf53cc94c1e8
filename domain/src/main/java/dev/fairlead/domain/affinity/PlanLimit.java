package dev.fairlead.domain.affinity;

import java.util.Collection;

/**
 * Stops a plan that would change too many PersistentVolumes of one source, since a source that errs usually errs about
 * many. Changes that an evacuated or lost node explains do not count.
 *
 * @param percent the share of the source's PersistentVolumes that may change without anybody's approval
 * @param least the number that may always change
 */
public record PlanLimit(int percent, int least) {
    public static final PlanLimit USUAL = new PlanLimit(30, 10);

    public PlanLimit {
        if (percent < 0 || percent > 100 || least < 0) {
            throw new IllegalArgumentException("a share of " + percent + " % and at least " + least
                    + " is no limit (expected: 0 to 100, and 0 or more)");
        }
    }

    /** Returns how many of this many may change unexplained. */
    public long of(long volumes) {
        return Math.max(least, volumes * percent / 100);
    }

    /** Says whether these changes are more than may be made, of a source with this many PersistentVolumes. */
    public boolean isExceeded(Collection<AffinityChange> changes, long volumes) {
        return changes.stream().filter(change -> change.lostNode().isEmpty()).count() > of(volumes);
    }
}
