package dev.fairlead.adapter.node.mount;

import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.adapter.node.kernel.MountTable;
import dev.fairlead.application.port.out.node.MountPropagation;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Finds in the mount table whether kubelet's folder is in a shared mount, if this process has mounts of its own: those
 * of a container, or of a service that its manager has confined.
 */
public final class KubeletPropagation implements MountPropagation {
    /** The folders at which volumes are staged and published; each may lie on a disk of its own. */
    private static final List<String> PLACES = List.of("plugins/kubernetes.io/csi", "pods");

    private static final String FIRST = "1";

    private final Path kubelet;
    private final Path processes;
    private final Path shown;

    /** @param kubelet kubelet's folder; if this process does not see it, there is nothing to look at */
    public KubeletPropagation(Path kubelet) {
        this(kubelet, Path.of("/proc"), Path.of("/host/proc"));
    }

    /**
     * @param processes the folder of the processes that this one sees
     * @param shown the folder at which a container may be shown the node's processes
     */
    KubeletPropagation(Path kubelet, Path processes, Path shown) {
        this.kubelet = kubelet;
        this.processes = processes;
        this.shown = shown;
    }

    @Override
    public void check() {
        try {
            if (!Files.isDirectory(kubelet) || hasMountsOfNode()) {
                return;
            }
            Path real = kubelet.toRealPath();
            String text = Files.readString(processes.resolve("self/mountinfo"), StandardCharsets.UTF_8);
            List<MountEntry> table = MountTable.parse(text);
            for (String place : PLACES) {
                Optional<MountEntry> holder =
                        MountTable.holding(table, real.resolve(place).toString());
                if (holder.filter(it -> !MountTable.isShared(text, it)).isPresent()) {
                    throw new StorageException(new Failure.NotPropagated(
                            kubelet.toString(), holder.get().mountPoint()));
                }
            }
        } catch (IOException e) {
            throw KernelThreads.fault("looking whether mounts below " + kubelet + " appear on the node", e);
        }
    }

    /**
     * Returns whether this process is in the mount namespace of the node's first process. If the node's processes are
     * not shown, the first one that is seen stands for it, unless this process is the first one itself: that is so in
     * containers alone. A process that may not look at the first one is taken to be among the node's mounts.
     */
    private boolean hasMountsOfNode() throws IOException {
        Path own = processes.resolve("self");
        boolean told = Files.isDirectory(shown.resolve(FIRST));
        if (!told && Files.readSymbolicLink(own).equals(Path.of(FIRST))) {
            return false;
        }
        try {
            Path first = (told ? shown : processes).resolve(FIRST);
            return Files.readSymbolicLink(first.resolve("ns/mnt"))
                    .equals(Files.readSymbolicLink(own.resolve("ns/mnt")));
        } catch (IOException _) {
            return true; // it may not be looked at, so that nothing is known of its mounts
        }
    }
}
