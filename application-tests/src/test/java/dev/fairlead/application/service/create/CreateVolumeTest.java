package dev.fairlead.application.service.create;

import static dev.fairlead.application.service.ControllerFixture.command;
import static dev.fairlead.testkit.Failing.failure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.fairlead.application.port.in.volume.CreateVolume;
import dev.fairlead.application.port.in.volume.Source;
import dev.fairlead.application.port.in.volume.VolumeView;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.ControllerFixture;
import dev.fairlead.application.service.connection.Backend;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.topology.AccessibilityRequirement;
import dev.fairlead.domain.topology.Placement;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.FaultyStore;
import dev.fairlead.testkit.fake.InMemoryExporter;
import dev.fairlead.testkit.fake.InMemoryStorage;
import dev.fairlead.testkit.fake.InMemoryVolumeStore;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CreateVolumeTest {
    private static final Map<String, String> ON_NAS = Map.of("connection", "nas");

    private final InMemoryStorage nas = InMemoryStorage.named("nas");
    private final InMemoryStorage san = InMemoryStorage.named("san");
    private final ControllerFixture controller = ControllerFixture.proxy().with(nas, san);

    @AfterEach
    void close() {
        controller.close();
    }

    @Test
    void a_volume_is_made_exported_and_answered_with_its_context() {
        VolumeView volume = controller.create("pvc-1", "nas");

        assertThat(volume.handle()).isEqualTo("v:nas/pvc-1");
        assertThat(volume.capacity()).isEqualTo(TestVolumes.SIZE);
        assertThat(volume.context())
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "node_attach_driver", "hostpath",
                        "path", "/memory/nas/pvc-1",
                        "provisioner_driver", "memory",
                        "provisioner_driver_instance_id", "i-1",
                        "fairlead.dev/content", "empty"));
        assertThat(volume.accessibleFrom()).isEmpty();
        assertThat(nas.exports()).containsEntry(TestVolumes.id("pvc-1"), "/memory/nas/pvc-1");
        assertThat(nas.volume(TestVolumes.id("pvc-1")).volume().notes()).containsKey(InMemoryExporter.NOTE);
    }

    @Test
    void a_size_that_nothing_enforces_is_called_advisory() {
        controller.connections.install(new Backend(
                new ConnectionName("nas"),
                "memory",
                new FaultyStore(nas) {
                    @Override
                    public boolean advisorySize(NativeId id) {
                        return true;
                    }
                },
                new InMemoryExporter(nas),
                ControllerFixture.settings(Placement.ANYWHERE, Map.of(), ControllerFixture.PATIENT)));

        assertThat(controller.create("pvc-1", "nas").context()).containsEntry("fairlead.dev/size", "advisory");
    }

    @Test
    void a_repeated_call_answers_the_same_and_changes_nothing() {
        VolumeView first = controller.create("pvc-1", "nas");
        String before = nas.dump();
        var work = TestWork.patient();

        VolumeView again = controller.useCases.createVolume().create(command("pvc-1", ON_NAS), work);

        assertThat(again).isEqualTo(first);
        assertThat(work.effects()).isEmpty();
        assertThat(nas.dump()).isEqualTo(before);
    }

    @Test
    void a_driver_that_is_alone_writes_bare_handles_and_needs_no_connection() {
        try (ControllerFixture alone = ControllerFixture.alone(nas)) {
            VolumeView volume = alone.create("pvc-1", Map.of());

            assertThat(volume.handle()).isEqualTo("pvc-1");
            Failing.with(Failure.InvalidRequest.class, () -> alone.create("pvc-2", ON_NAS));
        }
    }

    @Test
    void the_same_name_with_another_size_or_other_parameters_is_a_conflict() {
        controller.create("pvc-1", "nas");
        Capacity larger = Capacity.ofGibibytes(1);

        Failing.with(
                Failure.VolumeConflict.class,
                () -> controller.create(command("pvc-1", ON_NAS, TestVolumes.atLeast(larger), Source.NONE)));
        Failing.with(
                Failure.VolumeConflict.class,
                () -> controller.create("pvc-1", Map.of("connection", "nas", "compression", "lz4")));
    }

    @Test
    void a_volume_expanded_since_is_still_the_one_that_was_asked_for() {
        controller.create("pvc-1", "nas");
        controller.useCases.expandVolume().expand("v:nas/pvc-1", CapacityRange.of(1L << 30, 0), TestWork.patient());

        VolumeView again = controller.create("pvc-1", "nas");

        assertThat(again.capacity()).isEqualTo(Capacity.ofGibibytes(1));
    }

    @Test
    void parameters_are_read_as_the_connection_means_them() {
        controller.create(
                "pvc-1",
                Map.of(
                        "connection", "nas",
                        "compression", "off",
                        "fairlead.dev/compression", "lz4",
                        "democratic-csi.org/other-driver/zvolBlocksize", "16K"));

        controller.create("pvc-1", Map.of("connection", "nas", "compression", "lz4"));

        assertThat(nas.volumes()).hasSize(1);
    }

    @Test
    void a_misspelt_parameter_of_ours_is_refused_and_nothing_is_made() {
        Failing.with(
                Failure.InvalidRequest.class,
                () -> controller.create("pvc-1", Map.of("connection", "nas", "fairlead.dev/compresion", "lz4")));
        Failing.with(
                Failure.Unsupported.class,
                () -> controller.create(
                        "pvc-1", Map.of("connection", "nas", InMemoryVolumeStore.REFUSED_PARAMETER, "x")));

        assertThat(nas.isEmpty()).isTrue();
    }

    @Test
    void block_access_is_refused_where_the_connection_has_none() {
        var block = new CreateVolume.Command(
                new CsiName("pvc-1"),
                CapacityRange.ANY,
                List.of(TestVolumes.BLOCK),
                ON_NAS,
                Source.NONE,
                AccessibilityRequirement.NONE);

        Failing.with(Failure.InvalidRequest.class, () -> controller.create(block));
        assertThat(nas.isEmpty()).isTrue();
    }

    @Test
    void a_connection_that_is_not_loaded_is_told_by_name_and_the_call_is_to_be_repeated() {
        Failing.with(Failure.ConnectionUnknown.class, () -> controller.create("pvc-1", "gone"));
        controller.connections.reject(new ConnectionName("broken"), List.of());
        Failing.with(Failure.ConnectionBroken.class, () -> controller.create("pvc-1", "broken"));
        Failing.with(Failure.InvalidRequest.class, () -> controller.create("pvc-1", Map.of()));
    }

    @Test
    void a_full_storage_is_out_of_space_and_keeps_nothing() {
        InMemoryStorage small = InMemoryStorage.named("small").holding(Capacity.ofBytes(1024));
        controller.with(small);

        Failing.with(Failure.OutOfSpace.class, () -> controller.create("pvc-1", "small"));
        assertThat(small.isEmpty()).isTrue();
    }

    @Test
    void while_a_volume_is_made_a_second_call_for_its_name_is_told_so() {
        var told = new CompletableFuture<Failure>();
        nas.beforeEachCall(() -> {
            nas.recover();
            told.complete(failure(() -> controller.create("pvc-1", "san")));
        });

        controller.create("pvc-1", "nas");

        assertThat(told.join()).isInstanceOfSatisfying(Failure.OperationPending.class, pending -> {
            assertThat(pending.key()).isEqualTo("volume name pvc-1");
            assertThat(pending.running()).isEqualTo("CreateVolume pvc-1");
        });
        assertThat(san.isEmpty()).isTrue();
    }

    @Test
    void long_names_fit_the_limits_and_stay_apart() {
        String start = "n".repeat(CsiName.MAX_BYTES - 1);

        String one = controller.create(start + "1", "nas").handle();
        String two = controller.create(start + "2", "nas").handle();

        assertThat(one).isNotEqualTo(two).hasSizeLessThanOrEqualTo(128);
        assertThat(controller.create(start + "1", "nas").handle()).isEqualTo(one);
    }

    /** democratic-csi leaves no room for snapshots in an id: up to 128 bytes the name is the id. */
    @ParameterizedTest
    @ValueSource(ints = {82, 100, CsiName.MAX_BYTES})
    void a_volume_of_a_peer_s_under_a_long_name_is_found_and_no_second_one_made(int length) {
        String name = "n".repeat(length);
        peerHas(nas, name);

        VolumeView volume = controller.create(name, "nas");

        assertThat(volume.handle()).isEqualTo("v:nas/" + name);
        assertThat(nas.volumes()).hasSize(1);
        assertThat(controller.create(name, Map.of("connections", "nas,san")).handle())
                .isEqualTo(volume.handle());
        assertThat(san.isEmpty()).isTrue();
        assertThat(controller.useCases.getVolume().get(volume.handle(), TestWork.patient()))
                .isEqualTo(volume);
        controller.useCases.deleteVolume().delete(volume.handle(), TestWork.patient());
        assertThat(nas.volumes()).isEmpty();
    }

    @Test
    void a_volume_under_the_long_id_that_has_another_name_is_left_alone() {
        String name = "n".repeat(100);
        var store = new InMemoryVolumeStore(nas);
        store.create(store.plan(TestVolumes.empty("other"), TestVolumes.id(name)), TestWork.patient());

        assertThat(controller.create(name, "nas").handle()).hasSizeLessThan(100);
        assertThat(nas.volumes()).hasSize(2);
    }

    private static void peerHas(InMemoryStorage storage, String id) {
        var store = new InMemoryVolumeStore(storage);
        store.create(store.plan(TestVolumes.empty(id), TestVolumes.id(id)), TestWork.patient());
        storage.forget(TestVolumes.id(id));
    }

    @Test
    void a_volume_whose_attachment_cannot_be_told_is_never_answered_with_ok() {
        InMemoryStorage half = InMemoryStorage.named("half");
        controller.with(half);
        controller.create("pvc-1", "half");
        half.forget(TestVolumes.id("pvc-1"));
        var name = new ConnectionName("half");
        controller.connections.install(new Backend(
                name,
                "memory",
                new InMemoryVolumeStore(half),
                new Speechless(new InMemoryExporter(half)),
                ControllerFixture.settings(Placement.ANYWHERE, Map.of(), ControllerFixture.PATIENT)));

        controller.create("pvc-2", "nas");

        Failing.with(Failure.BackendUnavailable.class, () -> controller.create("pvc-1", "half"));
        Failing.with(
                Failure.BackendUnavailable.class,
                () -> controller.useCases.getVolume().get("v:half/pvc-1", TestWork.patient()));

        assertThat(half.volumes()).hasSize(1);
        assertThat(controller
                        .useCases
                        .listVolumes()
                        .list(Optional.empty(), 0, TestWork.patient())
                        .items())
                .extracting(VolumeView::handle, view -> view.lack().isPresent())
                .containsExactly(tuple("v:half/pvc-1", true), tuple("v:nas/pvc-2", false));
    }

    /** Exports, and cannot tell how what is exported is reached. */
    private record Speechless(Exporter sound) implements Exporter {
        @Override
        public VolumeMedium.Kind accepts() {
            return sound.accepts();
        }

        @Override
        public Plan plan(VolumeStore.Birth birth) {
            return new Plan(Map.of(), Optional.empty());
        }

        @Override
        public void requireAble(Work work) {
            sound.requireAble(work);
        }

        @Override
        public Export export(StoredVolume volume, Work work) {
            return sound.export(volume, work);
        }

        @Override
        public Optional<Attachment> attachment(StoredVolume volume, Work work) {
            return Optional.empty();
        }

        @Override
        public void unexport(NativeId id, Optional<VolumeMedium> where, Optional<StoredVolume> stored, Work work) {
            sound.unexport(id, where, stored, work);
        }
    }
}
