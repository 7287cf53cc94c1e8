package dev.fairlead.adapter.node.block;

import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Reads from sysfs which block devices there are, which are made of which, and which of them mounts show.
 *
 * @param root where sysfs is mounted
 */
public record BlockTree(Path root) {
    private static Stream<String> names(Path folder) {
        return SysfsFiles.children(folder, _ -> true).stream().map(SysfsFiles::name);
    }

    /** Returns the block devices that are made of this one: maps over it, and its partitions. */
    public List<String> above(String block) {
        Path folder = root.resolve("class/block").resolve(block);
        List<String> above = new ArrayList<>(names(folder.resolve("holders")).toList());
        SysfsFiles.children(SysfsFiles.real(folder), _ -> true).stream()
                .filter(it -> Files.exists(it.resolve("partition")))
                .forEach(it -> above.add(SysfsFiles.name(it)));
        return above;
    }

    /** Returns the block devices below a map; none for one that is no map. */
    public List<String> below(String block) {
        return names(root.resolve("class/block").resolve(block).resolve("slaves"))
                .toList();
    }

    /** Returns these devices, those next to them, those next to these, and so on. */
    private static Set<String> all(Collection<String> blocks, Function<String, List<String>> beside) {
        Set<String> all = new LinkedHashSet<>();
        List<String> next = new ArrayList<>(blocks);
        while (!next.isEmpty()) {
            String name = next.removeFirst();
            if (all.add(name)) {
                next.addAll(beside.apply(name));
            }
        }
        return all;
    }

    /** Returns whether this is a partition by the kernel's own reading of the table. */
    public boolean isPartition(String block) {
        return !fact(block, "partition").isEmpty();
    }

    /** Returns whether a map stands for a partition of a multipath device; it goes with that device. */
    private boolean isPartitionMap(String block) {
        return fact(block, "dm/uuid").matches("part[0-9]+-mpath-.*");
    }

    /** Returns the device of which this one is a partition by the kernel's own reading; itself if it is none. */
    public String disk(String block) {
        return Optional.of(block)
                .filter(this::isPartition)
                .flatMap(this::folder)
                .flatMap(it -> Optional.ofNullable(it.getParent()))
                .map(SysfsFiles::name)
                .orElse(block);
    }

    /** Returns a fact of a block device; empty if it or the device is missing. */
    public String fact(String block, String fact) {
        return SysfsFiles.text(root.resolve("class/block").resolve(block).resolve(fact));
    }

    /** Returns the folder of a block device by its name or its numbers; it lies below that of what it belongs to. */
    private Optional<Path> folder(String nameOrNumbers) {
        Path entry = root.resolve(nameOrNumbers.indexOf(':') > 0 ? "dev/block" : "class/block")
                .resolve(nameOrNumbers);
        return Files.exists(entry) ? Optional.of(SysfsFiles.real(entry)) : Optional.empty();
    }

    /** Returns whether a mount shows one of these devices, or what is made of them. */
    public boolean shows(Collection<String> blocks, MountEntry mount) {
        return !blocks.isEmpty()
                && shown(mount)
                        .filter(it -> all(blocks, this::above).contains(it))
                        .isPresent();
    }

    /** Returns the folders of the block device that a mount shows, and of all that it is made of. */
    public List<Path> beneath(MountEntry mount) {
        return beneath(shown(mount));
    }

    /**
     * Returns the folders of a block device and of all that it is made of.
     *
     * @param node its numbers, or its name as that of its node below {@code /dev}
     */
    List<Path> beneath(String node) {
        return beneath(node.indexOf(':') > 0 ? named(node) : ofSource("/dev/" + node));
    }

    private List<Path> beneath(Optional<String> block) {
        return all(block.stream().toList(), this::below).stream()
                .flatMap(it -> folder(it).stream())
                .toList();
    }

    /** Returns where sysfs tells of the block device that a mount shows, by the mount's words alone. */
    public Path entry(MountEntry mount) {
        String name = mount.isDeviceNode()
                ? mount.root().substring(mount.root().lastIndexOf('/') + 1)
                : mount.source().replaceFirst("^/dev/", "").replace('/', '!');
        boolean numbered = !mount.isDeviceNode() && !mount.device().startsWith("0:");
        return root.resolve(numbered ? "dev/block" : "class/block").resolve(numbered ? mount.device() : name);
    }

    /** Returns the name of the block device that a mount shows; empty if it shows none that the node has. */
    public Optional<String> shown(MountEntry mount) {
        if (!mount.isOfDevice()) {
            return Optional.empty();
        }
        if (mount.isDeviceNode()) {
            return named(mount.root().substring(mount.root().lastIndexOf('/') + 1));
        }
        Optional<String> numbered = mount.device().startsWith("0:")
                ? Optional.empty() // a file system such as btrfs, which has numbers of its own
                : named(mount.device());
        return numbered.or(() -> ofSource(mount.source()));
    }

    private Optional<String> ofSource(String source) {
        if (!source.startsWith("/dev/") || source.contains("..")) {
            return Optional.empty();
        }
        String name = source.substring("/dev/".length());
        return name.startsWith("mapper/")
                ? names(root.resolve("class/block"))
                        .filter(it -> it.matches("dm-[0-9]+")
                                && fact(it, "dm/name").equals(name.substring("mapper/".length())))
                        .findFirst()
                : named(name.replace('/', '!'));
    }

    private Optional<String> named(String nameOrNumbers) {
        return folder(nameOrNumbers).map(SysfsFiles::name);
    }

    /** Returns the multipath map over any of these devices. */
    public Optional<String> map(Collection<String> blocks) {
        return blocks.stream()
                .flatMap(it -> above(it).stream())
                .filter(it -> fact(it, "dm/uuid").startsWith("mpath-"))
                .findFirst();
    }

    /** Returns the name by which the device mapper knows the multipath map over any of these devices. */
    public Optional<String> mapName(Collection<String> blocks) {
        return map(blocks).map(it -> fact(it, "dm/name")).filter(it -> !it.isEmpty());
    }

    /**
     * Returns the names by which the device mapper knows the multipath maps over these devices, which may be several.
     */
    public List<String> mapNames(Collection<String> blocks) {
        return blocks.stream()
                .flatMap(it -> mapName(List.of(it)).stream())
                .distinct()
                .toList();
    }

    /**
     * Returns what is used of these devices, which may be of several volumes: the multipath map over each, or itself.
     */
    public List<String> tops(Collection<String> blocks) {
        return blocks.stream().map(it -> map(List.of(it)).orElse(it)).distinct().toList();
    }

    /** Returns what users claim: the maps of a device's partitions if it has any, since these claim the device. */
    List<String> claimed(String top) {
        List<String> maps = above(top).stream().filter(this::isPartitionMap).toList();
        return maps.isEmpty() ? List.of(top) : maps;
    }

    /** Returns what is made of any of these devices, in words; a partition counts if something is made of it. */
    public Optional<String> holder(List<String> tops) {
        for (String top : tops) {
            for (String above : above(top)) {
                boolean partition = isPartition(above) || isPartitionMap(above);
                if (!partition || !above(above).isEmpty()) {
                    return Optional.of(above + ", which is made of " + top);
                }
            }
        }
        return Optional.empty();
    }
}
