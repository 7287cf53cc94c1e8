package dev.fairlead.bootstrap.cli;

import dev.fairlead.application.service.affinity.AffinityPlan;
import dev.fairlead.application.service.affinity.AffinityPlan.Entry;
import dev.fairlead.bootstrap.logging.JsonText;
import dev.fairlead.domain.affinity.AffinityChange;
import dev.fairlead.domain.affinity.VolumePlacement;
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
        plan.notes()
                .forEach(note -> text.append(terminal.paint(YELLOW, "first"))
                        .append("  ")
                        .append(note.text())
                        .append('\n'));
        plan.held()
                .forEach(held -> text.append(terminal.paint(YELLOW, "held"))
                        .append("  %s: %d of %d volumes would change, more than may change unexplained; --approve %s%n"
                                .formatted(
                                        held.group().orElse("all of " + held.source()),
                                        held.changes(),
                                        held.volumes(),
                                        held.digest())));
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
                            .append(terminal.paint(YELLOW, "waits: " + delay.message()))
                            .append('\n'));
        }
        plan.unknown()
                .forEach((volume, why) -> text.append(terminal.paint(YELLOW, "unknown"))
                        .append("  ")
                        .append(volume)
                        .append("  ")
                        .append(why.message())
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
        for (Map.Entry<String, VolumePlacement.Unknown> one : plan.unknown().entrySet()) {
            List<String> pairs = new ArrayList<>(List.of(pair("volume", one.getKey())));
            one.getValue().finding().ifPresent(finding -> pairs.add(pair("code", finding.code())));
            pairs.add(pair("reason", one.getValue().reason()));
            unknown.add("{" + String.join(",", pairs) + "}");
        }
        String volumes = plan.volumes().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(one -> JsonText.quote(one.getKey()) + ":" + one.getValue())
                .collect(Collectors.joining(",", "{", "}"));
        return "{" + pair("digest", plan.digest().toString()) + ",\"volumes\":" + volumes + ",\"changes\":["
                + String.join(",", changes) + "],\"unknown\":[" + String.join(",", unknown) + "]" + held(plan)
                + first(plan) + "}\n";
    }

    private static String held(AffinityPlan plan) {
        return plan.held().isEmpty()
                ? ""
                : plan.held().stream()
                        .map(one -> "{" + pair("source", one.source())
                                + one.group()
                                        .map(name -> "," + pair("group", name))
                                        .orElse("")
                                + ",\"changes\":" + one.changes() + ",\"volumes\":" + one.volumes() + ","
                                + pair("digest", one.digest().toString()) + "}")
                        .collect(Collectors.joining(",", ",\"held\":[", "]"));
    }

    private static String first(AffinityPlan plan) {
        return plan.notes().isEmpty()
                ? ""
                : plan.notes().stream()
                        .map(note -> "{" + pair("text", note.text()) + ",\"changes\":" + note.changes() + "}")
                        .collect(Collectors.joining(",", ",\"first\":[", "]"));
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
                pair("group", entry.group().name()),
                pair("reason", change.reason())));
        change.lostNode().ifPresent(node -> pairs.add(pair("lostNode", node)));
        entry.delay().ifPresent(delay -> {
            pairs.add(pair("waits", delay.reason().word()));
            delay.reason().finding().ifPresent(finding -> pairs.add(pair("code", finding.code())));
            pairs.add(pair("waitsFor", delay.text()));
        });
        return "{" + String.join(",", pairs) + "}";
    }

    private static String pair(String key, String value) {
        return JsonText.quote(key) + ":" + JsonText.quote(value);
    }
}
