package dev.fairlead.bootstrap.cli;

import java.io.PrintStream;

/**
 * Where a verb writes.
 *
 * @param interactive whether a person reads standard output as it comes
 * @param color whether it takes colours
 */
public record Terminal(PrintStream out, PrintStream err, boolean interactive, boolean color) {
    /** The text in this SGR colour, where colours are wanted. */
    String paint(String sgr, String text) {
        return color ? "\u001b[" + sgr + "m" + text + "\u001b[0m" : text;
    }
}
