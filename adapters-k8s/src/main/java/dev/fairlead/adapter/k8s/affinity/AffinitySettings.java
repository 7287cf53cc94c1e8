package dev.fairlead.adapter.k8s.affinity;

import dev.fairlead.application.port.out.placement.ReplacementListener;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Says where intents are kept, and who is told of changes.
 *
 * @param namespace the namespace of the intents; empty for that of the access to Kubernetes
 * @param drivers says of which CSI drivers volumes are changed
 * @param perVolume the time after which a change that is not finished is left for the next round
 * @param listener is told how long volumes are away, and of claims that are Lost
 * @param changed is told the name of each volume or attachment that changed; the empty text if any may have
 */
public record AffinitySettings(
        Optional<String> namespace,
        Predicate<String> drivers,
        Duration perVolume,
        ReplacementListener listener,
        Consumer<String> changed) {
    /** The patience with one call. */
    public static final Duration PATIENCE = Duration.ofSeconds(20);

    /** The usual time for one volume. */
    public static final Duration PER_VOLUME = Duration.ofSeconds(30);
}
