package dev.fairlead.adapter.zfs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.zfs.fake.FakePool;
import dev.fairlead.adapter.zfs.host.ZfsConnections;
import dev.fairlead.adapter.zfs.share.ShareModule;
import dev.fairlead.adapter.zfs.store.ZfsStoreModule;
import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.Problems;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.host.CommandRunnerFactory;
import dev.fairlead.application.port.out.host.StorageHosts;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.Creation;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.attachment.AttachmentCodec;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.Notes;
import dev.fairlead.testkit.ConfigTrees;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A store and an exporter of one connection: what they save each other, and that nothing is believed for it. */
class SharedVolumesTest {
    private static final String OPTIONS = "rw,no_root_squash";

    private final FakePool pool = new FakePool("tank", "tank/v");
    private final CommandRunnerFactory here = (_, _) -> pool;
    private final ZfsConnections connections = new ZfsConnections(new StorageHosts(Map.of("ssh", here, "local", here)));
    private final ConfigNode file = ConfigNode.root(
            ConfigTrees.of(Map.of(
                    "zfs", Map.of("datasetParentName", "tank/v"),
                    "nfs",
                            Map.of(
                                    "shareHost",
                                    "nas",
                                    "shareStrategy",
                                    "setDatasetProperties",
                                    "shareStrategySetDatasetProperties",
                                    Map.of("properties", Map.of("sharenfs", OPTIONS))))),
            new Problems("nas.yaml"));
    private final ConnectionScope scope =
            new ConnectionScope(new ConnectionName("nas"), "zfs-generic-nfs", Optional.empty(), "test");
    private final VolumeStore store = ZfsStoreModule.filesystems(connections).open(scope, file);
    private final Exporter exporter = ShareModule.nfs(connections).open(scope, file);

    @Test
    void the_first_volume_is_shared_when_it_is_made() {
        Creation made = make(TestVolumes.empty("pvc-1"));

        assertThat(pool.own("tank/v/pvc-1")).containsEntry("sharenfs", OPTIONS);
        assertThat(export(made)).isEqualTo(new Attachment.Nfs("nas", "/tank/v/pvc-1"));
        assertThat(pool.roundTrips()).isEqualTo(1);
    }

    @Test
    void the_second_is_noted_too_and_all_is_one_round_trip() {
        make(TestVolumes.empty("pvc-1"));
        int before = pool.roundTrips();

        Creation made = make(TestVolumes.empty("pvc-2"));
        Attachment attachment = export(made);

        assertThat(pool.roundTrips() - before).isEqualTo(1);
        assertThat(Notes.contextOf(made.volume().notes()))
                .containsEntry("share", "/tank/v/pvc-2")
                .containsEntry("server", "nas");
        assertThat(attachment).isEqualTo(new Attachment.Nfs("nas", "/tank/v/pvc-2"));
    }

    @Test
    void where_the_parent_is_mounted_elsewhere_by_now_nothing_wrong_is_noted() {
        make(TestVolumes.empty("pvc-1"));
        pool.mount("tank/v", "/elsewhere");

        Creation made = make(TestVolumes.empty("pvc-2"));

        assertThat(Notes.contextOf(made.volume().notes())).isEmpty();
        assertThat(export(made)).isEqualTo(new Attachment.Nfs("nas", "/elsewhere/pvc-2"));
        assertThat(Notes.contextOf(make(TestVolumes.empty("pvc-3")).volume().notes()))
                .containsEntry("share", "/elsewhere/pvc-3");
    }

    @Test
    void a_share_that_does_not_read_back_at_birth_is_made_again_and_looked_at_again() {
        pool.lie("sharenfs", "off");
        Creation made = make(TestVolumes.empty("pvc-1"));
        pool.lie("sharenfs", OPTIONS);

        export(made);

        assertThat(pool.history()).contains(List.of("/sbin/zfs", "set", "sharenfs=" + OPTIONS, "tank/v/pvc-1"));
    }

    @Test
    void what_was_shared_at_birth_is_not_believed_for_ever() {
        Creation made = make(TestVolumes.empty("pvc-1"));
        export(made);
        int before = pool.roundTrips();

        exporter.export(made.volume(), TestWork.patient());

        assertThat(pool.roundTrips() - before).isEqualTo(1);
    }

    @Test
    void a_clone_is_shared_and_noted_at_birth_too() {
        Creation source = make(TestVolumes.empty("pvc-1"));
        int before = pool.roundTrips();

        Creation clone = make(TestVolumes.fromVolume("pvc-2", source.volume().id()));
        export(clone);

        assertThat(pool.roundTrips() - before).isEqualTo(1);
        assertThat(pool.own("tank/v/pvc-2")).containsEntry("sharenfs", OPTIONS);
        assertThat(Notes.contextOf(clone.volume().notes())).containsEntry("share", "/tank/v/pvc-2");
    }

    /** As the use case does: plan, note what is known of the attachment, make. */
    private Creation make(CreateRequest request) {
        var birth = store.plan(request, new NativeId(request.name().value()));
        Exporter.Plan plan = exporter.plan(birth);
        Map<String, String> context = plan.attachment()
                .map(AttachmentCodec::encode)
                .map(Notes::ofContext)
                .orElse(Map.of());
        return store.create(birth.noting(plan.notes()).exported(context, plan.bornWith()), TestWork.patient());
    }

    private Attachment export(Creation made) {
        return exporter.alreadyExported(made)
                .orElseGet(() -> exporter.export(made.volume(), TestWork.patient()))
                .attachment();
    }
}
