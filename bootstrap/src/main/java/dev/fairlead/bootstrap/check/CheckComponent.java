package dev.fairlead.bootstrap.check;

import dagger.Component;
import dev.fairlead.adapter.kernel.lio.TargetModule;
import dev.fairlead.adapter.kernel.nvmet.NvmetModule;
import dev.fairlead.adapter.local.directory.LocalModule;
import dev.fairlead.adapter.local.host.HostModule;
import dev.fairlead.adapter.ssh.SshModule;
import dev.fairlead.adapter.zfs.share.ShareModule;
import dev.fairlead.adapter.zfs.store.ZfsStoreModule;
import dev.fairlead.application.port.out.export.ExporterFactory;
import dev.fairlead.application.port.out.store.StoreFactory;
import jakarta.inject.Singleton;
import java.util.Map;

/** Provides the factories that reading a connection needs, and nothing that serves. */
@Component(
        modules = {
            LocalModule.class,
            HostModule.class,
            SshModule.class,
            NvmetModule.class,
            ShareModule.class,
            TargetModule.class,
            ZfsStoreModule.class,
            CheckModule.class
        })
@Singleton
public interface CheckComponent {
    Map<String, StoreFactory> stores();

    Map<String, ExporterFactory> exporters();
}
