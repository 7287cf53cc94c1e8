package dev.fairlead.adapter.freenas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.fairlead.adapter.freenas.testkit.Protocol;
import dev.fairlead.adapter.freenas.testkit.WiredBox;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.application.port.out.store.VolumeStore.NoteChange;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.access.Access;
import dev.fairlead.domain.access.Grant;
import dev.fairlead.domain.access.Grants;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.attachment.AttachmentCodec;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.Notes;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.simulator.SentPayloads;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.fake.TestNodes;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The store and each exporter as production composes them, against a box of each release, over the real wire. */
@Execution(ExecutionMode.CONCURRENT)
class OverTheWireTest {
    private static final String A = "pvc-a";
    private static final String B = "pvc-b";
    private static final Capacity LARGER = Capacity.ofBytes(2L << 30);

    private final TestWork work = TestWork.patient();

    @TempDir
    private Path folder = Path.of("/nowhere");

    static Stream<Arguments> cells() {
        return Arrays.stream(Profile.values())
                .flatMap(profile -> Arrays.stream(Protocol.values()).map(protocol -> Arguments.of(profile, protocol)));
    }

    private static boolean keepsVolumes(Profile profile) {
        return profile.since(Profile.SCALE_24_10);
    }

    private static boolean exports(Profile profile, Protocol protocol) {
        return protocol != Protocol.NVMEOF || profile.since(Profile.V25_10_0);
    }

    /** Plays a volume's life from its creation to its end, with a clone's. */
    @ParameterizedTest
    @MethodSource("cells")
    void a_volume_lives_and_leaves_nothing_behind(Profile profile, Protocol protocol) {
        try (WiredBox box = WiredBox.start(profile, protocol, folder)) {
            box.makeParents();
            Set<String> before = box.rows();
            if (!keepsVolumes(profile)) {
                assertThatThrownBy(() -> create(box, TestVolumes.empty(A)))
                        .isInstanceOfSatisfying(
                                StorageException.class,
                                refused -> assertThat(refused.failure()).isInstanceOf(Failure.Unsupported.class));
                assertThat(box.rows()).isEqualTo(before);
                return;
            }

            StoredVolume volume = create(box, TestVolumes.empty(A));
            if (exports(profile, protocol)) {
                volume = exported(box, volume);
                publish(box, volume);
                assertProperties(box, protocol, volume);
            } else {
                assertNotExported(box, volume);
            }
            SnapshotStore snapshots = box.store().snapshots().orElseThrow();
            StoredSnapshot snapshot = snapshots.take(TestVolumes.snapshot("snapshot-a", volume), 200, work);
            StoredVolume clone = create(box, TestVolumes.fromSnapshot(B, snapshot.id()));
            if (exports(profile, protocol)) {
                clone = exported(box, clone);
                assertProperties(box, protocol, clone);
            }
            assertOfSnapshot(box, snapshot, clone);
            StoredVolume grown = box.store().expand(volume.id(), TestVolumes.atLeast(LARGER), work);
            box.exporter().expanded(grown, work);

            assertThat(grown.capacity()).contains(LARGER);
            assertThat(box.store().list(PageRequest.all(), work).items())
                    .extracting(StoredVolume::id)
                    .containsExactly(TestVolumes.id(A), TestVolumes.id(B));
            assertThat(snapshots
                            .list(Optional.of(volume.id()), PageRequest.all(), work)
                            .items())
                    .extracting(StoredSnapshot::id)
                    .containsExactly(snapshot.id());
            end(box, clone.id());
            snapshots.delete(snapshot.id(), work);
            end(box, volume.id());
            assertThat(box.rows()).isEqualTo(before);
            assertThat(box.store().list(PageRequest.all(), work).items()).isEmpty();
            var _ = SentPayloads.verify(box.simulator());
        }
    }

