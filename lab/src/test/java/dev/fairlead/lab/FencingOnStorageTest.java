package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.domain.access.Access;
import dev.fairlead.domain.access.Grant;
import dev.fairlead.domain.access.Grants;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Nodes that are shut out after the connection's file was edited into what the storage host does not take. */
@OnStorage
class FencingOnStorageTest {
    private static final List<String> NAMES = List.of("pvc-1", "pvc-2");

    private Optional<ZfsPoolFixture> fixture = Optional.empty();

    @BeforeEach
    void enter(StorageHost host) {
        fixture = Optional.of(new ZfsPoolFixture(host));
    }

    private String shell(String line) {
        return fixture.orElseThrow().shell(line).strip();
    }

    private static Grants grants(String... initiators) {
        Grants grants = Grants.NONE;
        for (String initiator : initiators) {
            grants = grants.with(
                    new Grant("node-" + initiator, initiator, false, AccessMode.MULTI_NODE_MULTI_WRITER, false));
        }
        return grants;
    }

    private static StoredVolume admitted(VolumeStore store, Exporter exporter, String name, Grants grants) {
        Birth birth = store.plan(TestVolumes.empty(name), new NativeId(name));
        Map<String, String> notes = new HashMap<>(exporter.plan(birth).notes());
        notes.putAll(Access.CLOSED);
        StoredVolume volume =
                store.create(birth.noting(notes), TestWork.patient()).volume();
        exporter.accessControl().orElseThrow().admit(volume, grants, TestWork.patient());
        return volume;
    }

    private static void revoke(Exporter exporter, StoredVolume volume, Grants remaining) {
        exporter.revocation().orElseThrow().revoke(volume, remaining, TestWork.patient());
    }

