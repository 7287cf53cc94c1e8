package dev.fairlead.bootstrap.serving;

import dagger.BindsInstance;
import dagger.Component;
import dev.fairlead.adapter.grpc.GrpcModule;
import dev.fairlead.adapter.k8s.KubernetesModule;
import dev.fairlead.adapter.local.host.ThisMachineModule;
import dev.fairlead.adapter.node.NodeModule;
import dev.fairlead.bootstrap.serving.process.Startup;
import jakarta.inject.Singleton;

/** Builds a node: mounts, and neither clients nor credentials of storage. */
@Component(
        modules = {
            ClusterModule.class,
            GrpcModule.class,
            KubernetesModule.class,
            NodeHalfModule.class,
            NodeModule.class,
            ProcessModule.class,
            ThisMachineModule.class
        })
@Singleton
interface NodeComponent {
    Serving serving();

    /** Builds the graph. */
    @Component.Factory
    interface Factory {
        NodeComponent create(@BindsInstance Startup startup);
    }
}
