package dev.fairlead.testkit.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.in.PublishVolume;
import dev.fairlead.domain.access.Grant;
import dev.fairlead.domain.access.Grants;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.handle.HandleCodec;
import dev.fairlead.domain.topology.Placement;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.VolumeCapability;
import dev.fairlead.testkit.Concurrently;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.InMemoryStorage;
import dev.fairlead.testkit.fake.InMemoryVolumeStore;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** ControllerPublishVolume and its way back, over volumes that are closed and volumes that are open. */
class PublishTest {
    private static final String ONE = "n=node-1/a=10.0.0.1";
    private static final String TWO = "n=node-2/a=10.0.0.2";
    private static final String VOLUME = "v:nas/pvc-1";
    private static final NativeId ID = TestVolumes.id("pvc-1");
    private static final VolumeCapability SHARED = TestVolumes.mount(AccessMode.MULTI_NODE_MULTI_WRITER);

    private final InMemoryStorage nas = InMemoryStorage.named("nas");
    private final InMemoryStorage open = InMemoryStorage.named("open");
    private final Controller controller =
            Controller.proxy().with(nas, Controller.closed()).with(open);

    @AfterEach
    void close() {
        controller.close();
    }

    private void publish(String handle, String node, VolumeCapability capability, boolean readonly) {
        publish(controller, handle, node, capability, readonly);
    }

    private static void publish(
            Controller by, String handle, String node, VolumeCapability capability, boolean readonly) {
        by.useCases
                .publishVolume()
                .publish(new PublishVolume.Command(handle, node, capability, readonly), TestWork.patient());
    }

    private void unpublish(String handle, Optional<String> node) {
        controller.useCases.unpublishVolume().unpublish(handle, node, TestWork.patient());
    }

    private List<String> letIn() {
        return List.copyOf(nas.admitted(ID).orElseThrow().initiators().keySet());
    }

    @Test
    void a_closed_volume_is_reached_by_the_nodes_that_it_is_published_to() {
        controller.create("pvc-1", "nas");
        assertThat(letIn()).isEmpty();

        publish(VOLUME, ONE, SHARED, false);
        publish(VOLUME, TWO, SHARED, true);

        assertThat(nas.admitted(ID).orElseThrow().initiators())
                .containsEntry("10.0.0.1", false)
                .containsEntry("10.0.0.2", true);

        unpublish(VOLUME, Optional.of(ONE));
        assertThat(letIn()).containsExactly("10.0.0.2");
        unpublish(VOLUME, Optional.of(ONE));
        unpublish(VOLUME, Optional.empty());
        assertThat(letIn()).isEmpty();
    }

    /** Its id is all that is left of it, and that of another time. */
    @Test
    void a_node_that_is_gone_or_has_another_address_by_now_is_shut_out_by_its_name() {
        controller.create("pvc-1", "nas");
        publish(VOLUME, ONE, SHARED, false);

        unpublish(VOLUME, Optional.of("n=node-1"));

        assertThat(letIn()).isEmpty();
    }

    @Test
    void a_node_that_comes_back_with_another_address_is_let_in_by_that_alone() {
        controller.create("pvc-1", "nas");
        publish(VOLUME, ONE, SHARED, false);

        publish(VOLUME, "n=node-1/a=10.0.0.9", SHARED, false);

        assertThat(letIn()).containsExactly("10.0.0.9");
    }

    @Test
    void publishing_again_changes_nothing() {
        controller.create("pvc-1", "nas");
        publish(VOLUME, ONE, SHARED, false);
        String once = nas.dump();

        publish(VOLUME, ONE, SHARED, false);

        assertThat(nas.dump()).isEqualTo(once);
    }

