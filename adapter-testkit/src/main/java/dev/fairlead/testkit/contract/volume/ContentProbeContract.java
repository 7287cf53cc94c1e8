package dev.fairlead.testkit.contract.volume;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.format.HostFinding;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.HostileInput;
import dev.fairlead.testkit.contract.StoreSubject;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Everything that {@code ContentProbe} promises; for the test class of a {@code VolumeStore} that returns this role.
 */
public interface ContentProbeContract extends StoreSubject {
    private static HostFinding found(VolumeStore store, NativeId id) {
        return store.contentProbe()
                .orElseThrow(() -> new AssertionError("the store knows nothing of its volumes' content"))
                .probe(id, TestWork.patient());
    }

    /** Makes a block volume. */
    private StoredVolume device(VolumeStore store, String name, Content content) {
        return make(
                store,
                new CreateRequest(
                        new CsiName(name),
                        TestVolumes.atLeast(TestVolumes.SIZE),
                        List.of(TestVolumes.BLOCK),
                        Map.of(),
                        content));
    }

    /** Writes more than any storage keeps about a volume itself. */
    private void writeMuch(StoredVolume volume) {
        write(volume, "data", "much".repeat(1 << 20));
    }

    @Test
    default void a_new_volume_is_not_called_written() {
        try (VolumeStore store = store()) {
            StoredVolume volume = device(store, "pvc-a", Content.EMPTY);

            assertThat(found(store, volume.id())).isNotEqualTo(HostFinding.WRITTEN);
        }
    }

    @Test
    default void what_is_on_a_volume_is_known_to_each_process() {
        try (VolumeStore store = store()) {
            StoredVolume volume = device(store, "pvc-a", Content.EMPTY);
            StoredVolume other = device(store, "pvc-b", Content.EMPTY);

            writeMuch(volume);

            assertThat(found(store, volume.id())).isEqualTo(HostFinding.WRITTEN);
            assertThat(found(store, other.id())).isNotEqualTo(HostFinding.WRITTEN);
            try (VolumeStore restarted = store()) {
                assertThat(found(restarted, volume.id())).isEqualTo(HostFinding.WRITTEN);
            }
        }
    }

    @Test
    default void a_volume_with_the_least_content_is_not_called_blank() {
        try (VolumeStore store = store()) {
            StoredVolume volume = device(store, "pvc-a", Content.EMPTY);

            write(volume, "data", "x");

            assertThat(found(store, volume.id())).isNotEqualTo(HostFinding.BLANK);
        }
    }

    @Test
    default void a_copy_holds_what_its_source_holds() {
        try (VolumeStore store = store()) {
            StoredVolume source = device(store, "pvc-a", Content.EMPTY);
            writeMuch(source);

            Failing.unlessUnsupported(() -> device(store, "pvc-b", new Content.OfVolume(source.id())))
                    .ifPresent(copy -> assertThat(found(store, copy.id())).isEqualTo(HostFinding.WRITTEN));
        }
    }

    @Test
    default void a_new_volume_that_has_grown_is_not_called_written() {
        try (VolumeStore store = store()) {
            StoredVolume volume = device(store, "pvc-a", Content.EMPTY);

            StoredVolume grown =
                    store.expand(volume.id(), CapacityRange.of(2 * TestVolumes.SIZE.bytes(), 0), TestWork.patient());

            assertThat(found(store, grown.id())).isNotEqualTo(HostFinding.WRITTEN);
        }
    }

    @Test
    default void a_probe_leaves_the_volume_as_it_is() {
        try (VolumeStore store = store()) {
            StoredVolume volume = device(store, "pvc-a", Content.EMPTY);
            write(volume, "data", "precious");

            HostFinding first = found(store, volume.id());

            assertThat(found(store, volume.id())).isEqualTo(first);
            assertThat(store.find(volume.id(), TestWork.patient())).contains(volume);
            assertThat(read(volume, "data")).contains("precious");
        }
    }

    @Test
    default void the_content_of_a_missing_volume_is_not_found() {
        try (VolumeStore store = store()) {
            Stream.concat(Stream.of(TestVolumes.id("absent")), HostileInput.ids())
                    .forEach(id -> Failing.with(Failure.VolumeNotFound.class, () -> {
                        var _ = found(store, id);
                    }));
        }
        verifyEmpty();
    }
}
