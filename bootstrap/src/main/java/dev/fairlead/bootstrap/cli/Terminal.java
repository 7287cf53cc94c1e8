package dev.fairlead.bootstrap.cli;

import java.io.PrintStream;

/**
 * Holds the streams that a verb writes to.
 *
 * @param interactive whether a person reads standard output as it comes
 * @param color whether it takes colours
 */
public record Terminal(PrintStream out, PrintStream err, boolean interactive, boolean color) {
    /** Returns the text in this SGR colour; unchanged if colours are not wanted. */
    String paint(String sgr, String text) {
        return color ? "\u001b[" + sgr + "m" + text + "\u001b[0m" : text;
    }
}
