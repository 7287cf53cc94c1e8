package dev.fairlead.bootstrap.affinity;

import dev.fairlead.domain.affinity.ChangeRules;
import dev.fairlead.domain.affinity.PlanDigest;
import dev.fairlead.domain.affinity.PlanLimit;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Holds what the affinity process was asked to do.
 *
 * @param csiNames the names under which this installation's volumes were made
 * @param mainFile the main file that names the connections; empty if only LINSTOR's volumes follow
 * @param linstor how LINSTOR's volumes are read; empty if they are none of this process's
 * @param namespace the namespace of the Lease and of the intents; empty for that of the access to Kubernetes
 * @param lease the name of the Lease
 * @param interval the time between two rounds
 * @param most the volumes that are tried to be changed in one interval at most
 * @param approvals the digests of what may be changed although it is over the limit
 * @param serving how the process runs, whatever the volumes are
 */
public record AffinityOptions(
        List<String> csiNames,
        Optional<Path> mainFile,
        Optional<LinstorOptions> linstor,
        Optional<String> namespace,
        String lease,
        Duration interval,
        int most,
        ChangeRules rules,
        PlanLimit limit,
        Set<PlanDigest> approvals,
        AffinityServing serving) {}
