package dev.fairlead.adapter.node.iscsi;

import dagger.Module;
import dagger.Provides;
import dagger.multibindings.ClassKey;
import dagger.multibindings.IntoMap;
import dev.fairlead.adapter.node.block.AttachLocks;
import dev.fairlead.adapter.node.block.MultipathMaps;
import dev.fairlead.adapter.node.block.PathRetry;
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

/** Provides the attacher of LUNs of iSCSI targets. */
@Module
public interface IscsiModule {
    /** The longest time for the kernel to make a device, and for multipathd to make a map. */
    Duration APPEARING = Duration.ofSeconds(15);

    Duration BEFORE_RETRY = Duration.ofSeconds(30);

    @Provides
    @Singleton
    @IntoMap
    @ClassKey(Attachment.Iscsi.class)
    static Attacher<?> iscsi(
            Mounts mounts, StageJournal journal, KernelThreads threads, CommandRunner programs, NodeSettings settings) {
        return attacher(mounts, journal, threads, programs, settings, BEFORE_RETRY);
    }

    /** @param beforeRetry the time before the first attempt at portals that were dead */
    static IscsiAttacher attacher(
            Mounts mounts,
            StageJournal journal,
            KernelThreads threads,
            CommandRunner programs,
            NodeSettings settings,
            Duration beforeRetry) {
        IscsiTools tools = new IscsiTools(programs, threads, Path.of("/"), settings.patience());
        LunDevices devices =
                LunDevices.ofThisKernel(MultipathMaps.ofThisKernel(threads, programs, settings.patience()), threads);
        // a portal that the attempts have not asked for longer than they ever pause is not tried in the background
        Duration belief = beforeRetry.multipliedBy(PathRetry.MOST_ROUNDS + 2);
        PortalProbes probes = new PortalProbes(PortProbe.BY_SOCKET, settings.threads(), beforeRetry, belief);
        NodeRecords records = new NodeRecords(
                tools,
                RecordRoots.ofThisProcess(),
                new OwnRecords(settings.journal(), Path.of("/proc/sys/kernel/random/boot_id")));
        IscsiLogins logins = new IscsiLogins(tools, records, devices.reads(), probes, settings.threads());
        LunPaths paths = new LunPaths(devices, new KernelWait(APPEARING));
        AttachLocks locks = new AttachLocks();
        IscsiRetry retry = new IscsiRetry(logins, paths, journal, locks, settings.threads(), beforeRetry);
        return new IscsiAttacher(mounts, logins, paths, locks, retry);
    }
}
