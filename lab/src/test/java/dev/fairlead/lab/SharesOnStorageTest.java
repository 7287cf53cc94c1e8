package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a real storage host shares where its programs fail, forget, or are given one name twice. */
@OnStorage
class SharesOnStorageTest {
    private static final String SAMBA = "/etc/samba/smb.conf";

    private Optional<ZfsPoolFixture> fixture = Optional.empty();

    @BeforeEach
    void enter(StorageHost host) {
        fixture = Optional.of(new ZfsPoolFixture(host));
        rig().shell("cp " + SAMBA + " /root/smb.conf.before");
    }

    @AfterEach
    void leave() {
        rig().shell("cp /root/smb.conf.before " + SAMBA + "; rm /root/smb.conf.before");
    }

    private ZfsPoolFixture rig() {
        return fixture.orElseThrow();
    }

    private static Map<String, Object> share(String property) {
        return Map.of(
                "shareHost",
                "127.0.0.1",
                "shareStrategy",
                "setDatasetProperties",
                "shareStrategySetDatasetProperties",
                Map.of("properties", Map.of(property, "on")));
    }

    private static StoredVolume made(VolumeStore store, String name) {
        var birth = store.plan(TestVolumes.empty(name), new NativeId(name));
        return store.create(birth, TestWork.patient()).volume();
    }

    private String pathOf(String share) {
        String name = (rig().parent() + "/" + share).replaceAll("[/-]", "_").toLowerCase(Locale.ROOT);
        return rig().shell("sed -n s,^path=,,p /var/lib/samba/usershares/" + name + " 2>/dev/null || true")
                .strip();
    }

    @Test
    void a_second_volume_does_not_take_the_share_of_the_first() {
        try (VolumeStore store = rig().filesystems(Map.of());
                Exporter smb = rig().smb(share("sharesmb"))) {
            StoredVolume first = made(store, "a_b-c");
            smb.export(first, TestWork.patient());
            StoredVolume second = made(store, "A-b_c");

            Failing.with(Failure.BackendUnavailable.class, () -> smb.export(second, TestWork.patient()));

            assertThat(pathOf("a_b-c")).isEqualTo("/" + rig().parent() + "/a_b-c");
            assertThat(rig().shell("zfs get -H -o value sharesmb " + rig().parent() + "/A-b_c")
                            .strip())
                    .isEqualTo("off");
        }
    }

    @Test
    void a_share_that_samba_does_not_take_is_no_success_until_it_does() {
        try (VolumeStore store = rig().filesystems(Map.of());
                Exporter smb = rig().smb(share("sharesmb"))) {
            StoredVolume volume = made(store, "pvc-1");
            rig().shell("sed -i 's/usershare max shares = .*/usershare max shares = 1/' " + SAMBA
                    + "; mkdir -p /tmp/full; net usershare add full /tmp/full");

            Failing.with(Failure.BackendUnavailable.class, () -> smb.export(volume, TestWork.patient()));
            assertThat(pathOf("pvc-1")).isEmpty();
            rig().shell("net usershare delete full; rmdir /tmp/full");
            smb.export(volume, TestWork.patient());

            assertThat(pathOf("pvc-1")).isEqualTo("/" + rig().parent() + "/pvc-1");
        }
    }

    @Test
    void what_the_host_has_forgotten_is_shared_again() {
        try (VolumeStore store = rig().filesystems(Map.of());
                Exporter nfs = rig().nfs(share("sharenfs"));
                Exporter smb = rig().smb(share("sharesmb"))) {
            StoredVolume volume = made(store, "pvc-1");
            for (Exporter exporter : List.of(nfs, smb)) {
                exporter.export(volume, TestWork.patient());
            }
            rig().shell("exportfs -ua; rm -f /etc/exports.d/zfs.exports /var/lib/samba/usershares/*");
            assertThat(rig().exported() + rig().shares()).isZero();

            for (Exporter exporter : List.of(nfs, smb)) {
                exporter.export(volume, TestWork.patient());
            }

            assertThat(rig().exported()).isEqualTo(1);
            assertThat(pathOf("pvc-1")).isEqualTo("/" + rig().parent() + "/pvc-1");
        }
    }

    /** Usershares are their group's alone: they are read by sudo. */
    @Test
    void a_user_who_is_not_root_reads_both_back() {
        Map<String, Object> sudo = Map.of("cli", Map.of("sudoEnabled", true));
        try (VolumeStore store = rig().filesystems(Map.of());
                Exporter nfs = rig().shares("nfs", share("sharenfs"), "keeper", sudo);
                Exporter smb = rig().shares("smb", share("sharesmb"), "keeper", sudo)) {
            StoredVolume volume = made(store, "pvc-1");
            for (Exporter exporter : List.of(nfs, smb)) {
                exporter.export(volume, TestWork.patient());
                exporter.export(volume, TestWork.patient());
            }
            assertThat(rig().exported()).isEqualTo(1);
            assertThat(pathOf("pvc-1")).isEqualTo("/" + rig().parent() + "/pvc-1");

            for (Exporter exporter : List.of(nfs, smb)) {
                exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());
            }
            assertThat(rig().exported() + rig().shares()).isZero();
        }
    }

    /** A filesystem that is born with its share is refused before there is any of it. */
    @Test
    void a_volume_whose_share_is_anothers_is_not_made() {
        rig().shell("mkdir -p /tmp/other; net usershare add " + (rig().parent() + "/pvc-1").replaceAll("[/-]", "_")
                + " /tmp/other");
        try (VolumeStore store = rig().filesystems(Map.of())) {
            Birth birth = store.plan(TestVolumes.empty("pvc-1"), new NativeId("pvc-1"))
                    .exported(Map.of(), Map.of("sharesmb", "on"));
            Failing.with(Failure.BackendRejected.class, () -> store.create(birth, TestWork.patient()));

            assertThat(rig().left()).isEmpty();
            assertThat(pathOf("pvc-1")).isEqualTo("/tmp/other");
        } finally {
            rig().shell("rm -f /var/lib/samba/usershares/*; rmdir /tmp/other");
        }
    }
}