    private static void withdraw(VolumeStore store, Exporter exporter, StoredVolume volume) {
        exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());
        store.delete(volume.id(), VolumeStore.OnDependents.REFUSE, TestWork.patient());
    }

    /** The kernel takes no other model once a host has seen the first, and has no attribute of that name at all. */
    @Test
    void hosts_of_nvme_are_shut_out_of_the_kernel_and_of_what_is_saved(StorageHost host) {
        String one = "nqn.2014-08.org.nvmexpress:uuid:11111111-1111-1111-1111-111111111111";
        String two = "nqn.2014-08.org.nvmexpress:uuid:22222222-2222-2222-2222-222222222222";
        NvmeTarget nvme = new NvmeTarget(host);
        Map<String, Object> spoiled = new HashMap<>(nvme.settings());
        Map<String, Object> attributes = Map.of("attributes", Map.of("model", "Another", "colour", "red"));
        spoiled.put(
                "shareStrategyNvmetCli",
                Map.of("basename", NvmeTarget.BASE, "ports", List.of("9"), "subsystem", attributes));
        try (VolumeStore store = nvme.rig().volumes(Map.of());
                Exporter exporter = nvme.exporter();
                Exporter edited = nvme.rig().nvmet(spoiled);
                Exporter remodelled = nvme.rig().nvmet(nvme.settings("subsystem", attributes))) {
            List<StoredVolume> volumes = NAMES.stream()
                    .map(name -> admitted(store, exporter, name, grants(one, two)))
                    .toList();
            var first = (Attachment.Nvmeof)
                    exporter.attachment(volumes.getFirst(), TestWork.patient()).orElseThrow();
            String connect = "nvme connect -t tcp -a 127.0.0.1 -s 4420 -n " + first.nqn() + " -q ";
            shell(connect + one + " && nvme disconnect -n " + first.nqn());

            for (StoredVolume volume : volumes) {
                revoke(edited, volume, grants(two));
            }

            String allowed = "ls /sys/kernel/config/nvmet/subsystems/*/allowed_hosts";
            String saved = "python3 -c 'import json; print([s[\"allowed_hosts\"] for s in"
                    + " json.load(open(\"/etc/nvmet/config.json\"))[\"subsystems\"]])'";
            assertThat(shell(allowed)).doesNotContain(one).contains(two);
            assertThat(shell(saved)).doesNotContain(one).contains(two);
            assertThat(shell(connect + one + " >/dev/null 2>&1 && echo connected || echo refused"))
                    .isEqualTo("refused");

            remodelled.accessControl().orElseThrow().admit(volumes.getFirst(), grants(one, two), TestWork.patient());
            assertThat(shell(connect + one + " >/dev/null 2>&1 && echo connected || echo refused"))
                    .as("let in, though the model stays as it was")
                    .isEqualTo("connected");
            assertThat(shell("cat /etc/nvmet/config.json")).doesNotContain("Another", "colour");
            shell("nvme disconnect -n " + first.nqn());

            for (StoredVolume volume : volumes) {
                revoke(edited, volume, Grants.NONE);
            }
            assertThat(shell(allowed)).doesNotContain("uuid");
            assertThat(shell(saved)).doesNotContain("uuid");
            volumes.forEach(volume -> withdraw(store, edited, volume));
        } finally {
            nvme.close();
        }
    }

    private static Map<String, Object> iscsi(Map<String, Integer> tpg, Map<String, Integer> block) {
        return Map.of(
                "shareStrategy",
                "targetCli",
                "targetPortal",
                "127.0.0.1:3260",
                "shareStrategyTargetCli",
                Map.of(
                        "basename",
                        "iqn.2003-01.org.example.fairlead",
                        "tpg",
                        Map.of("attributes", tpg),
                        "block",
                        Map.of("attributes", block)));
    }

    /** The kernel takes no other size of blocks while a disk is exported, and has no attribute of that name at all. */
    @Test
    void initiators_of_iscsi_are_shut_out_of_the_kernel_and_of_what_is_saved() {
        String one = "iqn.1993-08.org.debian:01:one";
        String two = "iqn.1993-08.org.debian:01:two";
        Map<String, Integer> usual = Map.of("authentication", 0);
        try (VolumeStore store = fixture.orElseThrow().volumes(Map.of());
                Exporter exporter = fixture.orElseThrow().iscsi(iscsi(usual, Map.of()));
                Exporter edited =
                        fixture.orElseThrow().iscsi(iscsi(Map.of("login_colour", 1), Map.of("block_size", 4096)));
                Exporter resized = fixture.orElseThrow().iscsi(iscsi(usual, Map.of("block_size", 4096)))) {
            List<StoredVolume> volumes = NAMES.stream()
                    .map(name -> admitted(store, exporter, name, grants(one, two)))
                    .toList();

            for (StoredVolume volume : volumes) {
                revoke(edited, volume, grants(two));
            }

            String acls = "ls /sys/kernel/config/target/iscsi/*/tpgt_1/acls";
            String saved = "cat /etc/rtslib-fb-target/saveconfig.json /etc/target/saveconfig.json 2>/dev/null";
            assertThat(shell(acls)).doesNotContain(one).contains(two);
            assertThat(shell(saved + "; true")).doesNotContain(one).contains(two);

            resized.accessControl().orElseThrow().admit(volumes.getFirst(), grants(one, two), TestWork.patient());
            assertThat(shell(acls))
                    .as("let in, though the blocks stay as they were")
                    .contains(one);

            for (StoredVolume volume : volumes) {
                revoke(edited, volume, Grants.NONE);
            }
            assertThat(shell(acls)).doesNotContain(one, two);
            assertThat(shell(saved + "; true")).doesNotContain(one, two);
            volumes.forEach(volume -> withdraw(store, edited, volume));
        }
    }

    private static Map<String, Object> nfs(String options) {
        return Map.of(
                "shareHost",
                "198.51.100.1",
                "shareStrategy",
                "setDatasetProperties",
                "shareStrategySetDatasetProperties",
                Map.of("properties", Map.of("sharenfs", options)));
    }

    /** ZFS takes no options that it does not know. */
    @Test
    void nodes_of_nfs_are_shut_out() {
        try (VolumeStore store = fixture.orElseThrow().filesystems(Map.of());
                Exporter exporter = fixture.orElseThrow().nfs(nfs("rw,no_subtree_check,no_root_squash"));
                Exporter edited = fixture.orElseThrow().nfs(nfs("sec=sys,rw,sec=krb5,ro,no_such_option"))) {
            List<StoredVolume> volumes = NAMES.stream()
                    .map(name -> admitted(store, exporter, name, grants("198.51.100.2", "198.51.100.3")))
                    .toList();

            for (StoredVolume volume : volumes) {
                revoke(edited, volume, grants("198.51.100.3"));
            }
            assertThat(shell("exportfs -v"))
                    .contains("198.51.100.3", "no_root_squash")
                    .doesNotContain("198.51.100.2");

            for (StoredVolume volume : volumes) {
                revoke(edited, volume, Grants.NONE);
            }
            assertThat(fixture.orElseThrow().exported()).isZero();
            volumes.forEach(volume -> withdraw(store, edited, volume));
        }
    }
}
