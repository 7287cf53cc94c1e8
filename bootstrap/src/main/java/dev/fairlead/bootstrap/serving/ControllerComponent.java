package dev.fairlead.bootstrap.serving;

import dagger.BindsInstance;
import dagger.Component;
import dev.fairlead.adapter.grpc.GrpcModule;
import dev.fairlead.adapter.k8s.KubernetesModule;
import dev.fairlead.adapter.kernel.lio.TargetModule;
import dev.fairlead.adapter.kernel.nvmet.NvmetModule;
import dev.fairlead.adapter.local.directory.LocalModule;
import dev.fairlead.adapter.local.host.HostModule;
import dev.fairlead.adapter.ssh.SshModule;
import dev.fairlead.adapter.zfs.share.ShareModule;
import dev.fairlead.adapter.zfs.store.ZfsStoreModule;
import dev.fairlead.bootstrap.serving.process.Startup;
import jakarta.inject.Singleton;

/** Builds a controller: storage, and no mounts. */
@Component(
        modules = {
            ClusterModule.class,
            ControllerModule.class,
            GrpcModule.class,
            KubernetesModule.class,
            LocalModule.class,
            HostModule.class,
            SshModule.class,
            NvmetModule.class,
            ShareModule.class,
            TargetModule.class,
            ZfsStoreModule.class,
            ProcessModule.class
        })
@Singleton
interface ControllerComponent {
    Serving serving();

    /** Builds the graph. */
    @Component.Factory
    interface Factory {
        ControllerComponent create(@BindsInstance Startup startup);
    }
}
