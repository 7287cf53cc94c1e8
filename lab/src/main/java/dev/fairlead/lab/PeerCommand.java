package dev.fairlead.lab;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command that starts the real democratic-csi from a folder of it that can run. */
public final class PeerCommand {
    private PeerCommand() {}

    /** Returns the words of a driver's program with its arguments, which are the same for both drivers. */
    public static List<String> driver(
            List<String> program, String version, String name, Path file, Path socket, List<String> modes) {
        List<String> command = new ArrayList<>(program);
        command.addAll(List.of(
                "--csi-version=" + version,
                "--csi-name=" + name,
                "--driver-config-file=" + file,
                "--log-level=info",
                "--server-socket=" + socket));
        modes.forEach(mode -> command.add("--csi-mode=" + mode));
        return command;
    }

    /**
     * Returns the words with which the first line of democratic-csi's program starts itself; throws if the program is
     * missing.
     */
    public static List<String> program(Path folder) {
        Path program = folder.resolve("bin/democratic-csi");
        if (!Files.isReadable(program)) {
            throw new IllegalArgumentException(program + " is not there");
        }
        return List.of("node", "--expose-gc", program.toString());
    }
}
