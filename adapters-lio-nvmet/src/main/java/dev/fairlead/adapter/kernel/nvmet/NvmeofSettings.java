package dev.fairlead.adapter.kernel.nvmet;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.port.out.export.block.NameForm;
import dev.fairlead.application.port.out.export.block.NvmeTransports;
import dev.fairlead.application.port.out.export.block.TargetNaming;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Holds the {@code nvmeof} block of a connection's file, with democratic-csi's keys.
 *
 * @param transports how nodes reach the target
 * @param names {@code namePrefix}, {@code nameTemplate}, {@code nameSuffix} and {@code basename}
 * @param sudo {@code sudoEnabled}
 * @param config {@code configPath}: the file that the host restores when it starts
 * @param imported {@code configIsImportedFilePath}: nothing is done until it exists
 * @param ports {@code ports}: the numbers of the target's ports
 * @param attributes {@code subsystem.attributes}
 */
record NvmeofSettings(
        NvmeTransports transports,
        TargetNaming names,
        boolean sudo,
        String config,
        Optional<String> imported,
        List<String> ports,
        Map<String, String> attributes) {
    private static final String BLOCK = "nvmeof";
    private static final String STRATEGY = "shareStrategy";
    private static final String NVMETCLI = "nvmetCli";
    private static final String SPDK = "spdkCli";
    private static final String PORTS = "ports";
    private static final String OPEN = Subsystem.ANY_HOST;

    /** The file in which nvmetcli saves by default. */
    private static final String USUAL_CONFIG = "/etc/nvmet/config.json";

    NvmeofSettings {
        ports = List.copyOf(ports);
        attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
    }

    /** Reports every problem of the block; the returned settings are usable only if there was none. */
    static NvmeofSettings read(ConfigNode file) {
        ConfigNode block = file.child(BLOCK);
        block.require(
                STRATEGY,
                NvmeofSettings::strategy,
                NVMETCLI,
                "write " + NVMETCLI + "; for targets of SPDK, run democratic-csi for this connection");
        NvmeTransports transports = NvmeTransports.read(block);
        block.ignore("shareStrategySpdkCli"); // democratic-csi's example has the blocks of both strategies
        ConfigNode cli = block.child("shareStrategyNvmetCli");
        if (cli.string("nvmetcliPath").isPresent()) {
            cli.problems()
                    .warning(
                            cli.pathOf("nvmetcliPath"),
                            cli.lineOf("nvmetcliPath"),
                            "is not used: the kernel's own configfs is, which needs no nvmetcli",
                            "remove it");
        }
        String base = cli.require(
                "basename", NameForm.NQN::base, "nqn.2003-01.unset", "write it as " + NameForm.NQN.example());
        String absolute = "expected: the absolute path of a file";
        return new NvmeofSettings(
                transports,
                TargetNaming.read(block, NameForm.NQN, base),
                cli.bool("sudoEnabled", false),
                cli.optional("configPath", NvmeofSettings::path, absolute)
                        .filter(path -> !path.isEmpty())
                        .orElse(USUAL_CONFIG),
                cli.optional("configIsImportedFilePath", NvmeofSettings::path, absolute)
                        .filter(path -> !path.isEmpty()),
                ports(cli),
                attributes(cli.child("subsystem").child("attributes")));
    }

    private static String strategy(String text) {
        return switch (text) {
            case NVMETCLI -> text;
            case SPDK ->
                throw new IllegalArgumentException(
                        SPDK + " is not built: its targets live in a program of their own, not in the kernel");
            default -> throw new IllegalArgumentException("'" + text + "' is not known");
        };
    }

    private static String path(String text) {
        boolean fine = text.isEmpty() || (text.startsWith("/") && !text.endsWith("/") && text.length() <= 1024);
        if (!fine || text.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("'" + text + "' is no path of a file");
        }
        return text;
    }

    private static List<String> ports(ConfigNode cli) {
        List<String> found = cli.strings(PORTS);
        String remedy = "name the target's ports by their numbers: [\"1\"]";
        if (found.isEmpty()) {
            cli.problems()
                    .error(
                            cli.pathOf(PORTS),
                            cli.lineOf(PORTS),
                            "is missing, so that nobody would reach a volume",
                            remedy);
        }
        List<String> ports = new ArrayList<>();
        for (int i = 0; i < found.size(); i++) {
            String port = found.get(i);
            if (!port.matches("0|[1-9][0-9]{0,4}")) {
                cli.problems()
                        .error(
                                cli.pathOf(PORTS + "[" + i + "]"),
                                cli.lineOf(PORTS),
                                "'" + port + "' is no port",
                                remedy);
            } else if (!ports.contains(port)) {
                ports.add(port);
            }
        }
        return ports;
    }

    /**
     * Returns the subsystem's attributes; volumes are open to every host unless the file says otherwise, as in
     * democratic-csi.
     */
    private static Map<String, String> attributes(ConfigNode block) {
        Map<String, String> attributes = new LinkedHashMap<>(Map.of(OPEN, "1"));
        for (String name : block.keys()) {
            if (!name.matches("[a-z][a-z0-9_]{0,63}")) {
                block.problems()
                        .error(
                                block.pathOf(name),
                                block.lineOf(name),
                                "is no attribute of a subsystem",
                                "use one of /sys/kernel/config/nvmet/subsystems/…/attr_*, such as " + OPEN);
            }
            block.optional(name, NvmeofSettings::attribute, "a short text without line breaks")
                    .ifPresent(value -> attributes.put(name, value));
        }
        return attributes;
    }

    /** Returns an attribute's value, with true as 1 and false as 0, since the kernel shows them so. */
    private static String attribute(String text) {
        if (text.isBlank() || text.length() > 255 || text.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("is empty, too long, or has control characters");
        }
        return switch (text) {
            case "true", "True", "TRUE" -> "1";
            case "false", "False", "FALSE" -> "0";
            default -> text.strip();
        };
    }
}
