package dev.fairlead.testkit.application;

import static dev.fairlead.testkit.application.PublishWorld.ONE;
import static dev.fairlead.testkit.application.PublishWorld.SHARED;
import static dev.fairlead.testkit.application.PublishWorld.TWO;
import static dev.fairlead.testkit.application.PublishWorld.VOLUME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What ControllerPublishVolume refuses, and why; nobody is let in or shut out by it. */
class PublishRefusalsTest {
    private final PublishWorld world = new PublishWorld();

    @AfterEach
    void close() {
        world.close();
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
        world.controller.create("pvc-1", "nas");
        world.publish(VOLUME, ONE, TestVolumes.mount(mode), false);

        assertThatThrownBy(() -> world.publish(VOLUME, TWO, TestVolumes.mount(mode), false))
                .hasMessageContaining("FL-PUB-003")
                .hasMessageContaining("node-1");
        Failing.with(Failure.PublishedToOther.class, () -> world.publish(VOLUME, TWO, SHARED, false));

        assertThat(world.letIn()).containsExactly("10.0.0.1");
        world.unpublish(VOLUME, Optional.of(ONE));
        world.publish(VOLUME, TWO, TestVolumes.mount(mode), false);
        assertThat(world.letIn()).containsExactly("10.0.0.2");
    }

    @Test
    void another_way_of_use_on_the_same_node_is_a_conflict() {
        world.controller.create("pvc-1", "nas");
        world.publish(VOLUME, ONE, SHARED, false);

        assertThatThrownBy(() -> world.publish(VOLUME, ONE, SHARED, true))
                .hasMessageContaining("FL-PUB-004")
                .hasMessageContaining("for writing");
        Failing.with(
                Failure.PublicationConflict.class,
                () -> world.publish(VOLUME, ONE, TestVolumes.mount(AccessMode.MULTI_NODE_READER_ONLY), false));
    }

    @ParameterizedTest
    @ValueSource(strings = {"node-1", "n=", "x=y", "i9=abc", "/", "n=a/n=b"})
    void an_id_that_no_node_has_is_not_found_and_never_had_a_volume(String node) {
        world.controller.create("pvc-1", "nas");
        world.publish(VOLUME, ONE, SHARED, false);

        Failing.with(Failure.NodeNotFound.class, () -> world.publish(VOLUME, node, SHARED, false));
        world.unpublish(VOLUME, Optional.of(node));

        assertThat(world.letIn()).containsExactly("10.0.0.1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "n=node-1",
                "n=node-1/a=10.9.9.9",
                "n=node-1/i9=abc",
                "n=node-1/z=later",
                "n=node-1.example.org/h=node-1",
                "h=node-1/i9=abc"
            })
    void a_node_is_shut_out_by_its_name_whatever_else_its_id_says_by_now(String node) {
        world.controller.create("pvc-1", "nas");
        world.publish(VOLUME, ONE, SHARED, false);
        world.publish(VOLUME, TWO, SHARED, false);

        world.unpublish(VOLUME, Optional.of(node));

        assertThat(world.letIn()).containsExactly("10.0.0.2");
    }

    @Test
    void an_id_with_a_short_name_that_is_not_known_here_is_not_let_in() {
        world.controller.create("pvc-1", "nas");

        Failing.with(Failure.NodeNotFound.class, () -> world.publish(VOLUME, "n=node-1/i9=abc", SHARED, false));
    }

    @ParameterizedTest
    @ValueSource(strings = {"n=node-1", "n=node-1/a=nonsense", "n=node-1/a=10.0.0.1,10.0.0.2", "n=node-1/a=*"})
    void a_node_that_the_storage_could_not_tell_from_others_is_refused_with_the_remedy(String node) {
        world.controller.create("pvc-1", "nas");

        assertThatThrownBy(() -> world.publish(VOLUME, node, SHARED, false))
                .hasMessageContaining("FL-PUB-002")
                .hasMessageContaining("nodeId.parts.address");

        assertThat(world.letIn()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a=10.0.0.1", "n=a b/a=10.0.0.1", "n=a,b rw/a=10.0.0.1"})
    void a_node_without_a_name_that_could_be_recorded_is_refused(String node) {
        world.controller.create("pvc-1", "nas");

        assertThatThrownBy(() -> world.publish(VOLUME, node, SHARED, false))
                .hasMessageContaining("nodeId.parts.nodeName");
    }

    @Test
    void what_is_not_there_is_not_found_when_published_and_done_when_unpublished() {
        Failing.with(Failure.VolumeNotFound.class, () -> world.publish(VOLUME, ONE, SHARED, false));
        Failing.with(Failure.VolumeNotFound.class, () -> world.publish("nonsense", ONE, SHARED, false));
        Failing.with(Failure.ConnectionUnknown.class, () -> world.publish("v:gone/pvc-1", ONE, SHARED, false));

        world.unpublish(VOLUME, Optional.of(ONE));
        world.unpublish("nonsense", Optional.of(ONE));
        Failing.with(Failure.ConnectionUnknown.class, () -> world.unpublish("v:gone/pvc-1", Optional.of(ONE)));
    }

    @Test
    void a_way_of_use_that_the_connection_does_not_serve_is_refused() {
        world.controller.create("pvc-1", "nas");

        Failing.with(Failure.InvalidRequest.class, () -> world.publish(VOLUME, ONE, TestVolumes.BLOCK, false));
    }
}
