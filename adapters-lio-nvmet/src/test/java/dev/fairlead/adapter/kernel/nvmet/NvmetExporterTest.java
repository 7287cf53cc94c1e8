package dev.fairlead.adapter.kernel.nvmet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.kernel.OtherTarget;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.contract.export.AccessControlContract;
import dev.fairlead.testkit.contract.export.ExporterReplacementContract;
import dev.fairlead.testkit.contract.export.ExporterServiceContract;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NvmetExporterTest implements AccessControlContract, ExporterReplacementContract, ExporterServiceContract {
    private final NvmetFixture fixture;
    private String before = "";

    NvmetExporterTest(@TempDir Path folder) {
        fixture = new NvmetFixture(folder);
    }

    @Override
    public Exporter exporter() {
        return fixture.exporter();
    }

    @Override
    public Exporter spoiled() {
        return fixture.spoiled();
    }

    @Override
    public Birth birth(String name) {
        return fixture.birth(name);
    }

    @Override
    public StoredVolume volume(Birth birth, Map<String, String> notes) {
        return fixture.volume(birth, notes);
    }

    @Override
    public void remove(StoredVolume volume) {
        fixture.remove(volume);
    }

    @Override
    public Optional<SortedMap<String, Boolean>> letIn(StoredVolume volume) {
        return fixture.letIn(volume);
    }

    @Override
    public boolean hasReaders() {
        return false;
    }

    @Override
    public void takeAway() {
        fixture.move("dev", "dev.away");
    }

    @Override
    public void bringBack() {
        fixture.move("dev.away", "dev");
    }

    /** A device is known by its path alone. */
    @Override
    public boolean knowsTheStorage() {
        return false;
    }

    @Override
    public void putAnother(Optional<StoredVolume> alike) {
        alike.ifPresent(volume -> NvmetFixture.write(fixture.device(volume.id().value()), "another's"));
        try (Exporter exporter = fixture.exporter()) {
            another().export(exporter);
        }
        before = fixture.dump(OtherTarget.NAME);
    }

    private OtherTarget another() {
        return new OtherTarget(fixture.volume(OtherTarget.NAME), "nqn.2014-08.org.nvmexpress:uuid:other");
    }

    @Override
    public void takeAnotherUntouched() {
        assertThat(fixture.dump(OtherTarget.NAME)).isEqualTo(before);
        try (Exporter exporter = fixture.exporter()) {
            another().unexport(exporter);
        }
        fixture.removeDevices();
    }

    @Override
    public void hideService() {
        fixture.move("nvmet", "nvmet.away");
    }

    @Override
    public void showService() {
        fixture.move("nvmet.away", "nvmet");
    }

    @Override
    public int exports() {
        return fixture.exports();
    }

    @Test
    void an_attachment_is_spelled_as_the_peer_spells_it() {
        try (Exporter exporter = exporter()) {
            assertThat(exporter.plan(birth("PVC-1")).attachment())
                    .contains(
                            new Attachment.Nvmeof("", List.of("tcp://10.0.0.1:4420"), NvmetFixture.BASE + ":pvc-1", 1));
        }
    }

    private static Birth ofClass(Birth plain, Map<String, String> parameters) {
        CreateRequest request = plain.request();
        return new Birth(
                plain.id(),
                new CreateRequest(
                        request.name(), request.capacity(), request.capabilities(), parameters, request.content()),
                plain.capacity(),
                plain.medium(),
                plain.notes());
    }

    @Test
    void a_class_says_how_nodes_connect_to_its_volumes() {
        try (Exporter exporter = exporter()) {
            Birth birth = ofClass(
                    birth("pvc-1"), Map.of("nvmeof.ctrl_loss_tmo", "600", "nvmeof.nr_io_queues", "4", "other", "x"));

            assertThat(exporter.plan(birth).attachment())
                    .contains(new Attachment.Nvmeof(
                            "",
                            List.of("tcp://10.0.0.1:4420?ctrl-loss-tmo=600&nr-io-queues=4"),
                            NvmetFixture.BASE + ":pvc-1",
                            1));
        }
    }

    @Test
    void what_no_node_could_connect_with_is_refused_before_anything_is_made() {
        try (Exporter exporter = exporter()) {
            Failing.with(
                    Failure.InvalidRequest.class,
                    () -> exporter.plan(ofClass(birth("pvc-1"), Map.of("nvmeof.queue_size", "1"))));
        }
    }

    @Test
    void a_second_volume_is_exported_and_unexported_in_one_visit_each() {
        try (Exporter exporter = exporter()) {
            exporter.export(fixture.volume("pvc-1"), TestWork.patient());
            StoredVolume volume = fixture.volume("pvc-2");
            int before = fixture.host().visits();

            exporter.export(volume, TestWork.patient());
            assertThat(fixture.host().visits()).isEqualTo(before + 1);

            exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());
            assertThat(fixture.host().visits()).isEqualTo(before + 2);
            StoredVolume first = fixture.volume("pvc-1");
            exporter.unexport(first.id(), Optional.of(first.medium()), Optional.empty(), TestWork.patient());
        }
    }

    @Test
    void the_same_disk_is_shown_when_the_target_is_made_anew() {
        try (Exporter exporter = exporter()) {
            StoredVolume volume = fixture.volume("pvc-1");
            exporter.export(volume, TestWork.patient());
            Path namespace = fixture.subsystem("pvc-1").resolve("namespaces/1");
            List<String> shown = identity(namespace);
            exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());
            assertThat(namespace).doesNotExist();

            exporter.export(volume, TestWork.patient());

            assertThat(identity(namespace)).isEqualTo(shown);
            exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());
        }
    }

    private static List<String> identity(Path namespace) {
        return List.of(
                NvmetFixture.read(namespace.resolve("device_uuid")).strip(),
                NvmetFixture.read(namespace.resolve("device_nguid")).strip(),
                NvmetFixture.read(namespace.resolve("../../attr_serial")).strip());
    }

    @Test
    void growth_is_written_where_the_kernel_looks_for_it() {
        try (Exporter exporter = exporter()) {
            StoredVolume volume = fixture.volume("pvc-1");
            exporter.export(volume, TestWork.patient());

            exporter.expanded(volume, TestWork.patient());

            assertThat(fixture.subsystem("pvc-1").resolve("namespaces/1/revalidate_size"))
                    .hasContent("1");
            exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());
            assertThat(Files.exists(fixture.subsystem("pvc-1"))).isFalse();
        }
    }
}
