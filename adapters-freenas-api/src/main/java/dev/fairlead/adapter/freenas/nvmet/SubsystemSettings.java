package dev.fairlead.adapter.freenas.nvmet;

import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.ConfigValue.Scalar;
import dev.fairlead.application.port.out.export.block.NameForm;
import dev.fairlead.application.port.out.export.block.NvmeTransports;
import dev.fairlead.application.port.out.export.block.TargetNaming;
import dev.fairlead.domain.volume.Notes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Holds the {@code nvmeof} block of a connection's file, with democratic-csi's keys.
 *
 * @param names the names of subsystems, without the base, which is the box's
 * @param transports where nodes find the subsystems
 * @param ports {@code ports}: the numbers of the box's ports; empty if they are found by the transports' addresses
 * @param subsystem {@code subsystemTemplate}: fields of each subsystem
 * @param namespace {@code namespaceTemplate}: fields of each namespace
 * @param requiresKeys {@code fairlead.requireDhchap}: whether a node is let in only if the box has a key of it
 */
public record SubsystemSettings(
        TargetNaming names,
        NvmeTransports transports,
        List<Long> ports,
        JsonObject subsystem,
        JsonObject namespace,
        boolean requiresKeys) {
    static final String ANY_HOST = "allow_any_host";

    /** The base has the length of a box's whose administrator has set no other one. */
    private static final String USUAL_BASE = "nqn.2011-06.com.truenas:uuid:00000000-0000-0000-0000-000000000000";

    private static final String PORTS = "ports";
    private static final Set<String> OF_SUBSYSTEMS = Set.of(ANY_HOST, "pi_enable", "qid_max", "ieee_oui", "ana");
    private static final Set<String> OF_NAMESPACES = Set.of("enabled", "nsid");

    public SubsystemSettings {
        ports = List.copyOf(ports);
        subsystem = subsystem.deepCopy();
        namespace = namespace.deepCopy();
    }

    /** Reports every problem of the block; what it returns is of use only if there was none. */
    public static SubsystemSettings read(ConfigNode file) {
        ConfigNode block = file.child(NameForm.NQN.block());
        var subsystem = new JsonObject();
        subsystem.addProperty(ANY_HOST, true);
        fields(block.child("subsystemTemplate"), OF_SUBSYSTEMS).asMap().forEach(subsystem::add);
        boolean requiresKeys = file.strictChild("fairlead").bool("requireDhchap", false);
        return new SubsystemSettings(
                TargetNaming.read(block, NameForm.NQN, USUAL_BASE).notedAs(Notes.FREENAS_PREFIX + "nvmeof_assets_name"),
                NvmeTransports.read(block),
                ports(block),
                subsystem,
                fields(block.child("namespaceTemplate"), OF_NAMESPACES),
                requiresKeys);
    }

    private static List<Long> ports(ConfigNode block) {
        List<Long> ports = new ArrayList<>();
        List<String> texts = block.strings(PORTS);
        for (int i = 0; i < texts.size(); i++) {
            String text = texts.get(i);
            if (!text.matches("[1-9][0-9]{0,8}")) {
                block.problems()
                        .error(
                                block.pathOf(PORTS + "[" + i + "]"),
                                block.lineOf(PORTS),
                                "'" + text + "' is no port",
                                "write the number by which the API knows it, or leave " + PORTS
                                        + " out, and it is found by its address");
            } else if (!ports.contains(Long.valueOf(text))) {
                ports.add(Long.valueOf(text));
            }
        }
        return ports;
    }

    private static JsonObject fields(ConfigNode template, Set<String> known) {
        var fields = new JsonObject();
        for (String key : template.keys()) {
            if (!known.contains(key)) {
                template.problems()
                        .error(
                                template.pathOf(key),
                                template.lineOf(key),
                                "is no field that a class of volumes may set",
                                "use one of " + known.stream().sorted().toList());
            }
            template.scalar(key).ifPresent(value -> fields.add(key, json(template, key, value)));
        }
        return fields;
    }

    private static JsonPrimitive json(ConfigNode template, String key, Scalar value) {
        return switch (value.type()) {
            case BOOLEAN -> new JsonPrimitive(template.bool(key, false));
            case NUMBER -> new JsonPrimitive(template.integer(key, 0, 0, Integer.MAX_VALUE));
            default -> new JsonPrimitive(value.text());
        };
    }

    @Override
    public JsonObject subsystem() {
        return subsystem.deepCopy();
    }

    @Override
    public JsonObject namespace() {
        return namespace.deepCopy();
    }

    /** Says whether volumes that are open to whoever reaches the box are open to every host. */
    boolean letsAnyHostIn() {
        return subsystem.get(ANY_HOST).equals(new JsonPrimitive(true));
    }
}
