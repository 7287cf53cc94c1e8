package dev.fairlead.adapter.k8s.affinity;

import dev.fairlead.application.port.out.placement.ReplacementListener;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Notes how long PersistentVolumes are away while they are replaced, and which claims are Lost. For one thread. */
final class AbsentVolumes {
    private final ReplacementListener listener;
    private final Map<String, Long> since = new HashMap<>();
    private final Set<String> lost = new HashSet<>();

    AbsentVolumes(ReplacementListener listener) {
        this.listener = listener;
    }

    /** @param from when it was there for the last time, or was found to be away, by {@link System#nanoTime} */
    void away(String volume, long from) {
        since.putIfAbsent(volume, from);
    }

    void back(String volume) {
        Long from = since.remove(volume);
        if (from != null) {
            listener.away(volume, Duration.ofNanos(System.nanoTime() - from));
        }
    }

    void seen(String volume, VolumeCalls.Claim claim) {
        if (claim == VolumeCalls.Claim.LOST && lost.add(volume)) {
            listener.claimLost(volume);
        }
    }

    void ended(String volume) {
        since.remove(volume);
        lost.remove(volume);
    }
}
