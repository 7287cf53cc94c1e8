package dev.fairlead.adapter.kernel.lio;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.port.out.export.block.IscsiPortals;
import dev.fairlead.application.port.out.export.block.NameForm;
import dev.fairlead.application.port.out.export.block.TargetNaming;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Holds the {@code iscsi} block of a connection's file, with democratic-csi's keys.
 *
 * @param names the names of the targets
 * @param sudo {@code sudoEnabled}: whether targets are made with {@code sudo}
 * @param tpgAttributes {@code tpg.attributes}
 * @param chap {@code tpg.auth}
 * @param blockAttributes {@code block.attributes}
 * @param portals the portal where nodes find the targets
 */
record TargetSettings(
        TargetNaming names,
        boolean sudo,
        Map<String, String> tpgAttributes,
        Chap chap,
        Map<String, String> blockAttributes,
        IscsiPortals portals) {
    private static final String STRATEGY = "targetCli";
    private static final String ANYBODY = "generate_node_acls";
    private static final String AUTHENTICATION = "authentication";
    private static final Pattern ATTRIBUTE = Pattern.compile("[a-z][a-z0-9_]{0,63}");
    private static final Pattern NUMBER = Pattern.compile("0|[1-9][0-9]{0,18}");

    TargetSettings {
        tpgAttributes = Map.copyOf(tpgAttributes);
        blockAttributes = Map.copyOf(blockAttributes);
    }

    static TargetSettings read(ConfigNode file) {
        ConfigNode block = file.child(NameForm.IQN.block());
        // With a strategy that it did not know, democratic-csi made volumes without a target.
        block.require("shareStrategy", TargetSettings::strategy, STRATEGY, "write " + STRATEGY);
        ConfigNode cli = block.child("shareStrategyTargetCli");
        String base = cli.require("basename", NameForm.IQN::base, "", "write one such as " + NameForm.IQN.example());
        ConfigNode tpg = cli.child("tpg");
        Map<String, String> tpgAttributes = attributes(tpg.child("attributes"));
        ConfigNode auth = tpg.child("auth");
        Chap chap = Chap.read(auth);
        warnOfDoorsLeftOpen(auth, chap, tpgAttributes);
        return new TargetSettings(
                TargetNaming.read(block, NameForm.IQN, base),
                cli.bool("sudoEnabled", false),
                tpgAttributes,
                chap,
                attributes(cli.child("block").child("attributes")),
                IscsiPortals.read(block));
    }

    /** Returns the same settings for a target that lets in only initiators that it was told of. */
    TargetSettings closed() {
        Map<String, String> attributes = new LinkedHashMap<>(tpgAttributes);
        attributes.put(ANYBODY, "0");
        return new TargetSettings(names, sudo, attributes, chap, blockAttributes, portals);
    }

    private static String strategy(String text) {
        if (!text.equals(STRATEGY)) {
            throw new IllegalArgumentException("'" + text + "' is not known");
        }
        return text;
    }

    /** Reads attributes and checks only their form, since which ones exist differs from kernel to kernel. */
    private static Map<String, String> attributes(ConfigNode node) {
        Map<String, String> attributes = new LinkedHashMap<>();
        for (String name : node.keys()) {
            if (!ATTRIBUTE.matcher(name).matches()) {
                node.problems()
                        .error(
                                node.pathOf(name),
                                node.lineOf(name),
                                "is no name of an attribute",
                                "use one that 'get attribute' of targetcli lists");
            }
            node.optional(name, TargetSettings::number, "a whole number: 1 for yes, 0 for no")
                    .ifPresent(value -> attributes.put(name, value));
        }
        return attributes;
    }

    private static String number(String text) {
        String number = switch (text) {
            case "true" -> "1";
            case "false" -> "0";
            default -> text;
        };
        if (!NUMBER.matcher(number).matches()) {
            throw new IllegalArgumentException("is no whole number");
        }
        return number;
    }

    private static void warnOfDoorsLeftOpen(ConfigNode auth, Chap chap, Map<String, String> attributes) {
        if (!chap.isEmpty() && !attributes.getOrDefault(AUTHENTICATION, "0").equals("1")) {
            auth.problems()
                    .warning(
                            auth.path(),
                            auth.line(),
                            "is set, and nobody is asked for it",
                            "set tpg.attributes." + AUTHENTICATION + " to 1");
        }
    }
}
