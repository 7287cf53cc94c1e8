package dev.fairlead.adapter.node.nvmeof;

import dev.fairlead.adapter.node.block.SysfsFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Reads subsystems, controllers and namespaces from sysfs, which has them as facts; what tools print of them is prose
 * that differs between versions.
 *
 * @param root where sysfs is mounted
 */
record NvmeofSysfs(Path root) {
    private static final Set<String> FABRICS = Set.of("tcp", "rdma", "fc", "loop");

    /** A device of a namespace, and not one of its paths, which is called {@code nvme0c1n1}. */
    private static final String BLOCK = "nvme[0-9]+n[0-9]+";

    private static final String NUMBER = "[0-9]{1,9}";

    /**
     * Names a controller: the connection to a subsystem by one way.
     *
     * @param address what the way is, as the kernel writes it: {@code traddr=…,trsvcid=…} and more
     */
    record Controller(Path folder, String name, String nqn, String transport, String state, String address) {
        boolean isLive() {
            return state.equals("live");
        }

        /** Returns whether it goes by TLS. The kernel says so by the key, and while it is connected only. */
        boolean hasTls() {
            return SysfsFiles.text(folder.resolve("tls_key")).matches(".*[1-9a-fA-F].*");
        }

        /** Returns a part of the address; empty if it has none of this name. */
        String address(String part) {
            return Arrays.stream(address.split(",", -1))
                    .map(String::strip)
                    .filter(it -> it.startsWith(part + "="))
                    .map(it -> it.substring(part.length() + 1))
                    .findFirst()
                    .orElse("");
        }
    }

    /**
     * Names a namespace that the node has as a block device. With native multipath there is one for all controllers;
     * without it there is one for each.
     *
     * @param block the name of the block device
     * @param wwid the namespace's identity: its UUID, its NGUID, or what the kernel makes of its serial number
     */
    record Namespace(Path folder, String block, int nsid, String wwid) {}

    /** Returns the node's connections to a subsystem. */
    List<Controller> controllers(String nqn) {
        return controllers().stream().filter(it -> it.nqn().equals(nqn)).toList();
    }

    private List<Controller> controllers() {
        List<Controller> controllers = new ArrayList<>();
        for (Path entry : SysfsFiles.children(root.resolve("class/nvme"), name -> name.matches("nvme[0-9]+"))) {
            String transport = SysfsFiles.text(entry.resolve("transport"));
            if (FABRICS.contains(transport)) {
                controllers.add(new Controller(
                        SysfsFiles.real(entry),
                        SysfsFiles.name(entry),
                        SysfsFiles.text(entry.resolve("subsysnqn")),
                        transport,
                        SysfsFiles.text(entry.resolve("state")),
                        SysfsFiles.text(entry.resolve("address"))));
            }
        }
        return controllers;
    }

    /** Returns all namespaces of a subsystem that is connected over a network. */
    List<Namespace> namespaces(String nqn) {
        List<Namespace> namespaces = new ArrayList<>();
        for (Path subsystem : SysfsFiles.children(root.resolve("class/nvme-subsystem"), _ -> true)) {
            if (SysfsFiles.text(subsystem.resolve("subsysnqn")).equals(nqn)) {
                addNamespaces(SysfsFiles.real(subsystem), namespaces);
            }
        }
        List<Controller> controllers = controllers(nqn);
        controllers.forEach(it -> addNamespaces(it.folder(), namespaces));
        return controllers.isEmpty() ? List.of() : namespaces;
    }

    /** Returns the block devices of one namespace of a subsystem. */
    List<Namespace> namespaces(String nqn, int nsid) {
        return namespaces(nqn).stream().filter(it -> it.nsid() == nsid).toList();
    }

    private static void addNamespaces(Path folder, List<Namespace> namespaces) {
        for (Path block : SysfsFiles.children(folder, name -> name.matches(BLOCK))) {
            String nsid = SysfsFiles.text(block.resolve("nsid"));
            if (nsid.matches(NUMBER)) {
                namespaces.add(new Namespace(
                        block, SysfsFiles.name(block), Integer.parseInt(nsid), SysfsFiles.text(block.resolve("wwid"))));
            }
        }
    }

    /** Says which namespace of which subsystem a block device is. */
    record Place(String nqn, int nsid) {}

    /** Returns the namespace that a block device is or is a part of, given as its folder; empty if it is of none. */
    Optional<Place> place(Path folder) {
        return Stream.iterate(folder, Objects::nonNull, Path::getParent)
                .filter(it -> SysfsFiles.name(it).matches(BLOCK))
                .findFirst()
                .flatMap(block -> {
                    // the folder of the subsystem with native multipath, and else that of the controller
                    String nqn = SysfsFiles.text(block.resolveSibling("subsysnqn"));
                    String nsid = SysfsFiles.text(block.resolve("nsid"));
                    return nqn.isEmpty() || !nsid.matches(NUMBER)
                            ? Optional.empty()
                            : Optional.of(new Place(nqn, Integer.parseInt(nsid)));
                });
    }
}
