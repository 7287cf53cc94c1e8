package dev.fairlead.testkit.contract.volume;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.topology.AccessibilityRequirement;
import dev.fairlead.domain.topology.TopologyChoice;
import dev.fairlead.domain.topology.TopologySegment;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.contract.StoreSubject;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests what a {@code VolumeStore} promises that places each of its volumes. */
public interface VolumePlacementContract extends StoreSubject {
    /** Returns two places that the storage has, and that no volume has to share with the other. */
    List<TopologySegment> places();

    /** Returns a place that the storage does not have. */
    TopologySegment nowhere();

    private static CreateRequest reaching(CreateRequest plain, List<TopologySegment> terms) {
        return new CreateRequest(
                plain.name(),
                plain.capacity(),
                plain.capabilities(),
                plain.parameters(),
                plain.content(),
                plain.mutable(),
                new AccessibilityRequirement(terms, terms));
    }

    private static boolean reaches(StoredVolume volume, TopologySegment place) {
        return TopologyChoice.reaches(volume.ownPlacement().orElseThrow(), place);
    }

    @Test
    default void a_volume_is_where_it_is_wanted_and_every_look_says_so() {
        try (VolumeStore store = store()) {
            for (TopologySegment place : places()) {
                String name = "pvc-" + places().indexOf(place);

                StoredVolume volume = make(store, reaching(TestVolumes.empty(name), List.of(nowhere(), place)));

                assertThat(reaches(volume, place)).isTrue();
                assertThat(store.find(volume.id(), TestWork.patient())).contains(volume);
                assertThat(volumes(store)).contains(volume);
                store.note(volume.id(), Map.of("context/more", "noted"), TestWork.patient());
                assertThat(store.find(volume.id(), TestWork.patient())
                                .orElseThrow()
                                .ownPlacement())
                        .isEqualTo(volume.ownPlacement());
            }
        }
    }

    @Test
    default void a_volume_that_exists_is_returned_from_where_it_is() {
        try (VolumeStore store = store()) {
            StoredVolume first = make(store, reaching(TestVolumes.empty("pvc-a"), List.of(places().getFirst())));

            StoredVolume again = make(store, reaching(TestVolumes.empty("pvc-a"), List.of(places().getLast())));

            assertThat(again).isEqualTo(first);
        }
    }

    @Test
    default void a_copy_is_where_it_is_wanted() {
        try (VolumeStore store = store()) {
            StoredVolume source = make(store, reaching(TestVolumes.empty("pvc-a"), List.of(places().getFirst())));
            CreateRequest plain = TestVolumes.fromVolume("pvc-b", source.id());

            Failing.unlessUnsupported(() -> make(store, reaching(plain, List.of(places().getLast()))))
                    .ifPresent(copy -> {
                        assertThat(reaches(copy, places().getLast())).isTrue();
                        assertThat(copy.content()).isEqualTo(new Content.OfVolume(source.id()));
                    });
        }
    }

    @Test
    default void a_place_that_cannot_be_reached_is_refused_and_nothing_is_made() {
        try (VolumeStore store = store()) {
            Failing.with(
                    Failure.Unreachable.class,
                    () -> make(store, reaching(TestVolumes.empty("pvc-a"), List.of(nowhere()))));

            assertThat(volumes(store)).isEmpty();
        }
        verifyEmpty();
    }
}
