package dev.fairlead.bootstrap.affinity;

import dev.fairlead.adapter.k8s.affinity.AffinitySettings;
import dev.fairlead.adapter.k8s.election.ElectionSettings;
import dev.fairlead.bootstrap.logging.LogSettings.LogLevel;
import dev.fairlead.bootstrap.options.ServeOptions.Tcp;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Holds how the affinity process runs, whatever the volumes are.
 *
 * @param leaseNamespace the namespace of the Lease; empty for that of the intents
 * @param candidate the name of this replica in the Lease; empty for the pod's
 * @param perVolume the time after which a change of a volume is left for the next round
 * @param mostOpen the number of replacements that may be open at once
 * @param endpoints where health and metrics are told
 * @param kubeconfig the file by which Kubernetes is reached; empty for what the environment says
 * @param logLevel empty for what the environment says
 */
public record AffinityServing(
        Optional<String> leaseNamespace,
        Optional<String> candidate,
        ElectionSettings.Times times,
        Duration perVolume,
        int mostOpen,
        List<Tcp> endpoints,
        Optional<String> kubeconfig,
        Optional<LogLevel> logLevel) {
    public static final int USUAL_OPEN = 10;

    public static final AffinityServing USUAL = new AffinityServing(
            Optional.empty(),
            Optional.empty(),
            ElectionSettings.Times.USUAL,
            AffinitySettings.PER_VOLUME,
            USUAL_OPEN,
            List.of(),
            Optional.empty(),
            Optional.empty());

    public AffinityServing {
        endpoints = List.copyOf(endpoints);
    }
}
