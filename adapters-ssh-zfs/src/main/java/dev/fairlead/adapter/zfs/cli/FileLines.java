package dev.fairlead.adapter.zfs.cli;

import dev.fairlead.application.port.out.host.Elevation;
import dev.fairlead.application.port.out.host.PosixShell;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Reads lines of a file that other programs keep on the host; none if there is no such file.
 *
 * @param pattern the arguments of {@code grep} that select the lines
 * @param asRoot used if the folder is closed to the user
 */
public record FileLines(String file, List<String> pattern, Elevation asRoot) {
    public FileLines {
        pattern = List.copyOf(pattern);
    }

    /** Puts the lines into the variable {@code s}, with one program at most; fails if they cannot be read. */
    String script() {
        String path = PosixShell.quote(file);
        String folder = PosixShell.quote(file.substring(0, file.lastIndexOf('/')));
        return "s=; if [ -r " + path + " ]; then s=$(LC_ALL=C " + grep(Elevation.NONE) + ") || [ $? = 1 ];"
                // The exit code 2 of grep means a missing file; sudo never ends with it.
                + " elif [ -e " + path + " ] || [ ! -x " + folder + " ]; then s=$(LC_ALL=C " + grep(asRoot)
                + ") || [ $? = 2 ]; fi";
    }

    private String grep(Elevation by) {
        List<String> words = new ArrayList<>(List.of("grep", "-s"));
        words.addAll(pattern);
        words.add(file);
        return by.of(words).stream().map(PosixShell::quote).collect(Collectors.joining(" "));
    }
}
