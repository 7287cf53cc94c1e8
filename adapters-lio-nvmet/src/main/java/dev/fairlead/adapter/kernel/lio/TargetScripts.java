package dev.fairlead.adapter.kernel.lio;

import dev.fairlead.adapter.kernel.host.ScriptText;
import dev.fairlead.application.port.out.host.PosixShell;
import dev.fairlead.domain.access.Access;
import dev.fairlead.domain.access.Grants;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Composes what runs on the storage host: a POSIX shell script that takes the lock, looks at what exists, has targetcli
 * make what is missing, reads back from the kernel, and only then replaces the saved configuration. It needs one round
 * trip.
 */
final class TargetScripts {
    /** The last line of a script that ran to its end. */
    static final String EXPORTED = "exported";

    static final String UNEXPORTED = "unexported";

    static final String REVOKED = "revoked";

    private final String common = ScriptText.beside(TargetScripts.class, "common.sh");
    private final String export = ScriptText.beside(TargetScripts.class, "export.sh");
    private final String revoke = ScriptText.beside(TargetScripts.class, "revoke.sh");
    private final String unexport = ScriptText.beside(TargetScripts.class, "unexport.sh");
    private final String entries = ScriptText.beside(TargetScripts.class, "saved.awk");
    private final LioHost host;

    TargetScripts(LioHost host) {
        this.host = host;
    }

    /** Returns the script that exports a target; its input is {@link #exportInput}. */
    String export(LioTarget target, TargetSettings settings, Access access, GrantRecord record) {
        return begin(target)
                + doors(access)
                + record.variables()
                + needs("backstore", "$backstore/attrib", settings.blockAttributes())
                + needs("tpg", "$tpg/attrib", settings.tpgAttributes())
                + export;
    }

    /** Returns the variables for the initiators that are let in, whose names have been checked to be plain words. */
    private static String doors(Access access) {
        return switch (access) {
            case Access.Open() -> "CLOSED=no\nINITIATORS=\n";
            case Access.Nodes(Grants grants) ->
                "CLOSED=yes\nINITIATORS="
                        + PosixShell.quote(grants.initiators().entrySet().stream()
                                .map(each -> (each.getValue() ? "ro=" : "rw=") + each.getKey())
                                .collect(Collectors.joining(" ")))
                        + "\n";
        };
    }

    String revoke(LioTarget target, Grants remaining, GrantRecord record) {
        return begin(target) + doors(new Access.Nodes(remaining)) + record.variables() + revoke;
    }

    String unexport(LioTarget target) {
        return begin(target) + unexport;
    }

    private String begin(LioTarget target) {
        return host.variables()
                + target.variables()
                + "ENTRIES=" + PosixShell.quote(entries) + "\n"
                + host.lock().taken()
                + common;
    }

    /**
     * Returns a shell function that checks attributes for their values; names and values have been checked to be plain.
     */
    private static String needs(String what, String folder, Map<String, String> attributes) {
        return attributes.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(entry -> "  need \"" + folder + "/" + entry.getKey() + "\" " + entry.getValue() + "\n")
                .collect(Collectors.joining("", what + "_needs() {\n  :\n", "}\n"));
    }

    /**
     * Returns the credentials, one line each, and the commands for targetcli. After a command that fails targetcli goes
     * on, since creating something that exists fails. The LUN comes last, so that nobody reaches the volume before
     * authentication is set up.
     */
    static String exportInput(LioTarget target, TargetSettings settings) {
        var lines = new StringBuilder();
        Chap.KEYS.forEach(key -> lines.append(settings.chap().reveal(key)).append('\n'));
        String backstore = "/backstores/block/" + target.asset();
        String tpg = "/iscsi/" + target.iqn() + "/tpg1";
        line(lines, "/backstores/block create", target.asset(), target.device());
        new TreeMap<>(settings.blockAttributes())
                .forEach((name, value) -> line(lines, backstore, "set attribute", name + "=" + value));
        line(lines, "/iscsi create", target.iqn());
        line(lines, "/iscsi/" + target.iqn(), "create 1");
        new TreeMap<>(settings.tpgAttributes())
                .forEach((name, value) -> line(lines, tpg, "set attribute", name + "=" + value));
        settings.chap()
                .credentials()
                .forEach((name, secret) -> line(lines, tpg, "set auth", name + "=" + secret.reveal()));
        line(lines, tpg, "enable");
        line(lines, tpg + "/luns", "create", backstore, "0");
        return lines.toString();
    }

    private static void line(StringBuilder lines, String... words) {
        lines.append(String.join(" ", words)).append('\n');
    }
}
