package dev.fairlead.bootstrap.serving;

import dagger.BindsInstance;
import dagger.Component;
import dev.fairlead.adapter.grpc.GrpcModule;
import dev.fairlead.adapter.k8s.KubernetesModule;
import dev.fairlead.adapter.local.node.NodeModule;
import jakarta.inject.Singleton;

/** A node: mounts, and no storage's clients nor credentials. */
@Component(
        modules = {
            ClusterModule.class,
            GrpcModule.class,
            KubernetesModule.class,
            NodeHalfModule.class,
            NodeModule.class,
            ProcessModule.class
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
