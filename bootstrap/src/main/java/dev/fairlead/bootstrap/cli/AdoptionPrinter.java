package dev.fairlead.bootstrap.cli;

import dev.fairlead.application.port.out.adoption.Adoption.Entry;
import dev.fairlead.application.port.out.placement.ChangeOutcome;
import dev.fairlead.bootstrap.logging.JsonText;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Shows the plan of an adoption, and what came of it: to a person, or to a program. */
final class AdoptionPrinter {
    private AdoptionPrinter() {}

    static String text(List<Entry> entries) {
        StringBuilder text = new StringBuilder();
        for (Entry entry : entries) {
            text.append(entry.volume()).append("  claim ").append(entry.claim()).append('\n');
            text.append(entry.to()
                    .map(to -> "    from " + entry.from() + "\n    to   " + to + "\n")
                    .orElse("    stays: " + entry.why() + "\n"));
        }
        long changes = entries.stream().filter(entry -> entry.to().isPresent()).count();
        return text + "" + changes + " of " + entries.size() + " volumes would change.\n";
    }

    static String json(List<Entry> entries) {
        return entries.stream()
                        .map(entry -> {
                            List<String> pairs = new ArrayList<>(
                                    List.of(pair("volume", entry.volume()), pair("claim", entry.claim())));
                            entry.to()
                                    .ifPresent(to -> pairs.addAll(List.of(pair("from", entry.from()), pair("to", to))));
                            if (entry.to().isEmpty()) {
                                pairs.add(pair("stays", entry.why()));
                            }
                            return "{" + String.join(",", pairs) + "}";
                        })
                        .collect(Collectors.joining(",", "{\"volumes\":[", "]}"))
                + "\n";
    }

    static String text(ChangeOutcome outcome) {
        return outcome.volume() + ": " + outcome.message() + "\n";
    }

    /** Returns one line of JSON for each volume. */
    static String json(ChangeOutcome outcome) {
        return "{" + pair("volume", outcome.volume()) + ","
                + pair("result", outcome.result().name()) + "," + pair("text", outcome.message()) + "}\n";
    }

    private static String pair(String key, String value) {
        return JsonText.quote(key) + ":" + JsonText.quote(value);
    }
}
