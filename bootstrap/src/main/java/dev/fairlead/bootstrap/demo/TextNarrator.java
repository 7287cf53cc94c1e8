package dev.fairlead.bootstrap.demo;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Map;

/** Tells it to a human, in colour where there is a terminal. */
final class TextNarrator implements Narrator {
    private static final int STEP_WIDTH = 9;

    private final PrintStream out;
    private final boolean colour;
    private int number;

    TextNarrator(PrintStream out, boolean colour) {
        this.out = out;
        this.colour = colour;
    }

    @Override
    public void begins(String what) {
        out.println(bold("Fairlead demo") + ": " + what);
        out.println();
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
