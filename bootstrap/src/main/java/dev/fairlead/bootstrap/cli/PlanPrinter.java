package dev.fairlead.bootstrap.cli;

import dev.fairlead.application.service.affinity.AffinityPlan;
import dev.fairlead.application.service.affinity.AffinityPlan.Entry;
import dev.fairlead.bootstrap.logging.JsonText;
import dev.fairlead.domain.affinity.AffinityChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Shows a plan of affinity: to a person, or to a program. */
final class PlanPrinter {
    private static final String YELLOW = "33";
    private static final String DIM = "2";

    private final Terminal terminal;

    PlanPrinter(Terminal terminal) {
        this.terminal = terminal;
    }

    String text(AffinityPlan plan) {
        var text = new StringBuilder();
        if (!plan.entries().isEmpty()) {
            text.append("%-40s %-7s %-40s %s%n".formatted("VOLUME", "CHANGE", "FROM", "TO"));
        }
        for (Entry entry : plan.entries()) {
            AffinityChange change = entry.change();
            text.append("%-40s %-7s %-40s %s%n"
                    .formatted(change.volume(), change.kind().word(), change.from(), change.to()));
            text.append("    ")
                    .append(terminal.paint(DIM, change.source() + ": " + change.reason()))
                    .append('\n');
            entry.delay()
                    .ifPresent(delay -> text.append("    ")
                            .append(terminal.paint(YELLOW, "waits: " + delay.text()))
                            .append('\n'));
        }
        plan.unknown()
                .forEach((volume, why) -> text.append(terminal.paint(YELLOW, "unknown"))
                        .append("  ")
                        .append(volume)
                        .append("  ")
                        .append(why)
                        .append('\n'));
        int all = plan.volumes().values().stream().mapToInt(Integer::intValue).sum();
        text.append(plan.entries().size())
                .append(" of ")
                .append(all)
                .append(" volumes would change, ")
                .append(plan.unknown().size())
                .append(" are unknown and stay as they are.\n");
        if (!plan.entries().isEmpty()) {
            text.append("digest ").append(plan.digest()).append('\n');
        }
        return text.toString();
    }

    static String json(AffinityPlan plan) {
        List<String> changes = plan.entries().stream().map(PlanPrinter::json).toList();
        List<String> unknown = new ArrayList<>();
        for (Map.Entry<String, String> one : plan.unknown().entrySet()) {
            unknown.add("{" + pair("volume", one.getKey()) + "," + pair("reason", one.getValue()) + "}");
        }
        String volumes = plan.volumes().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(one -> JsonText.quote(one.getKey()) + ":" + one.getValue())
                .collect(Collectors.joining(",", "{", "}"));
        return "{" + pair("digest", plan.digest().toString()) + ",\"volumes\":" + volumes + ",\"changes\":["
                + String.join(",", changes) + "],\"unknown\":[" + String.join(",", unknown) + "]}\n";
    }

    private static String json(Entry entry) {
        AffinityChange change = entry.change();
        List<String> pairs = new ArrayList<>(List.of(
                pair("volume", change.volume()),
                pair("uid", change.uid()),
                pair("change", change.kind().word()),
                pair("from", change.from().toString()),
                pair("to", change.to().toString()),
                pair("source", change.source()),
                pair("reason", change.reason())));
        change.lostNode().ifPresent(node -> pairs.add(pair("lostNode", node)));
        entry.delay().ifPresent(delay -> {
            pairs.add(pair("waits", delay.reason().word()));
            pairs.add(pair("waitsFor", delay.text()));
        });
        return "{" + String.join(",", pairs) + "}";
    }

    private static String pair(String key, String value) {
        return JsonText.quote(key) + ":" + JsonText.quote(value);
    }
}
