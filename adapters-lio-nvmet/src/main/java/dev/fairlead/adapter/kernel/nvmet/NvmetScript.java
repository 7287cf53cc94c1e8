package dev.fairlead.adapter.kernel.nvmet;

import dev.fairlead.adapter.kernel.host.ScriptText;
import dev.fairlead.application.config.Secret;
import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.Elevation;
import dev.fairlead.application.port.out.host.PosixShell;
import dev.fairlead.application.port.work.Effect;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Builds the program that does all of one call in one visit to the storage host: the values that it works with,
 * followed by a file beside this class.
 */
final class NvmetScript {
    private static final String TEXT = ScriptText.beside(NvmetScript.class, "nvmet.sh");

    /**
     * The room for the script's output, in bytes: enough for the saved configuration of some tens of thousands of
     * volumes.
     */
    private static final int LARGEST_CONFIG = 64 << 20;

    private NvmetScript() {}

    /**
     * @param values the values, by the script's names for them
     * @param attributes the attributes of the subsystem
     * @param content the new text of the saved configuration, which is the script's input
     */
    static Command command(
            Effect effect, Elevation root, Map<String, String> values, Map<String, String> attributes, String content) {
        var script = new StringBuilder();
        values.forEach((name, value) ->
                script.append(name).append('=').append(PosixShell.quote(value)).append('\n'));
        List<String> pairs = new ArrayList<>(List.of("set", "--"));
        attributes.forEach((name, value) -> pairs.add(PosixShell.quote(name + "=" + value)));
        script.append(String.join(" ", pairs)).append('\n').append(TEXT);
        return Command.of(effect, root.of(List.of("/bin/sh", "-c", script.toString())))
                .reading(new Command.Input.Text(new Secret(content)))
                .writing(new Command.Output.Text(LARGEST_CONFIG));
    }
}
