package dev.fairlead.adapter.zfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import dev.fairlead.domain.access.Access;
import dev.fairlead.domain.access.Grant;
import dev.fairlead.domain.access.Grants;
import dev.fairlead.domain.attachment.AttachmentCodec;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.Notes;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.ConfigTrees;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** That what the storage host shares is what the volumes are, not what their properties say. */
class HostSharesTest {
    private final FakePool pool = new FakePool("tank", "tank/v");

    /** A store and an exporter of one connection, and what is made with both. */
    private final class Connection {
        private final VolumeStore store;
        private final Exporter exporter;

        Connection(String protocol, Map<String, Object> zfs) {
            CommandRunnerFactory here = (_, _) -> pool;
            var connections = new ZfsConnections(new StorageHosts(Map.of("ssh", here, "local", here)));
            Map<String, Object> block = new HashMap<>(zfs);
            block.put("datasetParentName", "tank/v");
            ConfigNode file = ConfigNode.root(
                    ConfigTrees.of(Map.of("zfs", block, protocol, ZfsCrashFixture.share("share" + protocol, "on"))),
                    new Problems("nas.yaml"));
            var scope =
                    new ConnectionScope(new ConnectionName("nas"), "zfs-generic-" + protocol, Optional.empty(), "test");
            store = ZfsStoreModule.filesystems(connections).open(scope, file);
            exporter = (protocol.equals("nfs") ? ShareModule.nfs(connections) : ShareModule.smb(connections))
                    .open(scope, file);
        }

        /** As the use case does: plan, note what is known of the attachment, make. */
        StoredVolume make(String name, Map<String, String> notes) {
            return made(name, notes).volume();
        }

        private VolumeStore.Creation made(String name, Map<String, String> notes) {
            var birth = store.plan(TestVolumes.empty(name), new NativeId(name)).noting(notes);
            Exporter.Plan plan = exporter.plan(birth);
            Map<String, String> all = new HashMap<>(plan.notes());
            plan.attachment().map(AttachmentCodec::encode).map(Notes::ofContext).ifPresent(all::putAll);
            return store.create(birth.exported(all, plan.bornWith()), TestWork.patient());
        }

        StoredVolume shared(String name) {
            VolumeStore.Creation made = made(name, Map.of());
            if (exporter.alreadyExported(made).isEmpty()) {
                export(made.volume());
            }
            return made.volume();
        }

        void export(StoredVolume volume) {
            exporter.export(volume, TestWork.patient());
        }

        void unexport(StoredVolume volume) {
            exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());
        }

