package dev.fairlead.lab;

import dev.fairlead.testkit.peer.PeerCommands;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Plays the commands that democratic-csi was recorded to run on the storage host itself. */
final class PeerHost {
    private static final String PROGRAM = "/root/peer-program.py";
    private static final List<String> PROGRAMS = List.of("targetcli", "nvmetcli");

    private final ZfsPoolFixture fixture;
    private final String driverType;

    PeerHost(ZfsPoolFixture fixture, String driverType) {
        this.fixture = fixture;
        this.driverType = driverType;
        fixture.bash("cat >" + PROGRAM + " <<'end'\n" + text() + "end\n");
    }

    /**
     * Where democratic-csi is cut: after a number of its commands, and after a number of the lines that the program at
     * the next one reads, or after none.
     */
    record Cut(int commands, int lines) {
        @Override
        public String toString() {
            return "after " + commands + (lines == 0 ? "" : " and " + lines + " lines");
        }
    }

    /** Every moment of a call, the one before its first command included. */
    List<Cut> cuts(String call) {
        List<List<String>> commands = PeerCommands.of(driverType, call);
        List<Cut> cuts = new ArrayList<>();
        for (int done = 0; done <= commands.size(); done++) {
            cuts.add(new Cut(done, 0));
            if (done < commands.size() && isProgram(commands.get(done))) {
                List<String> lines = lines(commands.get(done), "pvc-1");
                for (int line = 1; line <= lines.size(); line++) {
                    if (!lines.get(line - 1).startsWith("cd ")) {
                        cuts.add(new Cut(done, line));
                    }
                }
            }
        }
        return cuts;
    }

    /** What shell runs a whole call. */
    String whole(String call, String volume) {
        List<String> lines = new ArrayList<>();
        PeerCommands.of(driverType, call).forEach(words -> lines.add(line(words, volume, 0)));
        return String.join("\n", lines) + "\n";
    }

    /** What shell runs a call that makes {@code pvc-1} until it is cut. */
    String until(String call, Cut cut) {
        List<List<String>> commands = PeerCommands.of(driverType, call);
        List<String> lines = new ArrayList<>();
        commands.subList(0, cut.commands()).forEach(words -> lines.add(line(words, "pvc-1", 0)));
        if (cut.lines() > 0) {
            lines.add(line(commands.get(cut.commands()), "pvc-1", cut.lines()));
        }
        return String.join("\n", lines) + "\n";
    }

    /** Tells whether a program that saves by a line of its own has come to that line. */
    boolean hasSaved(String call, Cut cut) {
        List<List<String>> commands = PeerCommands.of(driverType, call);
        for (int number = 0; number < commands.size() && number <= cut.commands(); number++) {
            if (isProgram(commands.get(number))) {
                List<String> lines = lines(commands.get(number), "pvc-1");
                return lines.getLast().equals("saveconfig") && (number < cut.commands() || cut.lines() == lines.size());
            }
        }
        return false;
    }

    void play(String shell) {
        fixture.bash("set -e -o pipefail\n" + shell);
    }

    private String line(List<String> words, String volume, int lines) {
        if (isProgram(words)) {
            String ran = "udevadm settle\npython3 %s %s %d >/dev/null <<'end'%s\n%s\nend"
                    .formatted(
                            PROGRAM,
                            words.getFirst(),
                            lines,
                            lines == 0 ? "" : " || [ $? = 137 ]",
                            String.join("\n", lines(words, volume)));
            return ran;
        }
        List<String> quoted = words.stream()
                .map(this::here)
                .map(word -> word.equals("|") ? word : "'" + word + "'")
                .toList();
        return String.join(" ", quoted);
    }

    private List<String> lines(List<String> program, String volume) {
        return PeerCommands.script(program.getFirst(), volume, "/dev/zvol/" + fixture.parent() + "/" + volume);
    }

    /** A word of a pool that was called otherwise. */
    private String here(String word) {
        String top = fixture.host().parent();
        return word.replace("tank/v", top + "/v")
                .replace("tank/s", top + "/s")
                .replace("tank_v", (top + "/v").replace('/', '_'));
    }

    private static boolean isProgram(List<String> words) {
        return PROGRAMS.contains(words.getFirst());
    }

    private static String text() {
        try (InputStream file = PeerHost.class.getResourceAsStream("peer-program.py")) {
            return new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
