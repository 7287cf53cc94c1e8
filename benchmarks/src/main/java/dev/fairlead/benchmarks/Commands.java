package dev.fairlead.benchmarks;

import dev.fairlead.lab.PeerCommand;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The commands that start the servers which are measured.
 *
 * @param fairlead the words that start Fairlead, without arguments
 * @param nullServer the words that start the null server, without arguments; none if it is not measured
 * @param peer a folder with a democratic-csi that can run, if there is one to compare with
 * @param beside the words that start another build of Fairlead, if there is one to compare with
 */
record Commands(List<String> fairlead, List<String> nullServer, Optional<Path> peer, Optional<List<String>> beside) {
    /** The environment of every server. */
    static final Map<String, String> ENVIRONMENT = Map.of("CSI_NODE_ID", "bench-node", "NODE_ENV", "production");

    private static final String VERSION = "1.5.0";

    /** Reads the commands from the environment variables that {@code benchmarks/run} sets, one word on each line. */
    static Commands ofEnvironment() {
        return new Commands(
                words("FAIRLEAD_COMMAND"),
                System.getenv("NULL_COMMAND") == null ? List.of() : words("NULL_COMMAND"),
                Optional.ofNullable(System.getenv("PEER_FOLDER")).map(Path::of),
                System.getenv("BESIDE_COMMAND") == null ? Optional.empty() : Optional.of(words("BESIDE_COMMAND")));
    }

    List<String> ours(Path file, Path socket, List<String> modes) {
        return ofBuild(fairlead, file, socket, modes);
    }

    static List<String> ofBuild(List<String> fairlead, Path file, Path socket, List<String> modes) {
        return driver(fairlead, "benchmark.fairlead.dev", file, socket, modes);
    }

    List<String> nullServer(Path socket) {
        List<String> command = new ArrayList<>(nullServer);
        command.add(socket.toString());
        return command;
    }

    static List<String> peer(Path folder, Path file, Path socket, List<String> modes) {
        return driver(PeerCommand.program(folder), "benchmark.democratic-csi", file, socket, modes);
    }

    private static List<String> driver(List<String> program, String name, Path file, Path socket, List<String> modes) {
        return PeerCommand.driver(program, VERSION, name, file, socket, modes);
    }

    private static List<String> words(String variable) {
        return Arrays.asList(
                Optional.ofNullable(System.getenv(variable)).orElseThrow().split("\n"));
    }
}
