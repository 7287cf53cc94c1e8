package dev.fairlead.adapter.node;

import dagger.Binds;
import dagger.Module;
import dagger.Provides;
import dev.fairlead.adapter.node.block.BlockTargets;
import dev.fairlead.adapter.node.filesystem.LinuxFilesystems;
import dev.fairlead.adapter.node.hostpath.HostPathModule;
import dev.fairlead.adapter.node.iscsi.IscsiModule;
import dev.fairlead.adapter.node.journal.FileJournal;
import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.adapter.node.lustre.LustreModule;
import dev.fairlead.adapter.node.mount.KubeletHandles;
import dev.fairlead.adapter.node.mount.KubeletPropagation;
import dev.fairlead.adapter.node.mount.LinuxMounter;
import dev.fairlead.adapter.node.nfs.NfsModule;
import dev.fairlead.adapter.node.nvmeof.NvmeofModule;
import dev.fairlead.adapter.node.pool.LocalPoolModule;
import dev.fairlead.adapter.node.settings.NodeSettings;
import dev.fairlead.adapter.node.settings.StagingSettings;
import dev.fairlead.adapter.node.smb.SmbModule;
import dev.fairlead.adapter.node.zfs.ZfsLocalModule;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.out.node.Filesystems;
import dev.fairlead.application.port.out.node.KernelCalls;
import dev.fairlead.application.port.out.node.MountPropagation;
import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.application.port.out.node.Mounts;
import dev.fairlead.application.port.out.node.NodePorts;
import dev.fairlead.application.port.out.node.StageJournal;
import dev.fairlead.application.port.out.node.StagedHandles;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;

/**
 * Provides what a node does on this machine, and an attacher for each protocol, by what it attaches; needs
 * {@link NodeSettings} and a {@link CommandRunner} for this machine. A graph that asks only for the keys makes no
 * attacher; one that asks for {@link MountPropagation} needs {@link StagingSettings}. A new protocol is one more module
 * in this list.
 */
@Module(
        includes = {
            HostPathModule.class,
            IscsiModule.class,
            LocalPoolModule.class,
            LustreModule.class,
            NfsModule.class,
            NvmeofModule.class,
            SmbModule.class,
            ZfsLocalModule.class
        })
public interface NodeModule {
    @Provides
    @Singleton
    static KernelThreads kernelThreads(NodeSettings settings) {
        return new KernelThreads(
                settings.threads(), settings.kernelCalls(), settings.patience(), BlockTargets.ofThisKernel());
    }

    @Provides
    static StagedHandles stagedHandles() {
        return new KubeletHandles();
    }

    @Provides
    static KernelCalls kernelCalls(KernelThreads threads) {
        return threads::hanging;
    }

    @Provides
    @Singleton
    static Mounter mounter(NodeSettings settings, KernelThreads threads, CommandRunner programs) {
        return LinuxMounter.ofThisKernel(threads, programs, settings.patience());
    }

    @Binds
    Mounts mounts(Mounter mounter);

    @Provides
    static MountPropagation propagation(StagingSettings settings) {
        return new KubeletPropagation(settings.kubelet());
    }

    @Provides
    @Singleton
    static StageJournal journal(NodeSettings settings) {
        return new FileJournal(settings.journal());
    }

    @Provides
    @Singleton
    static Filesystems filesystems(NodeSettings settings, KernelThreads threads, CommandRunner programs) {
        return new LinuxFilesystems(threads, programs, settings.filesystems());
    }

    @Provides
    static NodePorts ports(
            NodeSettings settings,
            Mounter mounter,
            Map<Class<?>, Attacher<?>> attachers,
            Filesystems filesystems,
            StageJournal journal) {
        return new NodePorts(mounter, List.copyOf(attachers.values()), filesystems, journal, settings.mountFlags());
    }
}
