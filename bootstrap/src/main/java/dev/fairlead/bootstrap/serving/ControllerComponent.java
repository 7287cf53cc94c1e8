package dev.fairlead.bootstrap.serving;

import dagger.BindsInstance;
import dagger.Component;
import dev.fairlead.adapter.grpc.GrpcModule;
import dev.fairlead.adapter.k8s.KubernetesModule;
import dev.fairlead.bootstrap.driver.StorageModules;
import dev.fairlead.bootstrap.serving.process.Startup;
import jakarta.inject.Singleton;

/** Builds a controller: storage, and no mounts. */
@Component(
        modules = {
            ClusterModule.class,
            ControllerModule.class,
            GrpcModule.class,
            KubernetesModule.class,
            ProcessModule.class,
            StorageModules.class
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
