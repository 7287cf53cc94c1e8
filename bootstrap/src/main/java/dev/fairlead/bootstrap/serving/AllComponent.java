package dev.fairlead.bootstrap.serving;

import dagger.BindsInstance;
import dagger.Component;
import dev.fairlead.adapter.grpc.GrpcModule;
import dev.fairlead.adapter.k8s.KubernetesModule;
import dev.fairlead.adapter.local.host.ThisMachineModule;
import dev.fairlead.adapter.node.NodeModule;
import dev.fairlead.bootstrap.driver.StorageModules;
import dev.fairlead.bootstrap.serving.process.Startup;
import jakarta.inject.Singleton;

/** Builds both halves in one process, over one table of locks. */
@Component(
        modules = {
            ClusterModule.class,
            ControllerModule.class,
            GrpcModule.class,
            KubernetesModule.class,
            NodeHalfModule.class,
            NodeModule.class,
            ProcessModule.class,
            StorageModules.class,
            ThisMachineModule.class
        })
@Singleton
interface AllComponent {
    Serving serving();

    /** Builds the graph. */
    @Component.Factory
    interface Factory {
        AllComponent create(@BindsInstance Startup startup);
    }
}
