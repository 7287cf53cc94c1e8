package dev.fairlead.adapter.node.block;

import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds the iSCSI target or NVMe subsystem behind a block device. Only links, folders and names that the kernel has in
 * its memory are read, so that this never waits for what may be dead.
 *
 * @param dev where device nodes are
 */
public record BlockTargets(BlockTree tree, Path dev) implements KernelThreads.Devices {
    private static final String SESSION = "session[0-9]+";
    private static final String NAMESPACE = "nvme[0-9]+n[0-9]+";

    public static BlockTargets ofThisKernel() {
        return new BlockTargets(new BlockTree(Path.of("/sys")), Path.of("/dev"));
    }

    @Override
    public Optional<String> target(String path, Optional<MountEntry> mount) {
        return beneath(path, mount).stream()
                .flatMap(folder -> target(folder).stream())
                .findFirst();
    }

    private List<Path> beneath(String text, Optional<MountEntry> mount) {
        Path path = Path.of(text);
        if (path.startsWith(dev)) {
            return tree.beneath(dev.relativize(path).toString());
        }
        for (String entries : List.of("class/block", "dev/block")) {
            if (path.startsWith(tree.root().resolve(entries))) {
                return tree.beneath(SysfsFiles.name(path));
            }
        }
        return mount.map(tree::beneath).orElse(List.of());
    }

    private Optional<String> target(Path device) {
        return Stream.iterate(device, Objects::nonNull, Path::getParent)
                .flatMap(folder -> {
                    String name = SysfsFiles.name(folder);
                    return name.matches(SESSION)
                            ? Stream.of(tree.root()
                                    .resolve("class/iscsi_session")
                                    .resolve(name)
                                    .resolve("targetname"))
                            : name.matches(NAMESPACE) ? Stream.of(folder.resolveSibling("subsysnqn")) : Stream.empty();
                })
                .map(SysfsFiles::text)
                .filter(name -> !name.isEmpty())
                .findFirst();
    }
}
