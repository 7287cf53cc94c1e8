package dev.fairlead.testkit.model;

import dev.fairlead.testkit.HostileInput;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Makes sequences of steps over few names and sizes, so that steps often concern the same one; the same for the same
 * seed.
 */
final class RandomSteps {
    private static final List<String> VOLUMES = List.of("pvc-a", "pvc-b", "pvc-ab", "pvc-1", "PVC-A");
    private static final List<String> SNAPSHOTS = List.of("snap-1", "snap-2", "snap-12", "snap/3");
    private static final long MIB = 1L << 20;
    private static final List<Long> SIZES = List.of(0L, MIB, 2 * MIB, 3 * MIB, 16 * MIB, 1L << 30, -1L);
    private static final List<String> HOSTILE = HostileInput.texts()
            .filter(text -> !text.isEmpty() && text.getBytes(StandardCharsets.UTF_8).length <= 128)
            .toList();

    private final Random random;

    private RandomSteps(long seed) {
        this.random = new Random(seed);
    }

    static List<Step> of(long seed, int count) {
        RandomSteps source = new RandomSteps(seed);
        List<Step> steps = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            steps.add(source.next());
        }
        return steps;
    }

    private Step next() {
        int dice = random.nextInt(100);
        if (dice < 28) {
            return create();
        }
        if (dice < 40) {
            return new Step.DeleteVolume(volume());
        }
        if (dice < 48) {
            return new Step.ExpandVolume(volume(), Math.max(size(), MIB), limit());
        }
        if (dice < 58) {
            return new Step.Write(volume(), "content " + random.nextInt(1000));
        }
        if (dice < 64) {
            return new Step.GetVolume(volume());
        }
        if (dice < 78) {
            return new Step.TakeSnapshot(snapshot(), volume());
        }
        if (dice < 84) {
            return new Step.DeleteSnapshot(snapshot());
        }
        if (dice < 88) {
            return new Step.GetSnapshot(snapshot());
        }
        if (dice < 92) {
            return new Step.Lists(random.nextInt(4), volume());
        }
        if (dice < 95) {
            return new Step.Hostile(pick(HOSTILE));
        }
        return new Step.LookAtAll();
    }

    private Step create() {
        return switch (random.nextInt(5)) {
            case 0, 1 -> new Step.CreateVolume(volume(), size(), limit(), Facts.Source.Kind.NONE, "");
            case 2 -> new Step.CreateVolume(volume(), size(), limit(), Facts.Source.Kind.VOLUME, volume());
            default -> new Step.CreateVolume(volume(), size(), limit(), Facts.Source.Kind.SNAPSHOT, snapshot());
        };
    }

    private String volume() {
        return pick(VOLUMES);
    }

    private String snapshot() {
        return pick(SNAPSHOTS);
    }

    private long size() {
        return pick(SIZES);
    }

    /**
     * Returns a limit for every fourth call or so and 0, for none, otherwise: with more limits hardly anything would be
     * made.
     */
    private long limit() {
        return random.nextInt(4) == 0 ? pick(SIZES) : 0;
    }

    private <T> T pick(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }
}