        void admit(StoredVolume volume, Grants grants) {
            exporter.accessControl().orElseThrow().admit(volume, grants, TestWork.patient());
        }
    }

    private Connection connection(String protocol) {
        return new Connection(protocol, Map.of());
    }

    private static void says(String words, ThrowingCallable call) {
        assertThatThrownBy(call).hasMessageContaining(words);
    }

    private static Grants one() {
        return Grants.NONE.with(new Grant("node-1", "10.0.0.1", false, AccessMode.SINGLE_NODE_WRITER, false));
    }

    /** The second would be the first's share: whoever mounts the first would write to the second. */
    @ParameterizedTest
    @ValueSource(strings = {"a-b_c", "A_B-C", "a_b_c"})
    void a_volume_whose_share_would_be_anothers_is_refused_before_it_is_made(String second) {
        Connection smb = connection("smb");
        smb.shared("a_b-c");

        Failing.with(Failure.BackendRejected.class, () -> smb.make(second, Map.of()));
        says("tank_v_", () -> smb.make(second, Map.of()));

        assertThat(pool.names()).doesNotContain("tank/v/" + second);
        assertThat(pool.shares().named()).containsExactly(Map.entry("tank_v_a_b_c", "/tank/v/a_b-c"));
    }

    /** A connection that has made nothing yet does not know where the parent is mounted. */
    @Test
    void it_is_refused_by_a_connection_that_knows_nothing_yet() {
        connection("smb").shared("a_b-c");

        Failing.with(Failure.BackendRejected.class, () -> connection("smb").make("a-b_c", Map.of()));

        assertThat(pool.names()).doesNotContain("tank/v/a-b_c");
    }

    @Test
    void it_is_refused_where_the_connection_itself_says_where_volumes_are_mounted() {
        Connection smb = new Connection("smb", Map.of("datasetProperties", Map.of("mountpoint", "/srv/{{ name }}")));
        connection("smb").shared("a_b-c");

        Failing.with(Failure.BackendRejected.class, () -> smb.make("a-b_c", Map.of()));

        assertThat(pool.names()).doesNotContain("tank/v/a-b_c");
    }

    /** Two that are there already, made by another driver: the share stays whose it is. */
    @Test
    void a_volume_that_is_there_does_not_take_anothers_share() {
        Connection smb = connection("smb");
        StoredVolume volume = smb.make("a_b-c", Map.of());
        pool.play(List.of("zfs", "set", "sharesmb=off", "tank/v/a_b-c"));
        pool.shares().put("tank_v_a_b_c", "/tank/v/a-b_c");
        smb.exporter.close();
        Connection later = connection("smb");

        Failing.with(Failure.BackendUnavailable.class, () -> later.export(volume));

        assertThat(pool.own("tank/v/a_b-c")).containsEntry("sharesmb", "off");
        assertThat(pool.shares().named()).containsEntry("tank_v_a_b_c", "/tank/v/a-b_c");
    }

    /** A host that died between the dataset and its share has the share still. */
    @Test
    void a_share_that_was_left_of_the_same_path_is_in_nobodys_way() {
        pool.shares().put("tank_v_pvc_1", "/tank/v/pvc-1");

        connection("smb").shared("pvc-1");

        assertThat(pool.shares().named()).containsExactly(Map.entry("tank_v_pvc_1", "/tank/v/pvc-1"));
    }

    /** ZFS leaves the share of SMB of a dataset that is destroyed by hand; what is deleted here is unshared before. */
    @Test
    void a_volume_that_is_deleted_leaves_no_share_and_its_name_is_free() {
        Connection smb = connection("smb");
        StoredVolume volume = smb.shared("a_b-c");

        smb.unexport(volume);
        smb.store.delete(volume.id(), VolumeStore.OnDependents.REFUSE, TestWork.patient());
        smb.shared("a-b_c");

        assertThat(pool.shares().named()).containsExactly(Map.entry("tank_v_a_b_c", "/tank/v/a-b_c"));
    }

    @Test
    void a_share_is_looked_for_in_the_round_trip_that_makes_it() {
        for (String protocol : new String[] {"nfs", "smb"}) {
            Connection connection = connection(protocol);
            connection.shared(protocol + "-0");
            int before = pool.roundTrips();

            connection.shared(protocol + "-1");

            assertThat(pool.roundTrips() - before).as(protocol).isEqualTo(1);
        }
    }

    /** Debian's Samba takes a hundred usershares, and zfs does not say that it took no more. */
    @Test
    void a_share_that_samba_did_not_take_is_no_success_until_it_does() {
        Connection smb = connection("smb");
        pool.shares().most(0);
        StoredVolume volume = smb.make("pvc-1", Map.of());

        Failing.with(Failure.BackendUnavailable.class, () -> smb.export(volume));
        says("usershare max shares", () -> smb.export(volume));
        pool.shares().most(1);
        smb.export(volume);

        assertThat(pool.shares().named()).containsEntry("tank_v_pvc_1", "/tank/v/pvc-1");
    }

    @Test
    void an_export_that_exportfs_did_not_make_is_no_success_until_it_does() {
        Connection nfs = connection("nfs");
        pool.shares().exportfsFails(true);
        StoredVolume volume = nfs.make("pvc-1", Map.of());

        Failing.with(Failure.BackendUnavailable.class, () -> nfs.export(volume));
        says("exportfs -ra", () -> nfs.export(volume));
        pool.shares().exportfsFails(false);
        nfs.export(volume);

        assertThat(pool.shares().exports()).containsEntry("/tank/v/pvc-1", "on");
    }

    /** Its property is what it should be, and a repeated call sets it again. */
    @Test
    void what_the_host_has_forgotten_is_shared_again() {
        for (String protocol : new String[] {"nfs", "smb"}) {
            Connection connection = connection(protocol);
            StoredVolume volume = connection.shared(protocol + "-1");
            pool.shares().forget();

            connection.export(volume);

            assertThat(pool.shares().exports().size() + pool.shares().named().size())
                    .as(protocol)
                    .isEqualTo(1);
        }
    }

    @Test
    void a_node_that_the_host_did_not_let_in_or_did_not_shut_out_is_no_success() {
        Connection nfs = connection("nfs");
        StoredVolume volume = nfs.make("pvc-1", Access.CLOSED);
        nfs.export(volume);
        pool.shares().exportfsFails(true);
        Failing.with(Failure.BackendUnavailable.class, () -> nfs.admit(volume, one()));
        pool.shares().exportfsFails(false);
        nfs.admit(volume, one());

        pool.shares().exportfsFails(true);
        Failing.with(Failure.BackendUnavailable.class, () -> nfs.admit(volume, Grants.NONE));
        Failing.with(Failure.BackendUnavailable.class, () -> nfs.unexport(volume));
        pool.shares().exportfsFails(false);
        nfs.unexport(volume);

        assertThat(pool.shares().exports()).isEmpty();
    }

    @Test
    void a_share_that_is_still_there_is_not_taken_for_gone() {
        Connection nfs = connection("nfs");
        StoredVolume volume = nfs.shared("pvc-1");
        pool.shares().exportfsFails(true);

        Failing.with(Failure.BackendUnavailable.class, () -> nfs.unexport(volume));
        pool.shares().exportfsFails(false);
        pool.play(List.of("zfs", "set", "sharenfs=off", "tank/v/pvc-1"));
        pool.shares().put("/tank/v/pvc-1");

        Failing.with(Failure.BackendUnavailable.class, () -> nfs.unexport(volume));
    }

    /** A parent that shares does so for all below it; nothing of the volume's own is left. */
    @Test
    void a_share_that_comes_from_above_stays() {
        pool.put("tank/v", "filesystem", Map.of("sharenfs", "ro=@10.0.0.0/8"));
        Connection nfs = connection("nfs");
        StoredVolume volume = nfs.shared("pvc-1");

        nfs.unexport(volume);

        assertThat(pool.own("tank/v/pvc-1")).doesNotContainKey("sharenfs");
        assertThat(pool.shares().exports()).containsEntry("/tank/v/pvc-1", "ro=@10.0.0.0/8");
    }

    @Test
    void a_path_with_blanks_is_found_as_the_host_writes_it() {
        pool.mount("tank/v", "/srv/all of it");

        connection("nfs").shared("pvc-1");

        assertThat(pool.shares().exports()).containsKey("/srv/all of it/pvc-1");
    }

    /** FreeBSD and illumos share by themselves, and have no such files. */
    @Test
    void a_host_that_cannot_be_asked_is_believed() {
        pool.shares().cannotBeAsked();
        pool.shares().exportfsFails(true);

        StoredVolume volume = connection("nfs").shared("pvc-1");

        assertThat(volume.medium().path()).isEqualTo("/tank/v/pvc-1");
    }
}
