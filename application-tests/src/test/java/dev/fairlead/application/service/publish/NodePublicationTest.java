package dev.fairlead.application.service.publish;

import static dev.fairlead.application.service.PublishFixture.ID;
import static dev.fairlead.application.service.PublishFixture.SHARED;
import static dev.fairlead.application.service.PublishFixture.VOLUME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.in.volume.PublishVolume;
import dev.fairlead.application.service.ControllerFixture;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.topology.Placement;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.VolumeCapability;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.InMemoryReplicas;
import dev.fairlead.testkit.fake.InMemoryStorage;
import dev.fairlead.testkit.fake.ReplicaExporter;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** ControllerPublishVolume over a storage that makes a volume available on single nodes. */
class NodePublicationTest {
    private static final VolumeCapability EXCLUSIVE = TestVolumes.mount(AccessMode.SINGLE_NODE_WRITER);

    private final InMemoryReplicas nas = InMemoryReplicas.of(InMemoryStorage.named("nas"), 2, "a", "b", "c");
    private final ControllerFixture open = ControllerFixture.proxy()
            .with(nas, ControllerFixture.settings(Placement.ANYWHERE, Map.of(), ControllerFixture.PATIENT));
    private final ControllerFixture closed = ControllerFixture.proxy().with(nas, ControllerFixture.closed());

    @AfterEach
    void close() {
        open.close();
        closed.close();
    }

    private static Map<String, String> publish(ControllerFixture by, String node, VolumeCapability capability) {
        return by.useCases
                .publishVolume()
                .publish(new PublishVolume.Command(VOLUME, node, capability, false), TestWork.patient());
    }

    private void unpublish(Optional<String> node) {
        closed.useCases.unpublishVolume().unpublish(VOLUME, node, TestWork.patient());
    }

    private boolean isOn(String node) {
        return nas.published(ID).of(node).isPresent();
    }

    @Test
    void an_open_volume_is_made_available_and_its_context_answered_at_every_repetition() {
        open.create("pvc-1", "nas");

        Map<String, String> context = publish(open, "n=node-1", EXCLUSIVE);

        assertThat(context).containsExactly(Map.entry(ReplicaExporter.DEVICE, "/dev/replica/node-1/pvc-1"));
        assertThat(publish(open, "n=node-1", EXCLUSIVE)).isEqualTo(context);
        assertThat(isOn("node-1")).isTrue();
        assertThat(nas.published(ID).initiators()).containsOnlyKeys("node-1");
    }

    @Test
    void unpublishing_takes_the_volume_from_that_node_by_its_name_alone() {
        closed.create("pvc-1", "nas");
        var _ = publish(closed, "n=node-1/h=host-1/a=10.0.0.1", SHARED);
        var _ = publish(closed, "n=host-1/a=10.0.0.2", SHARED);
        assertThat(nas.storageAdmits(ID)).containsExactly("10.0.0.1", "10.0.0.2");

        unpublish(Optional.of("n=node-1/h=host-1/a=10.9.9.9"));

        assertThat(isOn("node-1")).isFalse();
        assertThat(isOn("host-1"))
                .as("another node's name is this one's host name")
                .isTrue();
        assertThat(nas.storageAdmits(ID)).containsExactly("10.0.0.2");
        unpublish(Optional.empty());
        assertThat(isOn("host-1")).isFalse();
        assertThat(nas.storageAdmits(ID)).isEmpty();
    }

    @Test
    void a_node_that_the_storage_cannot_name_is_refused_before_the_first_effect() {
        closed.create("pvc-1", "nas");
        String before = nas.dump();

        assertThatThrownBy(() -> publish(closed, "a=10.0.0.1", SHARED)).hasMessageContaining("nodeId.parts.nodeName");
        Failing.with(Failure.NodeUnfit.class, () -> publish(closed, "n=node_1:x/a=10.0.0.1", SHARED));

        assertThat(nas.dump()).isEqualTo(before);
    }

    @Test
    void what_the_storage_refuses_is_answered() {
        open.create("pvc-1", "nas");
        var _ = publish(open, "n=node-1", EXCLUSIVE);

        Failing.with(Failure.PublishedToOtherNode.class, () -> publish(open, "n=node-2", EXCLUSIVE));

        assertThat(isOn("node-2")).isFalse();
    }

    @Test
    void deleting_a_volume_takes_it_from_every_node() {
        open.create("pvc-1", "nas");
        var _ = publish(open, "n=node-1", EXCLUSIVE);

        open.useCases.deleteVolume().delete(VOLUME, TestWork.patient());

        assertThat(nas.dump()).isEmpty();
        unpublish(Optional.of("n=node-1"));
    }
}