    @ParameterizedTest
    @MethodSource("stores")
    void the_first_volume_makes_the_place_for_volumes_and_is_cloned(Profile profile, Protocol protocol) {
        try (WiredBox box = WiredBox.start(profile, protocol, folder)) {
            assertThat(box.store().room(Map.of(), work).available()).isGreaterThan(Capacity.ZERO);
            StoredVolume volume = create(box, TestVolumes.empty(A));
            StoredVolume clone = create(box, TestVolumes.fromVolume(B, volume.id()));

            assertThat(box.store().list(PageRequest.all(), work).items()).hasSize(2);
            assertThat(box.simulator().broken()).isEmpty();
            List.of(clone.id(), volume.id()).forEach(id -> end(box, id));
            var _ = SentPayloads.verify(box.simulator());
            assertThat(box.rows())
                    .containsExactlyInAnyOrder(
                            "dataset tank",
                            "dataset tank/k8s",
                            "dataset tank/k8s/v",
                            "iscsi_portal 1",
                            "nvmet_port 1",
                            "pool 1");
        }
    }

    static Stream<Arguments> stores() {
        return cells().filter(cell -> keepsVolumes((Profile) cell.get()[0])
                && Set.of(Protocol.NFS, Protocol.ISCSI).contains((Protocol) cell.get()[1]));
    }

    /** Exports what a store by SSH keeps on the same box, which is how a CORE is used. */
    @ParameterizedTest
    @MethodSource("cells")
    void a_volume_of_another_store_is_exported_and_published(Profile profile, Protocol protocol) {
        try (WiredBox box = WiredBox.start(profile, protocol, folder)) {
            box.makeParents();
            Set<String> before = box.rows();
            Birth birth = planned(box, TestVolumes.empty(A));
            box.make(
                    WiredBox.PARENT + "/" + A,
                    birth.medium().kind(),
                    Map.of("dev.fairlead:grants", Grants.NONE.text(), "dev.fairlead:state", "whole"));
            StoredVolume volume = birth.made();
            if (!exports(profile, protocol)) {
                assertNotExported(box, volume);
                return;
            }

            Attachment attachment = box.exporter().export(volume, work).attachment();
            assertThat(admitted(box, attachment, 1)).isFalse();
            box.exporter().unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), work);
            box.simulator().tamper("dataset", WiredBox.PARENT + "/" + A, row -> new JsonObject());

