package dev.fairlead.application.service.publish;

import static dev.fairlead.application.service.PublishFixture.ONE;
import static dev.fairlead.application.service.PublishFixture.SHARED;
import static dev.fairlead.application.service.PublishFixture.TWO;
import static dev.fairlead.application.service.PublishFixture.VOLUME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.service.PublishFixture;
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
    private final PublishFixture fixture = new PublishFixture();

    @AfterEach
    void close() {
        fixture.close();
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
        fixture.controller.create("pvc-1", "nas");
        fixture.publish(VOLUME, ONE, TestVolumes.mount(mode), false);

        assertThatThrownBy(() -> fixture.publish(VOLUME, TWO, TestVolumes.mount(mode), false))
                .hasMessageContaining("FL-PUB-003")
                .hasMessageContaining("node-1");
        Failing.with(Failure.PublishedToOtherNode.class, () -> fixture.publish(VOLUME, TWO, SHARED, false));

        assertThat(fixture.letIn()).containsExactly("10.0.0.1");
        fixture.unpublish(VOLUME, Optional.of(ONE));
        fixture.publish(VOLUME, TWO, TestVolumes.mount(mode), false);
        assertThat(fixture.letIn()).containsExactly("10.0.0.2");
    }

    @Test
    void another_way_of_use_on_the_same_node_is_a_conflict() {
        fixture.controller.create("pvc-1", "nas");
        fixture.publish(VOLUME, ONE, SHARED, false);

        assertThatThrownBy(() -> fixture.publish(VOLUME, ONE, SHARED, true))
                .hasMessageContaining("FL-PUB-004")
                .hasMessageContaining("for writing");
        Failing.with(
                Failure.PublishConflict.class,
                () -> fixture.publish(VOLUME, ONE, TestVolumes.mount(AccessMode.MULTI_NODE_READER_ONLY), false));
    }

    @ParameterizedTest
    @ValueSource(strings = {"node-1", "n=", "x=y", "i9=abc", "/", "n=a/n=b"})
    void an_id_that_no_node_has_is_not_found_and_never_had_a_volume(String node) {
        fixture.controller.create("pvc-1", "nas");
        fixture.publish(VOLUME, ONE, SHARED, false);

        Failing.with(Failure.NodeNotFound.class, () -> fixture.publish(VOLUME, node, SHARED, false));
        fixture.unpublish(VOLUME, Optional.of(node));

        assertThat(fixture.letIn()).containsExactly("10.0.0.1");
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
        fixture.controller.create("pvc-1", "nas");
        fixture.publish(VOLUME, ONE, SHARED, false);
        fixture.publish(VOLUME, TWO, SHARED, false);

        fixture.unpublish(VOLUME, Optional.of(node));

        assertThat(fixture.letIn()).containsExactly("10.0.0.2");
    }

    @Test
    void an_id_with_a_short_name_that_is_not_known_here_is_not_let_in() {
        fixture.controller.create("pvc-1", "nas");

        Failing.with(Failure.NodeNotFound.class, () -> fixture.publish(VOLUME, "n=node-1/i9=abc", SHARED, false));
    }

    @ParameterizedTest
    @ValueSource(strings = {"n=node-1", "n=node-1/a=nonsense", "n=node-1/a=10.0.0.1,10.0.0.2", "n=node-1/a=*"})
    void a_node_that_the_storage_could_not_tell_from_others_is_refused_with_the_remedy(String node) {
        fixture.controller.create("pvc-1", "nas");

        assertThatThrownBy(() -> fixture.publish(VOLUME, node, SHARED, false))
                .hasMessageContaining("FL-PUB-002")
                .hasMessageContaining("nodeId.parts.address");

        assertThat(fixture.letIn()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a=10.0.0.1", "n=a b/a=10.0.0.1", "n=a,b rw/a=10.0.0.1"})
    void a_node_without_a_name_that_could_be_recorded_is_refused(String node) {
        fixture.controller.create("pvc-1", "nas");

        assertThatThrownBy(() -> fixture.publish(VOLUME, node, SHARED, false))
                .hasMessageContaining("nodeId.parts.nodeName");
    }

    @Test
    void what_is_not_there_is_not_found_when_published_and_done_when_unpublished() {
        Failing.with(Failure.VolumeNotFound.class, () -> fixture.publish(VOLUME, ONE, SHARED, false));
        Failing.with(Failure.VolumeNotFound.class, () -> fixture.publish("nonsense", ONE, SHARED, false));
        Failing.with(Failure.ConnectionUnknown.class, () -> fixture.publish("v:gone/pvc-1", ONE, SHARED, false));

        fixture.unpublish(VOLUME, Optional.of(ONE));
        fixture.unpublish("nonsense", Optional.of(ONE));
        Failing.with(Failure.ConnectionUnknown.class, () -> fixture.unpublish("v:gone/pvc-1", Optional.of(ONE)));
    }

    @Test
    void a_way_of_use_that_the_connection_does_not_serve_is_refused() {
        fixture.controller.create("pvc-1", "nas");

        Failing.with(Failure.InvalidRequest.class, () -> fixture.publish(VOLUME, ONE, TestVolumes.BLOCK, false));
    }
}
