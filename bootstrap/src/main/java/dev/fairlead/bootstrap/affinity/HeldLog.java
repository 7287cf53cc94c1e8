package dev.fairlead.bootstrap.affinity;

import dev.fairlead.application.service.affinity.AffinityPlan;
import dev.fairlead.application.service.affinity.AffinityPlan.Held;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs which groups of volumes wait for an approval; again only if their changes are others. */
final class HeldLog {
    private static final Logger log = LoggerFactory.getLogger(HeldLog.class);

    private Map<String, Held> before = Map.of();

    synchronized void looked(AffinityPlan plan) {
        Map<String, Held> now = new HashMap<>();
        for (Held held : plan.held()) {
            String name = held.group().orElse("all of " + held.source());
            now.put(name, held);
            if (!held.equals(before.get(name))) {
                log.atWarn()
                        .addKeyValue("volumes", name)
                        .addKeyValue("changes", held.changes())
                        .addKeyValue("of", held.volumes())
                        .addKeyValue("approve", held.digest().text())
                        .log("more volumes would change than may change unexplained; these wait for --approve");
            }
        }
        before.keySet().stream()
                .filter(name -> !now.containsKey(name))
                .forEach(name -> log.atInfo().addKeyValue("volumes", name).log("these wait for no approval any more"));
        before = now;
    }
}
