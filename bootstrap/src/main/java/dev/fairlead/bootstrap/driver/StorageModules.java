package dev.fairlead.bootstrap.driver;

import dagger.Module;
import dagger.Provides;
import dev.fairlead.adapter.freenas.FreenasExportModule;
import dev.fairlead.adapter.freenas.FreenasHybridModule;
import dev.fairlead.adapter.freenas.FreenasModule;
import dev.fairlead.adapter.kernel.lio.TargetModule;
import dev.fairlead.adapter.kernel.nvmet.NvmetModule;
import dev.fairlead.adapter.local.directory.LocalModule;
import dev.fairlead.adapter.local.host.HostModule;
import dev.fairlead.adapter.local.pool.PoolModule;
import dev.fairlead.adapter.ssh.SshModule;
import dev.fairlead.adapter.zfs.share.ShareModule;
import dev.fairlead.adapter.zfs.store.ZfsStoreModule;
import dev.fairlead.application.port.out.host.CommandRunnerFactory;
import dev.fairlead.application.port.out.host.StorageHosts;
import java.util.Map;

/**
 * Lists the modules of all stores and exporters, and of the ways to their storage hosts. A new one is added here, and
 * every component has it.
 */
@Module(
        includes = {
            FreenasExportModule.class,
            FreenasHybridModule.class,
            FreenasModule.class,
            HostModule.class,
            LocalModule.class,
            NvmetModule.class,
            PoolModule.class,
            ShareModule.class,
            SshModule.class,
            TargetModule.class,
            ZfsStoreModule.class
        })
public interface StorageModules {
    @Provides
    static StorageHosts hosts(Map<String, CommandRunnerFactory> runners) {
        return new StorageHosts(runners);
    }
}
