package dev.fairlead.bootstrap.serving;

import dagger.Module;
import dagger.Provides;
import dev.fairlead.adapter.k8s.ElectionSettings;
import dev.fairlead.adapter.k8s.EventSettings;
import dev.fairlead.adapter.k8s.KubernetesSettings;
import dev.fairlead.application.port.out.cluster.Announcer;
import dev.fairlead.application.port.out.cluster.Leadership;
import dev.fairlead.bootstrap.cluster.ClusterAccess;
import dev.fairlead.bootstrap.options.ClusterOptions;
import jakarta.inject.Provider;
import jakarta.inject.Singleton;
import java.util.Optional;

/** What was asked of Kubernetes. The rest is not there: neither its client nor the libraries below it are loaded. */
@Module
interface ClusterModule {
    @Provides
    static KubernetesSettings access(Startup startup) {
        return ClusterAccess.read(name -> startup.facts().env(name).orElse(""), KubernetesSettings.ACCOUNT);
    }

    @Provides
    static ElectionSettings election(Startup startup) {
        ClusterOptions.Election asked = startup.options().cluster().election().orElseThrow();
        return ElectionSettings.of(asked.namespace(), asked.lease(), asked.candidate());
    }

    @Provides
    static EventSettings events(Startup startup) {
        ClusterOptions.Pod pod = startup.options().cluster().events().orElseThrow();
        return new EventSettings(pod.namespace(), pod.name(), pod.uid());
    }

    @Provides
    @Singleton
    static Optional<Leadership> leadership(Startup startup, Provider<Leadership> leadership) {
        return startup.options().cluster().election().map(_ -> leadership.get());
    }

    @Provides
    @Singleton
    static Optional<Announcer> announcer(Startup startup, Provider<Announcer> announcer) {
        return startup.options().cluster().events().map(_ -> announcer.get());
    }
}
