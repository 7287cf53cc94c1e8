package dev.fairlead.bootstrap.node;

import dev.fairlead.domain.topology.NodeFacts;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Reads the facts about this Linux node from the environment and from files below a root folder. */
public final class LinuxNodeFacts implements NodeFacts {
    private static final String NODE_NAME = "CSI_NODE_ID";

    /** The most bytes that are read of a file: a label's source is a short text, and a device or a log is a mistake. */
    private static final int MAX_BYTES = 64 << 10;

    private final Map<String, String> environment;
    private final Path root;
    private final Map<String, String> labels;

    /** @param root the folder in which the files of the host are */
    public LinuxNodeFacts(Map<String, String> environment, Path root) {
        this(environment, root, Map.of());
    }

    private LinuxNodeFacts(Map<String, String> environment, Path root, Map<String, String> labels) {
        this.environment = environment;
        this.root = root;
        this.labels = Map.copyOf(labels);
    }

    /** Returns the same node, named by its host name if {@code CSI_NODE_ID} does not name it. */
    public LinuxNodeFacts namedByHost() {
        Optional<String> host = nodeName().isPresent() ? Optional.empty() : hostname();
        Map<String, String> named = new HashMap<>(environment);
        host.ifPresent(name -> named.put(NODE_NAME, name));
        return new LinuxNodeFacts(named, root, labels);
    }

    /** Returns the same node, with its labels in the orchestrator. */
    LinuxNodeFacts withLabels(Map<String, String> known) {
        return new LinuxNodeFacts(environment, root, known);
    }

    @Override
    public Optional<String> nodeName() {
        return env(NODE_NAME).filter(name -> !name.isEmpty());
    }

    /**
     * Returns the kernel's host name, or else the variable HOSTNAME; a resolver may take long, and give another name.
     */
    @Override
    public Optional<String> hostname() {
        return file("/proc/sys/kernel/hostname")
                .map(String::strip)
                .or(() -> env("HOSTNAME"))
                .filter(name -> !name.isEmpty());
    }

    @Override
    public Optional<String> env(String name) {
        return Optional.ofNullable(environment.get(name));
    }

    @Override
    public Optional<String> label(String name) {
        return Optional.ofNullable(labels.get(name));
    }

    @Override
    public Optional<String> file(String path) {
        try {
            Path file = root.resolve(
                    Path.of("/").relativize(Path.of(path).toAbsolutePath().normalize()));
            if (!Files.isRegularFile(file)) {
                return Optional.empty();
            }
            try (InputStream in = Files.newInputStream(file)) {
                return Optional.of(new String(in.readNBytes(MAX_BYTES), StandardCharsets.UTF_8));
            }
        } catch (IOException | InvalidPathException _) {
            return Optional.empty();
        }
    }

    /**
     * Returns the address that others see, as {@code CSI_NODE_ADDRESS} gives it; the process cannot know which of
     * several it is.
     */
    Optional<String> address() {
        return env("CSI_NODE_ADDRESS").filter(address -> !address.isEmpty());
    }

    /** Returns the iSCSI initiator's name: the first {@code InitiatorName=} line. */
    Optional<String> iqn() {
        return file("/etc/iscsi/initiatorname.iscsi")
                .flatMap(text -> text.lines()
                        .map(line -> line.replaceFirst("#.*", "").strip())
                        .filter(line -> line.startsWith("InitiatorName="))
                        .map(line -> line.substring("InitiatorName=".length()).strip())
                        .filter(name -> !name.isEmpty())
                        .findFirst());
    }

    /** Returns the NVMe host's name: the first line that is not blank. */
    Optional<String> nqn() {
        return file("/etc/nvme/hostnqn")
                .flatMap(text -> text.lines()
                        .map(String::strip)
                        .filter(name -> !name.isEmpty())
                        .findFirst());
    }
}