    @Test
    void a_restarted_controller_knows_who_has_what() {
        controller.create("pvc-1", "nas");
        publish(VOLUME, ONE, SHARED, false);
        try (Controller restarted = Controller.proxy().with(nas, Controller.closed())) {
            restarted.useCases.unpublishVolume().unpublish(VOLUME, Optional.of(ONE), TestWork.patient());
        }

        assertThat(letIn()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = AccessMode.class,
            names = {
                "SINGLE_NODE_WRITER",
                "SINGLE_NODE_READER_ONLY",
                "SINGLE_NODE_SINGLE_WRITER",
                "SINGLE_NODE_MULTI_WRITER"
            })
    void a_volume_for_one_node_is_refused_to_a_second(AccessMode mode) {
        controller.create("pvc-1", "nas");
        publish(VOLUME, ONE, TestVolumes.mount(mode), false);

        assertThatThrownBy(() -> publish(VOLUME, TWO, TestVolumes.mount(mode), false))
                .hasMessageContaining("FL-PUB-003")
                .hasMessageContaining("node-1");
        Failing.with(Failure.PublishedToOther.class, () -> publish(VOLUME, TWO, SHARED, false));

        assertThat(letIn()).containsExactly("10.0.0.1");
        unpublish(VOLUME, Optional.of(ONE));
        publish(VOLUME, TWO, TestVolumes.mount(mode), false);
        assertThat(letIn()).containsExactly("10.0.0.2");
    }

    @Test
    void another_way_of_use_on_the_same_node_is_a_conflict() {
        controller.create("pvc-1", "nas");
        publish(VOLUME, ONE, SHARED, false);

        assertThatThrownBy(() -> publish(VOLUME, ONE, SHARED, true))
                .hasMessageContaining("FL-PUB-004")
                .hasMessageContaining("for writing");
        Failing.with(
                Failure.PublicationConflict.class,
                () -> publish(VOLUME, ONE, TestVolumes.mount(AccessMode.MULTI_NODE_READER_ONLY), false));
    }

    @ParameterizedTest
    @ValueSource(strings = {"node-1", "n=", "x=y", "n=node-1/i9=abc", "/", "n=a/n=b"})
    void an_id_that_no_node_has_is_not_found_and_never_had_a_volume(String node) {
        controller.create("pvc-1", "nas");
        publish(VOLUME, ONE, SHARED, false);

        Failing.with(Failure.NodeNotFound.class, () -> publish(VOLUME, node, SHARED, false));
        unpublish(VOLUME, Optional.of(node));

        assertThat(letIn()).containsExactly("10.0.0.1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"n=node-1", "n=node-1/a=nonsense", "n=node-1/a=10.0.0.1,10.0.0.2", "n=node-1/a=*"})
    void a_node_that_the_storage_could_not_tell_from_others_is_refused_with_the_remedy(String node) {
        controller.create("pvc-1", "nas");

        assertThatThrownBy(() -> publish(VOLUME, node, SHARED, false))
                .hasMessageContaining("FL-PUB-002")
                .hasMessageContaining("nodeId.parts.address");

        assertThat(letIn()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a=10.0.0.1", "n=a b/a=10.0.0.1", "n=a,b rw/a=10.0.0.1"})
    void a_node_without_a_name_that_could_be_recorded_is_refused(String node) {
        controller.create("pvc-1", "nas");

        assertThatThrownBy(() -> publish(VOLUME, node, SHARED, false)).hasMessageContaining("nodeId.parts.nodeName");
    }

    @Test
    void what_is_not_there_is_not_found_when_published_and_done_when_unpublished() {
        Failing.with(Failure.VolumeNotFound.class, () -> publish(VOLUME, ONE, SHARED, false));
        Failing.with(Failure.VolumeNotFound.class, () -> publish("nonsense", ONE, SHARED, false));
        Failing.with(Failure.ConnectionUnknown.class, () -> publish("v:gone/pvc-1", ONE, SHARED, false));

        unpublish(VOLUME, Optional.of(ONE));
        unpublish("nonsense", Optional.of(ONE));
        Failing.with(Failure.ConnectionUnknown.class, () -> unpublish("v:gone/pvc-1", Optional.of(ONE)));
    }

    @Test
    void a_way_of_use_that_the_connection_does_not_serve_is_refused() {
        controller.create("pvc-1", "nas");

        Failing.with(Failure.InvalidRequest.class, () -> publish(VOLUME, ONE, TestVolumes.BLOCK, false));
    }

    @Test
    void an_open_volume_is_published_without_any_effect() {
        controller.create("pvc-1", "open");
        String before = open.dump();
        TestWork work = TestWork.patient();

        controller
                .useCases
                .publishVolume()
                .publish(new PublishVolume.Command("v:open/pvc-1", "n=node-1", SHARED, false), work);
        controller.useCases.unpublishVolume().unpublish("v:open/pvc-1", Optional.empty(), work);

        assertThat(work.effects()).isEmpty();
        assertThat(open.dump()).isEqualTo(before);
        assertThat(open.admitted(ID)).isEmpty();
    }

    @Test
    void a_volume_stays_as_it_was_born_whatever_becomes_of_the_setting() {
        controller.create("pvc-1", "nas");
        controller.create("pvc-2", "open");
        try (Controller other = Controller.proxy()
                .with(nas, Controller.settings(Placement.ANYWHERE, Map.of(), Controller.PATIENT))
                .with(open, Controller.closed())) {
            publish(other, VOLUME, ONE, TestVolumes.MOUNT, false);
            publish(other, "v:open/pvc-2", ONE, TestVolumes.MOUNT, false);
        }

        assertThat(letIn()).containsExactly("10.0.0.1");
        assertThat(open.admitted(TestVolumes.id("pvc-2"))).isEmpty();
    }

    @Test
    void a_create_that_is_repeated_while_the_volume_is_in_use_shuts_nobody_out() {
        controller.create("pvc-1", "nas");
        publish(VOLUME, ONE, SHARED, false);

        controller.create("pvc-1", "nas");

        assertThat(letIn()).containsExactly("10.0.0.1");
    }

    @Test
    void a_volume_goes_with_who_had_it() {
        controller.create("pvc-1", "nas");
        publish(VOLUME, ONE, SHARED, false);

        controller.useCases.deleteVolume().delete(VOLUME, TestWork.patient());

        assertThat(nas.isEmpty()).isTrue();
        assertThat(nas.admitted(ID)).isEmpty();
    }

    @Test
    void two_controllers_that_publish_at_once_lose_no_node() {
        controller.create("pvc-1", "nas");
        for (int round = 0; round < 20; round++) {
            try (Controller other = Controller.proxy().with(nas, Controller.closed())) {
                Concurrently.run(List.of(
                        () -> publish(controller, VOLUME, ONE, SHARED, false),
                        () -> publish(other, VOLUME, TWO, SHARED, false)));
            }
            assertThat(letIn()).containsExactly("10.0.0.1", "10.0.0.2");
            unpublish(VOLUME, Optional.empty());
        }
    }

    /** Another controller records a node between our look and our record, which overwrites it; it comes to itself. */
    @Test
    void a_record_that_another_controller_overwrote_is_made_again() {
        controller.create("pvc-1", "nas");
        var once = new AtomicBoolean(true);
        var admissions = new AtomicBoolean();
        nas.beforeEachCall(() -> {
            if (nas.admitted(ID).orElse(Grants.NONE).of("node-1").isPresent() && once.getAndSet(false)) {
                admissions.set(true);
                var store = new InMemoryVolumeStore(nas);
                store.note(
                        ID,
                        Grants.NONE
                                .with(new Grant("node-2", "10.0.0.2", false, AccessMode.MULTI_NODE_MULTI_WRITER, false))
                                .note(),
                        TestWork.patient());
            }
        });

        publish(VOLUME, ONE, SHARED, false);

        nas.recover();
        assertThat(admissions).isTrue();
        assertThat(letIn()).containsExactly("10.0.0.1", "10.0.0.2");
        unpublish(VOLUME, Optional.of(TWO));
        assertThat(letIn()).containsExactly("10.0.0.1");
    }

    @Test
    void a_driver_that_is_alone_publishes_too() {
        InMemoryStorage storage = InMemoryStorage.named("alone");
        try (Controller alone = Controller.alone(storage)) {
            assertThat(alone.codec).isInstanceOf(HandleCodec.Bare.class);
            alone.create("pvc-1", Map.of());
            publish(alone, "pvc-1", ONE, TestVolumes.MOUNT, false);
        }
    }
}
