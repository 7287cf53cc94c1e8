package dev.fairlead.adapter.node.nvmeof;

import dagger.Module;
import dagger.Provides;
import dagger.multibindings.ClassKey;
import dagger.multibindings.IntoMap;
import dev.fairlead.adapter.node.block.AttachLocks;
import dev.fairlead.adapter.node.block.BlockUse;
import dev.fairlead.adapter.node.block.KernelFiles;
import dev.fairlead.adapter.node.block.MultipathMaps;
import dev.fairlead.adapter.node.block.NvmeTcpProbe;
import dev.fairlead.adapter.node.block.PortProbe;
import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.adapter.node.kernel.KernelWait;
import dev.fairlead.adapter.node.settings.NodeSettings;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.out.node.Mounts;
import dev.fairlead.application.port.out.node.StageJournal;
import dev.fairlead.domain.attachment.Attachment;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import java.time.Duration;

/** Provides the attacher of namespaces of NVMe-oF subsystems. */
@Module
public interface NvmeofModule {
    Duration APPEARING = Duration.ofSeconds(15);
    Duration BETWEEN_ATTEMPTS = Duration.ofSeconds(30);

    /** More than the kernel needs for all ways of some dead subsystems, one after the other. */
    Duration LATE = Duration.ofMinutes(30);

    @Provides
    @Singleton
    @IntoMap
    @ClassKey(Attachment.Nvmeof.class)
    static Attacher<?> nvmeof(
            Mounts mounts, StageJournal journal, KernelThreads threads, CommandRunner programs, NodeSettings settings) {
        return attacher(mounts, journal, threads, programs, settings, BETWEEN_ATTEMPTS);
    }

    /** @param betweenAttempts the time before the first attempt at ways that were dead */
    static NvmeofAttacher attacher(
            Mounts mounts,
            StageJournal journal,
            KernelThreads threads,
            CommandRunner programs,
            NodeSettings settings,
            Duration betweenAttempts) {
        NvmeofConnections connections = new NvmeofConnections(
                new NvmeofSysfs(Path.of("/sys")),
                new FabricsDevice(Path.of("/dev/nvme-fabrics"), threads, programs),
                KernelFiles.ofThisKernel(threads),
                new NvmeTcpProbe(PortProbe.ANSWER),
                PortProbe.BY_SOCKET,
                work -> NvmeofHost.read(Path.of("/etc/nvme"), settings.journal(), work),
                settings.threads(),
                new ConnectAttempts(settings.threads()),
                settings.patience());
        AttachLocks locks = new AttachLocks();
        OwnConnections own = new OwnConnections(settings.journal(), Path.of("/proc/sys/kernel/random/boot_id"), LATE);
        AttachedVolumes volumes = new AttachedVolumes(journal);
        KernelWait appearing = new KernelWait(APPEARING);
        BlockUse use = BlockUse.ofThisKernel(threads);
        MultipathMaps maps = MultipathMaps.ofThisKernel(threads, programs, settings.patience());
        NamespaceDevices devices = new NamespaceDevices(connections.reads(), use, maps, appearing);
        UnusedConnections unused = new UnusedConnections(mounts, volumes, connections, own, locks, use, maps);
        NvmeofRetry retry = new NvmeofRetry(unused, settings.threads(), betweenAttempts);
        return new NvmeofAttacher(unused, retry, devices);
    }
}
