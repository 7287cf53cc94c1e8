package dev.fairlead.adapter.node.block;

import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds the iSCSI target or NVMe subsystem behind a block device, and the hosts of targets. Only links, folders and
 * names that the kernel has in its memory are read, so that this never waits for what may be dead. The address of an
 * NVMe controller is not among them, since the kernel asks the connection for it.
 *
 * @param dev where device nodes are
 */
public record BlockTargets(BlockTree tree, Path dev) implements KernelThreads.Devices {
    private static final String SESSION = "session[0-9]+";
    private static final String SESSIONS = "class/iscsi_session";
    private static final String NAMESPACE = "nvme[0-9]+n[0-9]+";
    private static final String ZVOL = "zd[0-9]+";
    private static final String LINKS = "zvol";
    private static final List<String> ZFS = List.of("zfs", LINKS);

    /** The folders of sysfs that name block devices. */
    private static final List<String> ENTRIES = List.of("class/block", "dev/block");

    public static BlockTargets ofThisKernel() {
        return new BlockTargets(new BlockTree(Path.of("/sys")), Path.of("/dev"));
    }

    @Override
    public Optional<String> target(String path, Optional<MountEntry> mount) {
        return beneath(path, mount).stream()
                .flatMap(folder -> target(folder).stream())
                .findFirst();
    }

    @Override
    public Optional<String> device(String path, Optional<MountEntry> mount) {
        boolean node = isNode(Path.of(path), mount);
        Optional<String> pool = poolIn(Path.of(path)).filter(_ -> node);
        if (pool.isPresent()) {
            return pool.map(BlockTargets::pool);
        }
        return node
                        || isEntry(Path.of(path))
                        || mount.filter(MountEntry::isDeviceNode).isPresent()
                ? beneath(path, mount).stream()
                        .findFirst()
                        .map(SysfsFiles::name)
                        .map(tree::disk)
                        .map(disk -> poolOf(disk).map(BlockTargets::pool).orElse("the device " + disk))
                        .or(() -> Optional.of("the device " + path).filter(_ -> node))
                : Optional.empty();
    }

    /** Returns whether a path is one of a device node, and not in another file system that is mounted there. */
    private boolean isNode(Path path, Optional<MountEntry> mount) {
        return path.startsWith(dev)
                && !path.equals(dev)
                && mount.filter(it -> !it.isDeviceNode())
                        .map(it -> Path.of(it.mountPoint()))
                        .filter(it -> it.startsWith(dev) && !it.equals(dev))
                        .isEmpty();
    }

    private boolean isEntry(Path path) {
        return ENTRIES.stream().anyMatch(it -> path.startsWith(tree.root().resolve(it)));
    }

    private static String pool(String name) {
        return "the pool " + name;
    }

    /** Returns the pool of a dataset or volume by its name below the device of ZFS or the folder of links. */
    private Optional<String> poolIn(Path path) {
        return ZFS.stream()
                .map(dev::resolve)
                .filter(it -> path.startsWith(it) && !path.equals(it))
                .map(it -> it.relativize(path).getName(0).toString())
                .findFirst();
    }

    /** Returns the pool of a ZFS volume, which the links to its node name; empty for what is none. */
    private Optional<String> poolOf(String disk) {
        Path links = dev.resolve(LINKS);
        if (!disk.matches(ZVOL) || !Files.isDirectory(links)) {
            return Optional.empty();
        }
        try (Stream<Path> all = Files.walk(links)) {
            return all.filter(Files::isSymbolicLink)
                    .filter(it -> SysfsFiles.name(SysfsFiles.real(it)).equals(disk))
                    .map(it -> links.relativize(it).getName(0).toString())
                    .findFirst();
        } catch (IOException | UncheckedIOException _) {
            return Optional.empty(); // what goes away meanwhile
        }
    }

    /** Returns the hosts as they were asked for; of several to one target the first by name. */
    @Override
    public Map<String, String> hosts() {
        Map<String, String> hosts = new HashMap<>();
        for (Path session : SysfsFiles.children(tree.root().resolve(SESSIONS), name -> name.matches(SESSION))) {
            String target = SysfsFiles.text(session.resolve("targetname"));
            for (String host : hosts(SysfsFiles.real(session.resolve("device")))) {
                hosts.merge(target, host, (one, other) -> one.compareTo(other) < 0 ? one : other);
            }
        }
        return hosts;
    }

    private static List<String> hosts(Path session) {
        return SysfsFiles.children(session, name -> name.startsWith("connection")).stream()
                .flatMap(it -> SysfsFiles.children(it.resolve("iscsi_connection"), _ -> true).stream())
                .map(it -> SysfsFiles.text(it.resolve("persistent_address")).replaceAll("[\\[\\]]", ""))
                .filter(it -> !it.isEmpty())
                .toList();
    }

    private List<Path> beneath(String text, Optional<MountEntry> mount) {
        Path path = Path.of(text);
        if (path.startsWith(dev)) {
            return tree.beneath(dev.relativize(path).toString());
        }
        return isEntry(path)
                ? tree.beneath(SysfsFiles.name(path))
                : mount.map(tree::beneath).orElse(List.of());
    }

    private Optional<String> target(Path device) {
        return Stream.iterate(device, Objects::nonNull, Path::getParent)
                .flatMap(folder -> {
                    String name = SysfsFiles.name(folder);
                    return name.matches(SESSION)
                            ? Stream.of(
                                    tree.root().resolve(SESSIONS).resolve(name).resolve("targetname"))
                            : name.matches(NAMESPACE) ? Stream.of(folder.resolveSibling("subsysnqn")) : Stream.empty();
                })
                .map(SysfsFiles::text)
                .filter(name -> !name.isEmpty())
                .findFirst();
    }
}
