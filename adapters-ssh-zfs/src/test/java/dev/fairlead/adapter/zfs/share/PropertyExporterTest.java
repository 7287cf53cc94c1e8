package dev.fairlead.adapter.zfs.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.zfs.host.ShareProtocol;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.domain.access.Access;
import dev.fairlead.domain.access.Grant;
import dev.fairlead.domain.access.Grants;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.contract.export.AccessControlContract;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.zfs.property.OwnProperties;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class PropertyExporterTest {
    private final ShareFixture fixture = new ShareFixture();

    private Exporter exporter(ShareProtocol protocol) {
        return exporter(protocol, "on");
    }

    private Exporter exporter(ShareProtocol protocol, String options) {
        String block = protocol.block();
        ShareSettings settings = ShareSettings.read(
                ShareFixture.node(Map.of(
                        block,
                        Map.of(
                                "shareHost",
                                "nas",
                                "shareStrategy",
                                "setDatasetProperties",
                                "shareStrategySetDatasetProperties",
                                Map.of("properties", Map.of(protocol.property(), options))))),
                protocol);
        return new PropertyExporter(fixture.connection(), protocol, settings);
    }

    abstract class Promises implements ShareSubject {
        private final ShareProtocol protocol;

        Promises(ShareProtocol protocol) {
            this.protocol = protocol;
        }

        @Override
        public Exporter exporter() {
            return PropertyExporterTest.this.exporter(protocol);
        }

        @Override
        public ShareFixture fixture() {
            return fixture;
        }

        @Override
        public int exports() {
            return fixture.shared(protocol);
        }
    }

    @Nested
    class Nfs extends Promises implements AccessControlContract {
        Nfs() {
            super(ShareProtocol.NFS);
        }

        @Override
        public Exporter spoiled() {
            return PropertyExporterTest.this.exporter(ShareProtocol.NFS, "sec=sys,rw,sec=krb5,ro,no_such_option");
        }

        @Override
        public Optional<SortedMap<String, Boolean>> letIn(StoredVolume volume) {
            return fixture.letIn(volume);
        }
    }

    @Nested
    class Smb extends Promises {
        Smb() {
            super(ShareProtocol.SMB);
        }
    }

    @Test
    void attachments_are_spelled_as_the_peer_spells_them() {
        StoredVolume volume = fixture.volume(ShareFixture.birth("pvc-1"), Map.of());

        try (Exporter nfs = exporter(ShareProtocol.NFS);
                Exporter smb = exporter(ShareProtocol.SMB)) {
            assertThat(nfs.export(volume, TestWork.patient()).attachment())
                    .isEqualTo(new Attachment.Nfs("nas", "/tank/v/pvc-1"));
            assertThat(smb.export(volume, TestWork.patient()).attachment())
                    .isEqualTo(new Attachment.Smb("nas", "tank_v_pvc_1"));
        }
    }

    @Test
    void sharing_is_one_round_trip_that_reads_back() {
        StoredVolume volume = fixture.volume(ShareFixture.birth("pvc-1"), Map.of());

        try (Exporter nfs = exporter(ShareProtocol.NFS)) {
            nfs.export(volume, TestWork.patient());
        }

        assertThat(fixture.pool().roundTrips()).isEqualTo(1);
        assertThat(fixture.pool().history())
                .containsExactly(
                        List.of("zfs", "set", "sharenfs=on", "tank/v/pvc-1"),
                        List.of("grep", "-s", "-F", "-e", "/tank/v/pvc-1\t", "/var/lib/nfs/etab"),
                        List.of(
                                "zfs",
                                "get",
                                "-Hp",
                                "-o",
                                "name,property,value,source",
                                "sharenfs,mounted,mountpoint",
                                "tank/v/pvc-1"));
    }

    @Test
    void what_reads_back_differently_or_is_not_mounted_is_no_success() {
        StoredVolume volume = fixture.volume(ShareFixture.birth("pvc-1"), Map.of());

        try (Exporter nfs = exporter(ShareProtocol.NFS)) {
            fixture.pool().lie("sharenfs", "off");
            Failing.with(Failure.Unintelligible.class, () -> nfs.export(volume, TestWork.patient()));

            fixture.pool().lie("sharenfs", "on");
            fixture.pool().lie("mounted", "no");
            Failing.with(Failure.BackendUnavailable.class, () -> nfs.export(volume, TestWork.patient()));
        }
    }

    private StoredVolume closed() {
        return fixture.volume(ShareFixture.birth("pvc-1"), Access.CLOSED);
    }

    private static Grants one() {
        return Grants.NONE.with(new Grant("node-1", "10.0.0.1", false, AccessMode.SINGLE_NODE_WRITER, false));
    }

    @Test
    void a_node_that_is_let_in_is_read_back_in_one_round_trip() {
        StoredVolume volume = closed();
        try (Exporter nfs = exporter(ShareProtocol.NFS)) {
            nfs.accessControl().orElseThrow().admit(volume, one(), TestWork.patient());
            assertThat(fixture.pool().roundTrips()).isEqualTo(1);
            assertThat(fixture.pool().history())
                    .contains(List.of("zfs", "set", "sharenfs=rw=10.0.0.1", "tank/v/pvc-1"));

            fixture.pool().lie("sharenfs", "rw=10.0.0.1");
            Failing.with(
                    Failure.Unintelligible.class,
                    () -> nfs.accessControl().orElseThrow().admit(volume, Grants.NONE, TestWork.patient()));
        }
    }

    /** Another process does so after the look at the record and before the share: what it let in would be shut out. */
    @Test
    void a_node_that_is_recorded_in_the_middle_of_a_share_is_no_success() {
        StoredVolume volume = closed();
        List<String> record = List.of("zfs", "set", OwnProperties.GRANTS + "=" + one().text(), "tank/v/pvc-1");
        try (Exporter nfs = exporter(ShareProtocol.NFS)) {
            fixture.pool()
                    .beforeSteps(() ->
                            fixture.pool().beforeSteps(() -> fixture.pool().play(record)));

            assertThatThrownBy(() -> nfs.export(volume, TestWork.patient()))
                    .hasMessageContaining("were changed meanwhile");

            Map<String, String> notes = new HashMap<>(volume.notes());
            notes.putAll(one().note());
            nfs.export(volume.withNotes(notes), TestWork.patient());
        }
        assertThat(fixture.pool().own("tank/v/pvc-1")).containsEntry("sharenfs", "rw=10.0.0.1");
    }

    /** Its parent may share with everybody, and its destruction may fail. */
    @Test
    void a_closed_volume_is_shared_with_nobody_when_its_share_goes() {
        StoredVolume volume = closed();
        try (Exporter nfs = exporter(ShareProtocol.NFS)) {
            nfs.accessControl().orElseThrow().admit(volume, one(), TestWork.patient());

            nfs.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());
        }

        assertThat(fixture.pool().own("tank/v/pvc-1")).containsEntry("sharenfs", "off");
    }

    @Test
    void what_cannot_be_closed_is_not_shared_with_everybody_instead() {
        StoredVolume volume = closed();
        try (Exporter smb = exporter(ShareProtocol.SMB)) {
            assertThat(smb.accessControl()).isEmpty();
            Failing.with(Failure.BackendRejected.class, () -> smb.export(volume, TestWork.patient()));
        }

        assertThat(fixture.pool().own("tank/v/pvc-1")).doesNotContainKey("sharesmb");
    }

    /** {@code zfs destroy} by hand leaves it; what has its name and another path is another's. */
    @Test
    void only_its_own_share_is_taken_away_after_a_volume_that_is_gone() {
        StoredVolume volume = fixture.volume(ShareFixture.birth("pvc-1"), Map.of());
        try (Exporter smb = exporter(ShareProtocol.SMB)) {
            fixture.pool().shares().put("tank_v_pvc_1", "/srv/pvc-1");
            fixture.remove(volume);
            smb.unexport(volume.id(), Optional.of(volume.medium()), Optional.empty(), TestWork.patient());
            assertThat(fixture.pool().shares().named()).containsEntry("tank_v_pvc_1", "/srv/pvc-1");

            fixture.pool().shares().put("tank_v_pvc_1", "/tank/v/pvc-1");
            smb.unexport(volume.id(), Optional.of(volume.medium()), Optional.empty(), TestWork.patient());
            assertThat(fixture.pool().shares().named()).isEmpty();
        }
    }

    @Test
    void a_share_that_stays_after_its_volume_is_told() {
        StoredVolume volume = fixture.volume(ShareFixture.birth("pvc-1"), Map.of());
        try (Exporter smb = exporter(ShareProtocol.SMB)) {
            smb.export(volume, TestWork.patient());
            fixture.remove(volume);
            fixture.pool().shares().keepsShares();

            assertThatThrownBy(() -> smb.unexport(
                            volume.id(), Optional.of(volume.medium()), Optional.empty(), TestWork.patient()))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContainingAll("net usershare delete tank_v_pvc_1", "Permission denied");
        }
    }

    @Test
    void a_volume_that_is_gone_is_not_found() {
        Birth birth = ShareFixture.birth("pvc-1");
        StoredVolume volume = fixture.volume(birth, Map.of());
        fixture.remove(volume);

        try (Exporter nfs = exporter(ShareProtocol.NFS)) {
            Failing.with(Failure.VolumeNotFound.class, () -> nfs.export(volume, TestWork.patient()));
        }
    }
}
