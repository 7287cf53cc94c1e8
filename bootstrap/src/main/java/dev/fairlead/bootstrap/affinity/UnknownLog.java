package dev.fairlead.bootstrap.affinity;

import dev.fairlead.application.service.affinity.AffinityPlan;
import dev.fairlead.domain.affinity.AffinityFinding;
import dev.fairlead.domain.affinity.VolumePlacement;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs of how many volumes the place is unknown, one line for each code, with one of them; again only if the number is
 * another one.
 */
final class UnknownLog {
    private static final Logger log = LoggerFactory.getLogger(UnknownLog.class);

    private volatile Map<String, Integer> before = Map.of();

    void looked(AffinityPlan plan) {
        Map<String, Integer> counts = new TreeMap<>();
        Map<String, Map.Entry<String, VolumePlacement.Unknown>> examples = new HashMap<>();
        plan.unknown()
                .entrySet()
                .forEach(one -> one.getValue()
                        .finding()
                        .map(AffinityFinding::code)
                        .ifPresent(code -> {
                            counts.merge(code, 1, Integer::sum);
                            examples.putIfAbsent(code, one);
                        }));
        examples.forEach((code, example) -> {
            if (!counts.getOrDefault(code, 0).equals(before.get(code))) {
                log.atWarn()
                        .addKeyValue("code", code)
                        .addKeyValue("volumes", counts.get(code))
                        .addKeyValue("volume", example.getKey())
                        .addKeyValue("reason", example.getValue().reason())
                        .log("the place of volumes is not known; they stay as they are");
            }
        });
        before.keySet().stream()
                .filter(code -> !counts.containsKey(code))
                .forEach(code -> log.atInfo().addKeyValue("code", code).log("this holds for no volume any more"));
        before = counts;
    }
}
