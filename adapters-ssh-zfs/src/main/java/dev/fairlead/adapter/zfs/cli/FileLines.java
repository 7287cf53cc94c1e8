package dev.fairlead.adapter.zfs.cli;

import dev.fairlead.application.port.out.host.Elevation;
import dev.fairlead.application.port.out.host.PosixShell;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Lines of a file that other programs keep on the host; none where there is no such file.
 *
 * @param pattern the words of {@code grep} that tell which
 * @param asRoot where the folder keeps the user out
 */
public record FileLines(String file, List<String> pattern, Elevation asRoot) {
    public FileLines {
        pattern = List.copyOf(pattern);
    }

    /** Puts them into the variable {@code s}, by one program at most; fails where they cannot be read. */
    String script() {
        String path = PosixShell.quote(file);
        String folder = PosixShell.quote(file.substring(0, file.lastIndexOf('/')));
        return "s=; if [ -r " + path + " ]; then s=$(LC_ALL=C " + grep(Elevation.NONE) + ") || [ $? = 1 ];"
                // Its own code for a file that is missing, which is none of sudo's.
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
