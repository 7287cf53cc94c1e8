package dev.fairlead.testkit.application;

import static dev.fairlead.testkit.application.PublishWorld.ID;
import static dev.fairlead.testkit.application.PublishWorld.ONE;
import static dev.fairlead.testkit.application.PublishWorld.SHARED;
import static dev.fairlead.testkit.application.PublishWorld.TWO;
import static dev.fairlead.testkit.application.PublishWorld.VOLUME;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.in.PublishVolume;
import dev.fairlead.domain.access.Grant;
import dev.fairlead.domain.access.Grants;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.handle.HandleCodec;
import dev.fairlead.domain.topology.Placement;
import dev.fairlead.domain.volume.AccessMode;
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

/** ControllerPublishVolume and its way back, over volumes that are closed and volumes that are open. */
class PublishTest {
    private final PublishWorld world = new PublishWorld();

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    void a_closed_volume_is_reached_by_the_nodes_that_it_is_published_to() {
        world.controller.create("pvc-1", "nas");
        assertThat(world.letIn()).isEmpty();

        world.publish(VOLUME, ONE, SHARED, false);
        world.publish(VOLUME, TWO, SHARED, true);

        assertThat(world.nas.admitted(ID).orElseThrow().initiators())
                .containsEntry("10.0.0.1", false)
                .containsEntry("10.0.0.2", true);

        world.unpublish(VOLUME, Optional.of(ONE));
        assertThat(world.letIn()).containsExactly("10.0.0.2");
        world.unpublish(VOLUME, Optional.of(ONE));
        world.unpublish(VOLUME, Optional.empty());
        assertThat(world.letIn()).isEmpty();
    }

    /** Its id is all that is left of it, and that of another time. */
    @Test
    void a_node_that_is_gone_or_has_another_address_by_now_is_shut_out_by_its_name() {
        world.controller.create("pvc-1", "nas");
        world.publish(VOLUME, ONE, SHARED, false);

        world.unpublish(VOLUME, Optional.of("n=node-1"));

        assertThat(world.letIn()).isEmpty();
    }

    @Test
    void a_node_that_comes_back_with_another_address_is_let_in_by_that_alone() {
        world.controller.create("pvc-1", "nas");
        world.publish(VOLUME, ONE, SHARED, false);

        world.publish(VOLUME, "n=node-1/a=10.0.0.9", SHARED, false);

        assertThat(world.letIn()).containsExactly("10.0.0.9");
    }

    @Test
    void publishing_again_changes_nothing() {
        world.controller.create("pvc-1", "nas");
        world.publish(VOLUME, ONE, SHARED, false);
        String once = world.nas.dump();

        world.publish(VOLUME, ONE, SHARED, false);

        assertThat(world.nas.dump()).isEqualTo(once);
    }

    @Test
    void a_restarted_controller_knows_who_has_what() {
        world.controller.create("pvc-1", "nas");
        world.publish(VOLUME, ONE, SHARED, false);
        try (Controller restarted = Controller.proxy().with(world.nas, Controller.closed())) {
            restarted.useCases.unpublishVolume().unpublish(VOLUME, Optional.of(ONE), TestWork.patient());
        }

        assertThat(world.letIn()).isEmpty();
    }

    @Test
    void an_open_volume_is_published_without_any_effect() {
        world.controller.create("pvc-1", "open");
        String before = world.open.dump();
        TestWork work = TestWork.patient();

        world.controller
                .useCases
                .publishVolume()
                .publish(new PublishVolume.Command("v:open/pvc-1", "n=node-1", SHARED, false), work);
        world.controller.useCases.unpublishVolume().unpublish("v:open/pvc-1", Optional.empty(), work);

        assertThat(work.effects()).isEmpty();
        assertThat(world.open.dump()).isEqualTo(before);
        assertThat(world.open.admitted(ID)).isEmpty();
    }

    @Test
    void a_volume_stays_as_it_was_born_whatever_becomes_of_the_setting() {
        world.controller.create("pvc-1", "nas");
        world.controller.create("pvc-2", "open");
        try (Controller other = Controller.proxy()
                .with(world.nas, Controller.settings(Placement.ANYWHERE, Map.of(), Controller.PATIENT))
                .with(world.open, Controller.closed())) {
            PublishWorld.publish(other, VOLUME, ONE, TestVolumes.MOUNT, false);
            PublishWorld.publish(other, "v:open/pvc-2", ONE, TestVolumes.MOUNT, false);
        }

        assertThat(world.letIn()).containsExactly("10.0.0.1");
        assertThat(world.open.admitted(TestVolumes.id("pvc-2"))).isEmpty();
    }