            assertThat(box.rows()).isEqualTo(before);
        }
    }

    private static Birth planned(WiredBox box, CreateRequest request) {
        Birth closed = box.store()
                .plan(request, TestVolumes.id(request.name().value()))
                .noting(Access.CLOSED);
        Exporter.Plan plan = box.exporter().plan(closed);
        Map<String, String> notes = new HashMap<>(plan.notes());
        plan.attachment().ifPresent(known -> notes.putAll(context(known)));
        return closed.exported(notes, plan.bornWith());
    }

    private static Map<String, String> context(Attachment attachment) {
        return Notes.ofContext(AttachmentCodec.encode(attachment));
    }

    private StoredVolume create(WiredBox box, CreateRequest request) {
        VolumeStore.Creation made = box.store().create(planned(box, request), work);
        assertThat(made.fresh()).isTrue();
        return made.volume();
    }

    /** Exports a volume and notes how it is reached, as the use case does. */
    private StoredVolume exported(WiredBox box, StoredVolume volume) {
        Exporter.Export export = box.exporter().export(volume, work);
        Map<String, String> notes = new HashMap<>(export.notes());
        notes.putAll(context(export.attachment()));
        notes.entrySet().removeAll(volume.notes().entrySet());
        box.store().note(volume.id(), notes, work);
        return found(box, volume.id());
    }

    private StoredVolume found(WiredBox box, NativeId id) {
        return box.store().find(id, work).orElseThrow();
    }

    /** Lets a node in and shuts it out again. */
    private void publish(WiredBox box, StoredVolume volume) {
        Attachment attachment = attachment(volume);
        assertThat(admitted(box, attachment, 1)).isFalse();
        String initiator = box.exporter()
                .accessControl()
                .orElseThrow()
                .knownBy()
                .of(TestNodes.node(1))
                .orElseThrow();
        Grants one = Grants.NONE.with(new Grant("node-1", initiator, false, AccessMode.MULTI_NODE_MULTI_WRITER, false));

        record(box, volume, Grants.NONE, one);
        box.exporter().accessControl().orElseThrow().admit(found(box, volume.id()), one, work);
        assertThat(admitted(box, attachment, 1)).isTrue();
        assertThat(admitted(box, attachment, 2)).isFalse();
        assertThat(box.simulator().broken()).isEmpty();

        record(box, volume, one, Grants.NONE);
        box.exporter().revocation().orElseThrow().revoke(found(box, volume.id()), Grants.NONE, work);
        assertThat(admitted(box, attachment, 1)).isFalse();
    }

    private void record(WiredBox box, StoredVolume volume, Grants from, Grants to) {
        assertThat(box.store().change(volume.id(), new NoteChange(Access.GRANTS, from.text(), to.text()), work))
                .isTrue();
    }

    private static Attachment attachment(StoredVolume volume) {
        return AttachmentCodec.decode(Notes.contextOf(volume.notes()));
    }

    private static boolean admitted(WiredBox box, Attachment attachment, int node) {
        return WiredBox.admits(box.simulator(), attachment, TestNodes.node(node));
    }

    private void assertNotExported(WiredBox box, StoredVolume volume) {
        Set<String> before = box.rows();
        assertThatThrownBy(() -> box.exporter().export(volume, work))
                .isInstanceOfSatisfying(
                        StorageException.class,
                        refused -> assertThat(refused.failure()).isInstanceOf(Failure.Unsupported.class));
        assertThat(box.rows()).isEqualTo(before);
    }

    /** Looks for what democratic-csi keeps with a volume and needs to take it over. */
    private static void assertProperties(WiredBox box, Protocol protocol, StoredVolume volume) {
        Map<String, String> properties = box.properties(WiredBox.PARENT + "/" + volume.id());

        assertThat(properties)
                .containsEntry("democratic-csi:managed_resource", "true")
                .containsEntry("democratic-csi:provision_success", "true")
                .containsEntry("democratic-csi:csi_volume_name", volume.id().value());
        Map<String, String> context = new TreeMap<>();
        JsonParser.parseString(properties.getOrDefault("democratic-csi:csi_share_volume_context", "{}"))
                .getAsJsonObject()
                .asMap()
                .forEach((key, value) -> context.put(key, value.getAsString()));
        assertThat(context).containsAllEntriesOf(AttachmentCodec.encode(attachment(volume)));
        switch (protocol) {
            case NFS -> assertThat(properties).containsKey("democratic-csi:freenas_nfs_share_id");
            case SMB -> assertThat(properties).containsKey("democratic-csi:freenas_smb_share_id");
            case ISCSI ->
                assertThat(properties)
                        .containsKeys(
                                "democratic-csi:freenas_iscsi_target_id",
                                "democratic-csi:freenas_iscsi_extent_id",
                                "democratic-csi:freenas_iscsi_targettoextent_id",
                                "democratic-csi:freenas_iscsi_assets_name");
            case NVMEOF ->
                assertThat(properties)
                        .containsKeys(
                                "democratic-csi:freenas_nvmeof_subsystem_id",
                                "democratic-csi:freenas_nvmeof_namespace_id",
                                "democratic-csi:freenas_nvmeof_assets_name");
        }
    }

    private static void assertOfSnapshot(WiredBox box, StoredSnapshot snapshot, StoredVolume clone) {
        assertThat(box.properties(WiredBox.PARENT + "/" + clone.id()))
                .containsEntry("democratic-csi:csi_volume_content_source_type", "snapshot")
                .containsEntry(
                        "democratic-csi:csi_volume_content_source_id",
                        snapshot.id().value());
        assertThat(box.properties(WiredBox.PARENT + "/" + snapshot.id()))
                .containsEntry("democratic-csi:managed_resource", "true")
                .containsEntry("democratic-csi:csi_snapshot_name", "snapshot-a")
                .containsEntry(
                        "democratic-csi:csi_snapshot_source_volume_id",
                        snapshot.source().value());
    }

    /** Ends a volume as the use case does, twice. */
    private void end(WiredBox box, NativeId id) {
        Optional<VolumeMedium> where = box.store().placeOf(id, work);
        for (int i = 0; i < 2; i++) {
            VolumeStore.DeletionCheck check = box.store().deletionCheck(id, OnDependents.REFUSE, work);
            check.refuseIfBarred(id.value());
            box.exporter().unexport(id, where, check.volume(), work);
            box.store().delete(id, OnDependents.REFUSE, work);
        }
    }
}
