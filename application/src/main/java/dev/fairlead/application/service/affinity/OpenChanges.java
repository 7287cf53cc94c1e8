package dev.fairlead.application.service.affinity;

import dev.fairlead.domain.affinity.ChangeGroup;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Counts the replacements that are open. Each group leaves a few places to others, so that claims of one that are not
 * bound again do not stop the others.
 */
final class OpenChanges {
    /** The part of the places that a group leaves to others. */
    private static final int SHARE_OF_OTHERS = 5;

    private final int most;
    private final Map<ChangeGroup, Integer> ofGroup = new HashMap<>();
    private int all;

    OpenChanges(int most) {
        this.most = most;
    }

    /** @param group empty if it is not known of which group it is */
    void add(Optional<ChangeGroup> group) {
        all++;
        group.ifPresent(one -> ofGroup.merge(one, 1, Integer::sum));
    }

    /** Says whether there are as many as there may be. */
    boolean areAll() {
        return all >= most;
    }

    boolean mayBegin(ChangeGroup group) {
        return !areAll() && ofGroup.getOrDefault(group, 0) < most - most / SHARE_OF_OTHERS;
    }
}
