package dev.fairlead.adapter.node.mount;

import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.adapter.node.kernel.MountTable;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.out.node.StagedVolumes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * Lists volumes by the mounts below kubelet's folder of each driver, {@code plugins/kubernetes.io/csi/<driver>/…}:
 * kubelet has a volume staged there before it is published, and until it has been unpublished from the last pod. Only
 * the mount table is read, so a file system that hangs cannot block this.
 */
public final class KubeletStaging implements StagedVolumes {
    private final Path folder;
    private final Table table;

    /** @param kubelet kubelet's folder, at the path that it has in the mount table */
    public KubeletStaging(Path kubelet) {
        this(kubelet, MountTable::read);
    }

    KubeletStaging(Path kubelet, Table table) {
        this.folder = kubelet.resolve("plugins/kubernetes.io/csi");
        this.table = table;
    }

    /** Reads the mounts that this process sees. */
    @FunctionalInterface
    interface Table {
        List<MountEntry> read() throws IOException;
    }

    @Override
    public List<String> of(Set<String> drivers) {
        try {
            return table.read().stream()
                    .filter(mount -> drivers.stream()
                            .anyMatch(driver -> Path.of(mount.mountPoint()).startsWith(folder.resolve(driver))))
                    .map(MountEntry::root)
                    .distinct()
                    .toList();
        } catch (IOException e) {
            throw KernelThreads.fault("reading the mounts of this node", e);
        }
    }
}
