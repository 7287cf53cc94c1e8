package dev.fairlead.bootstrap.cluster;

import dagger.BindsInstance;
import dagger.Component;
import dev.fairlead.adapter.k8s.KubernetesModule;
import dev.fairlead.adapter.k8s.api.KubernetesSettings;
import dev.fairlead.application.port.out.adoption.Adoptions;
import dev.fairlead.application.port.out.cluster.DriverRemains;
import dev.fairlead.application.port.out.cluster.NodeOutlook;
import jakarta.inject.Singleton;

/** Provides what verbs ask of Kubernetes, and nothing that serves. */
@Component(modules = KubernetesModule.class)
@Singleton
public interface ClusterComponent {
    DriverRemains remains();

    NodeOutlook outlook();

    Adoptions adoptions();

    /** Builds the graph. */
    @Component.Factory
    interface Factory {
        ClusterComponent create(@BindsInstance KubernetesSettings settings);
    }
}
