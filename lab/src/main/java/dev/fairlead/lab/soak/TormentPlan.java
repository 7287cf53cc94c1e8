package dev.fairlead.lab.soak;

import dev.fairlead.lab.soak.audit.Machines;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Draws torments: the same ones for the same seed, and each kind once before any comes a second time. */
final class TormentPlan {
    private static final List<TormentKind> KINDS = List.of(TormentKind.values());
    private static final int SHORTEST = 60;
    private static final int LONGEST = 120;

    private final Random random;
    private final List<TormentKind> due = new ArrayList<>();
    private boolean begun;

    TormentPlan(long seed) {
        this.random = new Random(seed);
    }

    /**
     * A torment that is to come.
     *
     * @param seconds how long after the one before
     * @param node the node that it is for, if it is for one
     */
    record Next(int seconds, TormentKind kind, String node) {
        @Override
        public String toString() {
            return kind.words() + (kind.isOfNode() ? ", " + node : "");
        }
    }

    Next next() {
        int seconds = SHORTEST + random.nextInt(LONGEST - SHORTEST + 1);
        String node = Machines.NODES.get(random.nextInt(Machines.NODES.size()));
        if (!begun) {
            due.addAll(KINDS);
            Collections.shuffle(due, random);
            begun = true;
        }
        TormentKind kind = due.isEmpty() ? KINDS.get(random.nextInt(KINDS.size())) : due.removeLast();
        return new Next(seconds, kind, node);
    }
}
