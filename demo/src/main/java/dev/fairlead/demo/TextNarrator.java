package dev.fairlead.demo;

import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Tells the demo to a person, in colour if there is a terminal. */
final class TextNarrator implements Narrator {
    private static final int STEP_WIDTH = 9;

    private final PrintStream out;
    private final boolean colour;
    private final boolean watched;
    private int number;

    TextNarrator(PrintStream out, boolean colour) {
        this(out, colour, false);
    }

    /** @param watched whether somebody waits for the next line */
    TextNarrator(PrintStream out, boolean colour, boolean watched) {
        this.out = out;
        this.colour = colour;
        this.watched = watched;
    }

    @Override
    public void begins(String what) {
        out.println(bold("Fairlead demo") + ": " + what);
        out.println();
    }

    @Override
    public void doing(String what) {
        if (watched) {
            out.println("    " + dim("… " + what));
            out.flush();
        }
    }

    @Override
    public void table(List<String> columns, List<List<String>> rows) {
        out.println();
        out.println(bold(cells(columns, columns, rows)));
        rows.forEach(row -> out.println(cells(row, columns, rows)));
        out.println();
        out.flush();
    }

    /** Returns a row in columns that are as wide as the widest of their cells. */
    private static String cells(List<String> row, List<String> columns, List<List<String>> rows) {
        StringBuilder line = new StringBuilder("   ");
        for (int i = 0; i < row.size(); i++) {
            int column = i;
            int width = Stream.concat(Stream.of(columns), rows.stream())
                    .mapToInt(other -> other.get(column).length())
                    .max()
                    .orElse(0);
            line.append(' ').append(row.get(i)).repeat(' ', width - row.get(i).length() + 1);
        }
        return line.toString().stripTrailing();
    }

    @Override
    public void did(String step, String what, Map<String, String> facts, Duration took) {
        line(green(padded(step)), what + dim("  " + took.toMillis() + " ms"));
    }

    @Override
    public void leftOut(String step, String why) {
        line(yellow(padded(step)), "left out: " + why);
    }

    @Override
    public void failed(String step, String why) {
        line(red(padded(step)), "FAILED: " + why);
    }

    @Override
    public void ended(Duration took) {
        out.println();
        out.println("Done in %.1f s; nothing is left behind. Where to go next:".formatted(took.toMillis() / 1000.0));
        out.println("  " + bold("./fairlead check <folder>")
                + "   what is wrong with a folder of connections, and what to do");
        out.println("  " + bold("./fairlead --help") + "           everything else that it can do");
        out.println("  README.md, docs/connections.md, docs/topology.md   how to run it for real");
    }

    private void line(String step, String what) {
        number++;
        out.println("%2d  %s %s".formatted(number, step, what));
        out.flush();
    }

    private static String padded(String step) {
        return step + " ".repeat(Math.max(0, STEP_WIDTH - step.length()));
    }

    private String bold(String text) {
        return coloured("1", text);
    }

    private String dim(String text) {
        return coloured("2", text);
    }

    private String green(String text) {
        return coloured("32", text);
    }

    private String yellow(String text) {
        return coloured("33", text);
    }

    private String red(String text) {
        return coloured("31", text);
    }

    private String coloured(String code, String text) {
        return colour ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
    }
}
