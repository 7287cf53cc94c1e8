package dev.fairlead.adapter.local.host;

import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.out.host.CommandRunner.Ended;
import dev.fairlead.application.port.out.host.Tools;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.StorageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Asks the programs of this machine for their versions, each where the settings take it from. */
final class ToolVersions implements Tools {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final List<Integer> NOT_STARTED = List.of(126, 127);
    private static final int LONGEST = 300;
    private static final Pattern VERSION = Pattern.compile("\\bv?(\\d+\\.\\d[\\w.+~-]*)");

    /**
     * The options with which programs say their versions, if it is not {@code -V}; some take them for a misuse, and say
     * it all the same.
     */
    private static final Map<String, List<String>> QUESTIONS = Map.of(
            "btrfs", List.of("--version"),
            "btrfstune", List.of("--help"),
            "fsck", List.of("--version"),
            "iscsiadm", List.of("--version"),
            "multipath", List.of("-h"),
            "resize2fs", List.of(),
            "tune2fs", List.of(),
            "zfs", List.of("version"),
            "zpool", List.of("version"));

    private final ToolSettings settings;
    private final CommandRunner programs;

    ToolVersions(ToolSettings settings, CommandRunner programs) {
        this.settings = settings;
        this.programs = programs;
    }

    @Override
    public List<Tool> versions(Work work) {
        return ToolSettings.known().stream().map(tool -> version(tool, work)).toList();
    }

    private Tool version(String tool, Work work) {
        String source = settings.sourceOf(tool).word();
        List<String> argv = new ArrayList<>(List.of(tool));
        argv.addAll(QUESTIONS.getOrDefault(tool, List.of("-V")));
        try {
            Ended ended =
                    programs.run(Command.of(new Effect("version", tool), argv).within(PATIENCE), work);
            if (NOT_STARTED.contains(ended.exitCode())) {
                return new Tool(tool, source, "", shortened(ended.errors()));
            }
            Matcher said = VERSION.matcher(ended.output() + "\n" + ended.errors());
            return new Tool(tool, source, said.find() ? said.group(1) : "unknown", "");
        } catch (StorageException e) {
            return new Tool(tool, source, "", shortened(e.failure().message()));
        }
    }

    private static String shortened(String text) {
        String line = text.strip().replaceAll("\\s+", " ");
        return line.isEmpty() ? "it cannot be started" : line.substring(0, Math.min(line.length(), LONGEST));
    }
}
