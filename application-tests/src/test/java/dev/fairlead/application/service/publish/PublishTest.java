package dev.fairlead.application.service.publish;

import static dev.fairlead.application.service.PublishFixture.ID;
import static dev.fairlead.application.service.PublishFixture.ONE;
import static dev.fairlead.application.service.PublishFixture.SHARED;
import static dev.fairlead.application.service.PublishFixture.TWO;
import static dev.fairlead.application.service.PublishFixture.VOLUME;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.in.volume.PublishVolume;
import dev.fairlead.application.service.ControllerFixture;
import dev.fairlead.application.service.PublishFixture;
import dev.fairlead.domain.access.Grant;
import dev.fairlead.domain.access.Grants;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.handle.HandleCodec;
import dev.fairlead.domain.topology.Placement;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.Concurrently;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.InMemoryExporter;
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
    private final PublishFixture fixture = new PublishFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void a_closed_volume_is_reached_by_the_nodes_that_it_is_published_to() {
        fixture.controller.create("pvc-1", "nas");
        assertThat(fixture.letIn()).isEmpty();

        fixture.publish(VOLUME, ONE, SHARED, false);
        fixture.publish(VOLUME, TWO, SHARED, true);

        assertThat(fixture.nas.admitted(ID).orElseThrow().initiators())
                .containsEntry("10.0.0.1", false)
                .containsEntry("10.0.0.2", true);

        fixture.unpublish(VOLUME, Optional.of(ONE));
        assertThat(fixture.letIn()).containsExactly("10.0.0.2");
        fixture.unpublish(VOLUME, Optional.of(ONE));
        fixture.unpublish(VOLUME, Optional.empty());
        assertThat(fixture.letIn()).isEmpty();
    }

    /** Its id is all that is left of it, and that of another time. */
    @Test
    void a_node_that_is_gone_or_has_another_address_by_now_is_shut_out_by_its_name() {
        fixture.controller.create("pvc-1", "nas");
        fixture.publish(VOLUME, ONE, SHARED, false);

        fixture.unpublish(VOLUME, Optional.of("n=node-1"));

        assertThat(fixture.letIn()).isEmpty();
    }

    @Test
    void a_node_that_comes_back_with_another_address_is_let_in_by_that_alone() {
        fixture.controller.create("pvc-1", "nas");
        fixture.publish(VOLUME, ONE, SHARED, false);

        fixture.publish(VOLUME, "n=node-1/a=10.0.0.9", SHARED, false);

        assertThat(fixture.letIn()).containsExactly("10.0.0.9");
    }

    @Test
    void publishing_again_changes_nothing() {
        fixture.controller.create("pvc-1", "nas");
        fixture.publish(VOLUME, ONE, SHARED, false);
        String once = fixture.nas.dump();

        fixture.publish(VOLUME, ONE, SHARED, false);

        assertThat(fixture.nas.dump()).isEqualTo(once);
    }

    @Test
    void a_restarted_controller_knows_who_has_what() {
        fixture.controller.create("pvc-1", "nas");
        fixture.publish(VOLUME, ONE, SHARED, false);
        try (ControllerFixture restarted = ControllerFixture.proxy().with(fixture.nas, ControllerFixture.closed())) {
            restarted.useCases.unpublishVolume().unpublish(VOLUME, Optional.of(ONE), TestWork.patient());
        }

        assertThat(fixture.letIn()).isEmpty();
    }

    @Test
    void an_open_volume_is_published_without_any_effect() {
        fixture.controller.create("pvc-1", "open");
        String before = fixture.open.dump();
        TestWork work = TestWork.patient();

        fixture.controller
                .useCases
                .publishVolume()
                .publish(new PublishVolume.Command("v:open/pvc-1", "n=node-1", SHARED, false), work);
        fixture.controller.useCases.unpublishVolume().unpublish("v:open/pvc-1", Optional.empty(), work);

        assertThat(work.effects()).isEmpty();
        assertThat(fixture.open.dump()).isEqualTo(before);
        assertThat(fixture.open.admitted(ID)).isEmpty();
    }

    @Test
    void a_volume_stays_as_it_was_born_whatever_becomes_of_the_setting() {
        fixture.controller.create("pvc-1", "nas");
        fixture.controller.create("pvc-2", "open");
        try (ControllerFixture other = ControllerFixture.proxy()
                .with(fixture.nas, ControllerFixture.settings(Placement.ANYWHERE, Map.of(), ControllerFixture.PATIENT))
                .with(fixture.open, ControllerFixture.closed())) {
            PublishFixture.publish(other, VOLUME, ONE, TestVolumes.MOUNT, false);
            PublishFixture.publish(other, "v:open/pvc-2", ONE, TestVolumes.MOUNT, false);
        }

        assertThat(fixture.letIn()).containsExactly("10.0.0.1");
        assertThat(fixture.open.admitted(TestVolumes.id("pvc-2"))).isEmpty();
    }

    @Test
    void a_create_that_is_repeated_while_the_volume_is_in_use_shuts_nobody_out() {
        fixture.controller.create("pvc-1", "nas");
        fixture.publish(VOLUME, ONE, SHARED, false);

        fixture.controller.create("pvc-1", "nas");

        assertThat(fixture.letIn()).containsExactly("10.0.0.1");
    }

    @Test
    void a_volume_goes_with_who_had_it() {
        fixture.controller.create("pvc-1", "nas");
        fixture.publish(VOLUME, ONE, SHARED, false);

        fixture.controller.useCases.deleteVolume().delete(VOLUME, TestWork.patient());

        assertThat(fixture.nas.isEmpty()).isTrue();
        assertThat(fixture.nas.admitted(ID)).isEmpty();
    }

    /** A copy may take hours, and a node that has died is shut out before another one is let in. */
    @Test
    void a_copy_of_the_volume_that_is_under_way_keeps_no_node_in_and_none_out() {
        fixture.controller.create("pvc-1", "nas");
        fixture.publish(VOLUME, ONE, SHARED, false);
        fixture.nas.beforeEachCall(() -> {
            fixture.nas.recover();
            fixture.unpublish(VOLUME, Optional.of(ONE));
            fixture.publish(VOLUME, TWO, SHARED, false);
        });

        fixture.controller.useCases.takeSnapshot().take(new CsiName("snap-1"), VOLUME, Map.of(), TestWork.patient());

        assertThat(fixture.letIn()).containsExactly("10.0.0.2");
    }

    /** What an exporter looks at and then changes cannot be changed by another call in between. */
    @Test
    void whoever_changes_who_has_a_volume_is_alone_with_it_in_its_process() {
        fixture.controller.create("pvc-1", "nas");
        var tried = new AtomicBoolean();
        fixture.nas.beforeEachCall(() -> {
            fixture.nas.recover();
            Failing.with(Failure.OperationPending.class, () -> fixture.publish(VOLUME, TWO, SHARED, false));
            Failing.with(Failure.OperationPending.class, () -> fixture.unpublish(VOLUME, Optional.empty()));
            Failing.with(Failure.OperationPending.class, () -> fixture.controller.create("pvc-1", "nas"));
            tried.set(true);
        });

        fixture.publish(VOLUME, ONE, SHARED, false);

        assertThat(tried).isTrue();
        assertThat(fixture.letIn()).containsExactly("10.0.0.1");
    }

    @Test
    void two_controllers_that_publish_at_once_lose_no_node() {
        fixture.controller.create("pvc-1", "nas");
        for (int round = 0; round < 20; round++) {
            try (ControllerFixture other = ControllerFixture.proxy().with(fixture.nas, ControllerFixture.closed())) {
                Concurrently.run(List.of(
                        () -> fixture.publish(VOLUME, ONE, SHARED, false),
                        () -> PublishFixture.publish(other, VOLUME, TWO, SHARED, false)));
            }
            assertThat(fixture.letIn()).containsExactly("10.0.0.1", "10.0.0.2");
            fixture.unpublish(VOLUME, Optional.empty());
        }
    }

    /**
     * Another world.controller records a node between our look and our record, which overwrites it; it comes to itself.
     */
    @Test
    void a_record_that_another_controller_overwrote_is_made_again() {
        fixture.controller.create("pvc-1", "nas");
        var once = new AtomicBoolean(true);
        var admissions = new AtomicBoolean();
        fixture.nas.beforeEachCall(() -> {
            if (fixture.nas.admitted(ID).orElse(Grants.NONE).of("node-1").isPresent() && once.getAndSet(false)) {
                admissions.set(true);
                var store = new InMemoryVolumeStore(fixture.nas);
                store.note(
                        ID,
                        Grants.NONE
                                .with(new Grant("node-2", "10.0.0.2", false, AccessMode.MULTI_NODE_MULTI_WRITER, false))
                                .note(),
                        TestWork.patient());
            }
        });

        fixture.publish(VOLUME, ONE, SHARED, false);

        fixture.nas.recover();
        assertThat(admissions).isTrue();
        assertThat(fixture.letIn()).containsExactly("10.0.0.1", "10.0.0.2");
        fixture.unpublish(VOLUME, Optional.of(TWO));
        assertThat(fixture.letIn()).containsExactly("10.0.0.1");
    }

    /** It had let its own node in by then, in the other's place. */
    @Test
    void who_loses_a_volume_for_one_node_to_another_controller_lets_that_ones_node_in() {
        fixture.controller.create("pvc-1", "nas");
        var once = new AtomicBoolean(true);
        fixture.nas.beforeEachCall(() -> {
            if (fixture.nas.admitted(ID).orElse(Grants.NONE).of("node-1").isPresent() && once.getAndSet(false)) {
                new InMemoryVolumeStore(fixture.nas)
                        .note(
                                ID,
                                Grants.NONE
                                        .with(new Grant(
                                                "node-2", "10.0.0.2", false, AccessMode.SINGLE_NODE_WRITER, false))
                                        .note(),
                                TestWork.patient());
            }
        });

        Failing.with(Failure.PublishedToOtherNode.class, () -> fixture.publish(VOLUME, ONE, SHARED, false));

        fixture.nas.recover();
        assertThat(once).isFalse();
        assertThat(fixture.letIn()).containsExactly("10.0.0.2");
    }

    /** It had planned its share by the record, which has the node until the call removes it. */
    @Test
    void a_node_that_another_controller_lets_in_again_while_it_is_shut_out_does_not_stay() {
        fixture.controller.create("pvc-1", "nas");
        fixture.publish(VOLUME, ONE, SHARED, false);
        fixture.publish(VOLUME, TWO, SHARED, false);
        Grants both = fixture.nas.admitted(ID).orElseThrow();
        var once = new AtomicBoolean(true);
        fixture.nas.beforeEachCall(() -> {
            if (!fixture.nas.admitted(ID).equals(Optional.of(both)) && once.getAndSet(false)) {
                TestWork late = TestWork.patient();
                StoredVolume volume =
                        new InMemoryVolumeStore(fixture.nas).find(ID, late).orElseThrow();
                new InMemoryExporter(fixture.nas).admit(volume, both, late);
            }
        });

        fixture.unpublish(VOLUME, Optional.of(ONE));

        fixture.nas.recover();
        assertThat(once).isFalse();
        assertThat(fixture.letIn()).containsExactly("10.0.0.2");
    }

    @Test
    void a_driver_that_is_alone_publishes_too() {
        InMemoryStorage storage = InMemoryStorage.named("alone");
        try (ControllerFixture alone = ControllerFixture.alone(storage)) {
            assertThat(alone.codec).isInstanceOf(HandleCodec.Bare.class);
            alone.create("pvc-1", Map.of());
            PublishFixture.publish(alone, "pvc-1", ONE, TestVolumes.MOUNT, false);
        }
    }
}
