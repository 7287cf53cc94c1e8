package dev.fairlead.bootstrap.affinity;

import dagger.BindsInstance;
import dagger.Component;
import dev.fairlead.adapter.k8s.KubernetesModule;
import dev.fairlead.adapter.k8s.affinity.AffinitySettings;
import dev.fairlead.adapter.k8s.api.KubernetesSettings;
import dev.fairlead.adapter.k8s.election.ElectionSettings;
import dev.fairlead.adapter.k8s.takeover.OtherControllerSettings;
import dev.fairlead.application.port.out.cluster.Leadership;
import dev.fairlead.application.port.out.placement.AffinityAnnouncer;
import dev.fairlead.application.port.out.placement.AffinityChanger;
import dev.fairlead.application.port.out.placement.KnownNodes;
import dev.fairlead.application.port.out.placement.OtherController;
import dev.fairlead.application.port.out.placement.SavedVolumeTaking;
import dev.fairlead.application.port.out.placement.VolumeWatch;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.util.concurrent.ThreadFactory;

/** Provides what changing the affinity of volumes asks of Kubernetes. */
@Component(modules = KubernetesModule.class)
@Singleton
public interface AffinityComponent {
    VolumeWatch volumes();

    KnownNodes nodes();

    AffinityChanger changer();

    AffinityAnnouncer announcer();

    Leadership leadership();

    OtherController otherController();

    SavedVolumeTaking savedVolumeTaking();

    /** Builds the graph. */
    @Component.Factory
    interface Factory {
        AffinityComponent create(
                @BindsInstance KubernetesSettings settings,
                @BindsInstance AffinitySettings affinity,
                @BindsInstance ElectionSettings election,
                @BindsInstance OtherControllerSettings other,
                @BindsInstance InstantSource wall,
                @BindsInstance ThreadFactory threads);
    }
}
