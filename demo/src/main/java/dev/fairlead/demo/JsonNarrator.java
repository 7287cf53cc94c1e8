package dev.fairlead.demo;

import com.google.gson.JsonObject;
import java.io.PrintStream;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Tells the demo to a program: a JSON object a line. */
final class JsonNarrator implements Narrator {
    private final PrintStream out;
    private int number;

    JsonNarrator(PrintStream out) {
        this.out = out;
    }

    @Override
    public void begins(String what) {
        line("begins", "demo", what, Map.of());
    }

    @Override
    public void doing(String what) {
        // A program needs no sign that a step takes long.
    }

    @Override
    public void table(List<String> columns, List<List<String>> rows) {
        for (List<String> row : rows) {
            Map<String, String> cells = new LinkedHashMap<>();
            for (int i = 0; i < columns.size(); i++) {
                cells.put(columns.get(i), row.get(i));
            }
            line("row", "table", row.getFirst(), cells);
        }
    }

    @Override
    public void did(String step, String what, Map<String, String> facts, Duration took) {
        Map<String, String> all = new LinkedHashMap<>(facts);
        all.put("ms", Long.toString(took.toMillis()));
        line("did", step, what, all);
    }

    @Override
    public void leftOut(String step, String why) {
        line("left out", step, why, Map.of());
    }

    @Override
    public void failed(String step, String why) {
        line("failed", step, why, Map.of());
    }

    @Override
    public void ended(Duration took) {
        line("ended", "demo", "nothing is left behind", Map.of("ms", Long.toString(took.toMillis())));
    }

    private void line(String event, String step, String text, Map<String, String> facts) {
        var line = new JsonObject();
        line.addProperty("number", number++);
        line.addProperty("event", event);
        line.addProperty("step", step);
        line.addProperty("text", text);
        facts.forEach(line::addProperty);
        out.println(line);
    }
}
