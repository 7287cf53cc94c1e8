package dev.fairlead.application.service.create;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.in.volume.CreateVolume;
import dev.fairlead.application.port.in.volume.Source;
import dev.fairlead.application.port.in.volume.VolumeView;
import dev.fairlead.application.service.ControllerFixture;
import dev.fairlead.application.service.PublishFixture;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.topology.AccessibilityRequirement;
import dev.fairlead.domain.topology.Placement;
import dev.fairlead.domain.topology.TopologySegment;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.InMemoryReplicas;
import dev.fairlead.testkit.fake.InMemoryStorage;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Volumes whose storage keeps each of them on other nodes, and may move them. */
class PlacedVolumesTest {
    private final InMemoryReplicas nas = InMemoryReplicas.of(InMemoryStorage.named("nas"), 2, "a", "b", "c", "d");
    private final InMemoryStorage other = InMemoryStorage.named("other");
    private final ControllerFixture controller = ControllerFixture.proxy()
            .with(nas, ControllerFixture.settings(Placement.ANYWHERE, Map.of(), ControllerFixture.PATIENT))
            .with(other);

    @AfterEach
    void close() {
        controller.close();
    }

    private static List<TopologySegment> on(String... nodes) {
        return Arrays.stream(nodes).map(InMemoryReplicas::segment).toList();
    }

    private static CreateVolume.Command wanted(
            String connections, List<TopologySegment> requisite, List<TopologySegment> preferred) {
        return ControllerFixture.reaching(
                ControllerFixture.command("pvc-1", Map.of("connections", connections)),
                new AccessibilityRequirement(requisite, preferred));
    }

    private VolumeView get() {
        return controller.useCases.getVolume().get(PublishFixture.VOLUME, TestWork.patient());
    }

    private VolumeView listed() {
        return controller.useCases.listVolumes().list(Optional.empty(), 0, TestWork.patient()).items().stream()
                .filter(view -> view.handle().equals(PublishFixture.VOLUME))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void a_volume_is_made_where_it_is_wanted_and_says_so() {
        VolumeView made = controller.create(wanted("nas", on("c", "d", "b"), on("d", "c")));

        assertThat(made.accessibleFrom()).containsExactlyElementsOf(on("d", "c"));
        assertThat(get().accessibleFrom()).isEqualTo(made.accessibleFrom());
        assertThat(listed().accessibleFrom()).isEqualTo(made.accessibleFrom());
    }

    @Test
    void a_clone_is_made_where_it_is_wanted() {
        controller.create("pvc-0", "nas");
        var plain = ControllerFixture.command(
                "pvc-1",
                Map.of("connection", "nas"),
                ControllerFixture.command("pvc-1", Map.of()).capacity(),
                new Source.Volume("v:nas/pvc-0"));

        VolumeView made =
                controller.create(ControllerFixture.reaching(plain, new AccessibilityRequirement(on("d"), on("d"))));

        assertThat(made.accessibleFrom()).containsExactlyElementsOf(on("d", "a"));
    }

    @Test
    void a_place_that_the_storage_does_not_have_is_refused_before_the_first_effect() {
        Failing.with(Failure.Unreachable.class, () -> controller.create(wanted("nas", on("x"), on("x"))));

        assertThat(nas.dump()).isEmpty();
    }

    @Test
    void moved_replicas_are_seen_in_every_answer() {
        controller.create(wanted("nas", on("a"), on("a")));

        nas.move(PublishFixture.ID, "c", "d");

        assertThat(get().accessibleFrom()).isEqualTo(on("c", "d"));
        assertThat(listed().accessibleFrom()).isEqualTo(on("c", "d"));
        assertThat(controller.create(wanted("nas", on("d"), on("d"))).accessibleFrom())
                .isEqualTo(on("c", "d"));
    }

    @Test
    void an_earlier_volume_that_is_elsewhere_by_now_is_refused_with_one_connection_and_with_several() {
        controller.create(wanted("nas", on("a"), on("a")));
        nas.move(PublishFixture.ID, "c", "d");
        String before = nas.dump();

        for (String connections : List.of("nas", "nas,other")) {
            assertThatThrownBy(() -> controller.create(wanted(connections, on("a"), on("a"))))
                    .isInstanceOfSatisfying(
                            StorageException.class,
                            e -> assertThat(e.failure()).isInstanceOf(Failure.Unreachable.class))
                    .hasMessageContaining("since an earlier call, and it is not reachable");
        }

        assertThat(nas.dump()).isEqualTo(before);
        assertThat(other.isEmpty()).isTrue();
        assertThat(controller.create(wanted("nas,other", on("a", "c"), on("a"))).accessibleFrom())
                .isEqualTo(on("c", "d"));
    }

    /** The affinity of a PersistentVolume is fixed by this answer, and "from everywhere" would be wrong. */
    @Test
    void a_volume_of_unknown_place_or_of_none_is_answered_later_and_stays_in_lists() {
        controller.create(wanted("nas", on("a"), on("a")));

        for (Runnable loss : List.<Runnable>of(() -> nas.lose(PublishFixture.ID), () -> nas.move(PublishFixture.ID))) {
            loss.run();
            Failing.with(Failure.BackendUnavailable.class, this::get);
            Failing.with(
                    Failure.BackendUnavailable.class, () -> controller.create(wanted("nas", List.of(), List.of())));
            assertThat(listed().accessibleFrom()).isEmpty();
        }
    }

    @Test
    void a_volume_keeps_its_place_when_it_grows_and_is_noted() {
        controller.create(wanted("nas", on("b"), on("b")));

        controller
                .useCases
                .expandVolume()
                .expand(PublishFixture.VOLUME, TestVolumes.atLeast(Capacity.ofGibibytes(2)), TestWork.patient());

        assertThat(get().accessibleFrom()).isEqualTo(on("b", "a"));
    }
}
