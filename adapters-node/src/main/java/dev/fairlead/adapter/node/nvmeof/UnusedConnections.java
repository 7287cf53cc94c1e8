package dev.fairlead.adapter.node.nvmeof;

import dev.fairlead.adapter.node.block.AttachLocks;
import dev.fairlead.adapter.node.block.BlockUse;
import dev.fairlead.adapter.node.block.MultipathMaps;
import dev.fairlead.adapter.node.nvmeof.NvmeofSysfs.Namespace;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.out.node.Mounts;
import dev.fairlead.application.port.out.node.OwnSessions;
import dev.fairlead.application.port.out.node.StageJournal;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.StorageException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends connections to subsystems of which this node uses nothing any more, and tells which are left over by the NQNs of
 * their subsystems: what was attached once may be used by others by now, so a human ends it.
 */
record UnusedConnections(
        Mounts mounts,
        AttachedVolumes volumes,
        NvmeofConnections connections,
        OwnConnections own,
        AttachLocks locks,
        BlockUse use,
        MultipathMaps maps)
        implements ConnectAttempts.Owner, OwnSessions {
    private static final Logger log = LoggerFactory.getLogger(UnusedConnections.class);

    /** Returns what uses these devices of a subsystem, in words: a mount, or whatever the kernel lets claim them. */
    Optional<String> user(String nqn, List<String> blocks, Work work) {
        return mount(nqn, blocks, work).or(() -> use.user(blocks, work));
    }

    private Optional<String> mount(String nqn, List<String> blocks, Work work) {
        List<MountEntry> table = mounts.table(work);
        return connections
                .reads()
                .ofMounts(
                        nqn,
                        work,
                        _ -> table.stream()
                                .filter(mount -> use.tree().shows(blocks, mount))
                                .map(mount -> "a mount at " + mount.mountPoint())
                                .findFirst());
    }

    private List<String> blocks(String nqn, Work work) {
        return connections.reads().of(nqn, work, sysfs -> sysfs.namespaces(nqn)).stream()
                .map(Namespace::block)
                .toList();
    }

    /**
     * Ends all connections to a subsystem. While some are still being made, it stays known whose they are, and which
     * volumes are gone: they are ended as they come.
     *
     * @param attempts how many are being made besides those that this call is for
     */
    void end(String nqn, List<String> blocks, long attempts, Work work) {
        connections.reads().of(nqn, work, _ -> use.tree().mapNames(blocks)).forEach(map -> maps.remove(map, work));
        connections.disconnect(nqn, work);
        if (attempts == 0) {
            volumes.disconnected(nqn);
            own.forget(nqn, work);
        }
    }

    @Override
    public boolean wants(String nqn) {
        return volumes.of(nqn).isPresent();
    }

    @Override
    public void endUnlessWanted(String nqn, boolean brought, Work work) {
        try (AttachLocks.Turn _ = locks.hold(NvmeofRequest.subsystem(nqn), work)) {
            List<String> blocks = blocks(nqn, work);
            if (!own.has(nqn) || wants(nqn) || user(nqn, blocks, work).isPresent()) {
                return;
            }
            if (!connections.controllers(nqn, work).isEmpty()) {
                if (!brought) {
                    return; // they were there before, and whoever gave their last volume back has let them stay
                }
                log.atInfo()
                        .addKeyValue("subsystem", nqn)
                        .log("a connection that came after its volume was given back is ended");
            }
            end(nqn, blocks, connections.attempts().count(nqn) - 1, work);
        }
    }

    @Override
    public Map<String, String> leftOver(StageJournal.Inventory journal, Work work) {
        Set<String> known = journal.ofEach(Attachment.Nvmeof.class, Attachment.Nvmeof::nqn);
        return own.all().stream()
                .filter(nqn -> !known.contains(nqn) && isLeftOver(nqn, work))
                .collect(Collectors.toMap(nqn -> nqn, "nvme disconnect -n "::concat));
    }

    private boolean isLeftOver(String nqn, Work work) {
        try (AttachLocks.Turn _ = locks.hold(NvmeofRequest.subsystem(nqn), work)) {
            if (wants(nqn) || connections.attempts().count(nqn) > 0) {
                return false;
            }
            if (connections.controllers(nqn, work).isEmpty()) {
                own.forget(nqn, work);
                return false;
            }
            List<String> blocks = blocks(nqn, work);
            if (own.isConnecting(nqn) && user(nqn, blocks, work).isEmpty()) {
                log.atInfo()
                        .addKeyValue("subsystem", nqn)
                        .log("a connection is ended that was being made when its caller went, and that no volume has");
                end(nqn, blocks, 0, work);
                return false;
            }
            return mount(nqn, blocks, work).isEmpty();
        } catch (StorageException _) {
            work.checkCancelled();
            return false; // a subsystem that hangs keeps none of the others from being told
        }
    }
}