    @Test
    void a_create_that_is_repeated_while_the_volume_is_in_use_shuts_nobody_out() {
        world.controller.create("pvc-1", "nas");
        world.publish(VOLUME, ONE, SHARED, false);

        world.controller.create("pvc-1", "nas");

        assertThat(world.letIn()).containsExactly("10.0.0.1");
    }

    @Test
    void a_volume_goes_with_who_had_it() {
        world.controller.create("pvc-1", "nas");
        world.publish(VOLUME, ONE, SHARED, false);

        world.controller.useCases.deleteVolume().delete(VOLUME, TestWork.patient());

        assertThat(world.nas.isEmpty()).isTrue();
        assertThat(world.nas.admitted(ID)).isEmpty();
    }

    @Test
    void two_controllers_that_publish_at_once_lose_no_node() {
        world.controller.create("pvc-1", "nas");
        for (int round = 0; round < 20; round++) {
            try (Controller other = Controller.proxy().with(world.nas, Controller.closed())) {
                Concurrently.run(List.of(
                        () -> world.publish(VOLUME, ONE, SHARED, false),
                        () -> PublishWorld.publish(other, VOLUME, TWO, SHARED, false)));
            }
            assertThat(world.letIn()).containsExactly("10.0.0.1", "10.0.0.2");
            world.unpublish(VOLUME, Optional.empty());
        }
    }

    /**
     * Another world.controller records a node between our look and our record, which overwrites it; it comes to itself.
     */
    @Test
    void a_record_that_another_controller_overwrote_is_made_again() {
        world.controller.create("pvc-1", "nas");
        var once = new AtomicBoolean(true);
        var admissions = new AtomicBoolean();
        world.nas.beforeEachCall(() -> {
            if (world.nas.admitted(ID).orElse(Grants.NONE).of("node-1").isPresent() && once.getAndSet(false)) {
                admissions.set(true);
                var store = new InMemoryVolumeStore(world.nas);
                store.note(
                        ID,
                        Grants.NONE
                                .with(new Grant("node-2", "10.0.0.2", false, AccessMode.MULTI_NODE_MULTI_WRITER, false))
                                .note(),
                        TestWork.patient());
            }
        });

        world.publish(VOLUME, ONE, SHARED, false);

        world.nas.recover();
        assertThat(admissions).isTrue();
        assertThat(world.letIn()).containsExactly("10.0.0.1", "10.0.0.2");
        world.unpublish(VOLUME, Optional.of(TWO));
        assertThat(world.letIn()).containsExactly("10.0.0.1");
    }

    /** It had let its own node in by then, in the other's place. */
    @Test
    void who_loses_a_volume_for_one_node_to_another_controller_lets_that_ones_node_in() {
        world.controller.create("pvc-1", "nas");
        var once = new AtomicBoolean(true);
        world.nas.beforeEachCall(() -> {
            if (world.nas.admitted(ID).orElse(Grants.NONE).of("node-1").isPresent() && once.getAndSet(false)) {
                new InMemoryVolumeStore(world.nas)
                        .note(
                                ID,
                                Grants.NONE
                                        .with(new Grant(
                                                "node-2", "10.0.0.2", false, AccessMode.SINGLE_NODE_WRITER, false))
                                        .note(),
                                TestWork.patient());
            }
        });

        Failing.with(Failure.PublishedToOther.class, () -> world.publish(VOLUME, ONE, SHARED, false));

        world.nas.recover();
        assertThat(once).isFalse();
        assertThat(world.letIn()).containsExactly("10.0.0.2");
    }

    @Test
    void a_driver_that_is_alone_publishes_too() {
        InMemoryStorage storage = InMemoryStorage.named("alone");
        try (Controller alone = Controller.alone(storage)) {
            assertThat(alone.codec).isInstanceOf(HandleCodec.Bare.class);
            alone.create("pvc-1", Map.of());
            PublishWorld.publish(alone, "pvc-1", ONE, TestVolumes.MOUNT, false);
        }
    }
}
