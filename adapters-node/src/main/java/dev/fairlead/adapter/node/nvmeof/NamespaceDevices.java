package dev.fairlead.adapter.node.nvmeof;

import dev.fairlead.adapter.node.block.BlockUse;
import dev.fairlead.adapter.node.block.MultipathMaps;
import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.adapter.node.kernel.KernelWait;
import dev.fairlead.adapter.node.nvmeof.NvmeofSysfs.Namespace;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Finds the block devices of namespaces, and the map over them where native multipath is off.
 *
 * @param appearing how long the kernel may take to show a namespace, and multipathd to make a map
 */
record NamespaceDevices(NvmeofReads reads, BlockUse use, MultipathMaps maps, KernelWait appearing) {
    /** Returns the block device of a namespace, as soon as it is there. */
    Path device(NvmeofRequest wanted, String handle, Work work) {
        String subject = "namespace " + wanted.nsid() + " of " + wanted.nqn();
        var _ = appearing.until(() -> !namespaces(wanted, work).isEmpty(), work);
        List<Namespace> namespaces = namespaces(wanted, work);
        if (namespaces.isEmpty()) {
            throw new StorageException(new Failure.BackendRejected(
                    "of volume " + handle,
                    "the subsystem let this node in and shows it no " + subject
                            + "; look at the subsystem's namespaces and whether they are enabled"));
        }
        Set<String> identities = identities(namespaces);
        if (identities.size() > 1) {
            throw new StorageException(new Failure.Unintelligible(
                    "of volume " + handle,
                    subject + " is a different disk by each way: " + identities
                            + "; the ways of a volume have to lead to one subsystem"));
        }
        List<String> blocks = namespaces.stream().map(Namespace::block).toList();
        if (blocks.size() > 1
                && !appearing.until(() -> map(wanted, blocks, work).isPresent(), work)) {
            throw KernelThreads.fault(
                    "attaching " + subject,
                    "it has " + blocks.size() + " devices, and multipathd has made no map (mpath-) of them; load the"
                            + " module nvme_core with multipath=Y, or start multipathd on the node, or name one"
                            + " transport only");
        }
        maps.fit(blocks, work);
        Path node = use.node(map(wanted, blocks, work).orElse(blocks.getFirst()));
        if (!appearing.until(() -> reads.of(wanted.nqn(), work, _ -> Files.exists(node)), work)) {
            throw KernelThreads.fault(
                    "attaching " + subject, node + " is missing; the node's /dev has to be visible to this process");
        }
        return node;
    }

    private List<Namespace> namespaces(NvmeofRequest wanted, Work work) {
        return reads.of(wanted.nqn(), work, sysfs -> sysfs.namespaces(wanted.nqn(), wanted.nsid()));
    }

    private Optional<String> map(NvmeofRequest wanted, List<String> blocks, Work work) {
        return reads.of(wanted.nqn(), work, _ -> use.tree().map(blocks));
    }

    private static Set<String> identities(List<Namespace> namespaces) {
        return namespaces.stream().map(Namespace::wwid).collect(Collectors.toSet());
    }

    /** Returns the identity of a namespace; empty if it tells none. */
    String identity(NvmeofRequest wanted, Work work) {
        return identities(namespaces(wanted, work)).stream().findFirst().orElse("");
    }
}
