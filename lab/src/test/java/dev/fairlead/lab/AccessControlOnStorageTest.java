package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.domain.access.Access;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.contract.export.AccessControlContract;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;

/** What the contract of access control asks, of real servers: whom they let in is read on the host itself. */
@OnStorage
class AccessControlOnStorageTest {
    abstract static class Servers implements AccessControlContract {
        private Optional<ZfsPoolFixture> entered = Optional.empty();

        @BeforeEach
        void enter(StorageHost host) {
            entered = Optional.of(new ZfsPoolFixture(host));
            begin(host);
        }

        void begin(StorageHost host) {}

        ZfsPoolFixture rig() {
            return entered.orElseThrow();
        }

        /** Lines of what a command on the storage host prints. */
        List<String> lines(String command) {
            return rig().shell(command).lines().map(String::strip).toList();
        }

        abstract VolumeStore store();

        @Override
        public Birth birth(String name) {
            try (VolumeStore store = store()) {
                return store.plan(TestVolumes.empty(name), new NativeId(name));
            }
        }

        /** The volume has no record of who is let in, so that each call is believed what it knows of that. */
        @Override
        public StoredVolume volume(Birth birth, Map<String, String> notes) {
            Map<String, String> kept = new HashMap<>(notes);
            kept.remove(Access.GRANTS);
            try (VolumeStore store = store()) {
                StoredVolume made =
                        store.create(birth.noting(kept), TestWork.patient()).volume();
                Map<String, String> all = new HashMap<>(made.notes());
                all.putAll(notes);
                return made.withNotes(all);
            }
        }

        @Override
        public void remove(StoredVolume volume) {
            rig().shell("zfs destroy -R " + rig().parent() + "/" + volume.id());
        }
    }

    @Nested
    class Nfs extends Servers {
        @Override
        VolumeStore store() {
            return rig().filesystems(Map.of());
        }

        private Exporter exporter(String options) {
            return rig().nfs(Map.of(
                    "shareHost",
                    "198.51.100.1",
                    "shareStrategy",
                    "setDatasetProperties",
                    "shareStrategySetDatasetProperties",
                    Map.of("properties", Map.of("sharenfs", options))));
        }

        @Override
        public Exporter exporter() {
            return exporter("rw,no_subtree_check,no_root_squash");
        }

        /** ZFS takes no options that it does not know. */
        @Override
        public Exporter spoiled() {
            return exporter("sec=sys,rw,sec=krb5,ro,no_such_option");
        }

        @Override
        public Optional<SortedMap<String, Boolean>> letIn(StoredVolume volume) {
            SortedMap<String, Boolean> clients = new TreeMap<>();
            for (String line : lines("exportfs -s")) {
                String[] export = line.split("\\s+|[()]", -1);
                if (export[0].equals(volume.medium().path())) {
                    clients.put(export[1], List.of(export[2].split(",", -1)).contains("ro"));
                }
            }
            return clients.containsKey("*") ? Optional.empty() : Optional.of(clients);
        }

        @Override
        public int exports() {
            return rig().exported();
        }
    }

    @Nested
    class Iscsi extends Servers {
        @Override
        VolumeStore store() {
            return rig().volumes(Map.of());
        }

        private Exporter exporter(Map<String, Object> targetcli) {
            return rig().iscsi(Map.of(
                    "shareStrategy",
                    "targetCli",
                    "targetPortal",
                    "127.0.0.1:3260",
                    "shareStrategyTargetCli",
                    targetcli));
        }

        @Override
        public Exporter exporter() {
            return exporter(Map.of("basename", IscsiTarget.BASE, "tpg", IscsiTarget.CHAP));
        }

        /** The kernel has no attributes of these names. */
        @Override
        public Exporter spoiled() {
            Map<String, Object> unknown = Map.of("attributes", Map.of("login_colour", 1));
            return exporter(Map.of(
                    "basename",
                    IscsiTarget.BASE,
                    "tpg",
                    unknown,
                    "block",
                    Map.of("attributes", Map.of("emulate_colour", 1))));
        }

        @Override
        public Optional<SortedMap<String, Boolean>> letIn(StoredVolume volume) {
            String group = "/sys/kernel/config/target/iscsi/" + IscsiTarget.BASE + ":" + volume.id() + "/tpgt_1";
            if (!lines("cat " + group + "/attrib/generate_node_acls").equals(List.of("0"))) {
                return Optional.empty();
            }
            SortedMap<String, Boolean> initiators = new TreeMap<>();
            for (String initiator : lines("ls " + group + "/acls")) {
                initiators.put(
                        initiator,
                        lines("cat " + group + "/acls/" + initiator + "/lun_0/write_protect")
                                .equals(List.of("1")));
            }
            assertThat(saved(volume)).as("saved").isEqualTo(initiators);
            return Optional.of(initiators);
        }

        /** Returns the same of what would be after a restart of the host. */
        private SortedMap<String, Boolean> saved(StoredVolume volume) {
            SortedMap<String, Boolean> initiators = new TreeMap<>();
            String program = "import json; [print(a[\"node_wwn\"], l[\"write_protect\"])"
                    + " for t in json.load(open(\"/etc/rtslib-fb-target/saveconfig.json\"))[\"targets\"]"
                    + " if t[\"wwn\"] == \"" + IscsiTarget.BASE + ":" + volume.id() + "\""
                    + " for g in t[\"tpgs\"] for a in g[\"node_acls\"] for l in a[\"mapped_luns\"]]";
            for (String line : lines("python3 -c '" + program + "'")) {
                String[] words = line.split(" ", -1);
                initiators.put(words[0], words[1].equals("True"));
            }
            return initiators;
        }

        /** What a test that failed has left would be in the way of the next. */
        @AfterEach
        void clear() {
            rig().shell("targetctl clear; rm -f /etc/rtslib-fb-target/saveconfig.json");
        }

        @Override
        public void remove(StoredVolume volume) {
            // The kernel does not let go of a device that is a LUN: a volume goes first only by force.
            rig().shell("zfs destroy -R " + rig().parent() + "/" + volume.id() + " 2>/dev/null || true");
        }

        @Override
        public int exports() {
            try {
                return IscsiTarget.exports(rig().host(), rig().parent()).size();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Nested
    class Nvmeof extends Servers {
        private Optional<NvmeTarget> target = Optional.empty();

        @Override
        void begin(StorageHost host) {
            target = Optional.of(new NvmeTarget(host));
        }

        @AfterEach
        void leave() {
            target().close();
        }

        private NvmeTarget target() {
            return target.orElseThrow();
        }

        @Override
        VolumeStore store() {
            return rig().volumes(Map.of());
        }

        @Override
        public Exporter exporter() {
            return target().exporter();
        }

        /** The kernel has no attribute of this name, and the host no such port. */
        @Override
        public Exporter spoiled() {
            return rig().nvmet(target().settings(
                            Map.of("ports", List.of("9"), "subsystem", Map.of("attributes", Map.of("colour", "red")))));
        }

        @Override
        public boolean hasReaders() {
            return false;
        }

        @Override
        public Optional<SortedMap<String, Boolean>> letIn(StoredVolume volume) {
            String nqn = NvmeTarget.BASE + ":" + volume.id();
            String subsystem = "/sys/kernel/config/nvmet/subsystems/" + nqn;
            List<String> allowed = lines("ls " + subsystem + "/allowed_hosts");
            assertThat(lines("python3 -c 'import json; print(*sum((s[\"allowed_hosts\"] for s in"
                            + " json.load(open(\"/etc/nvmet/config.json\"))[\"subsystems\"] if s[\"nqn\"] == \"" + nqn
                            + "\"), []), sep=\"\\n\")' | grep . || true"))
                    .as("saved")
                    .containsExactlyInAnyOrderElementsOf(allowed);
            if (lines("cat " + subsystem + "/attr_allow_any_host").equals(List.of("1"))) {
                return Optional.empty();
            }
            SortedMap<String, Boolean> hosts = new TreeMap<>();
            allowed.forEach(name -> hosts.put(name, false));
            return Optional.of(hosts);
        }

        @Override
        public void remove(StoredVolume volume) {
            target().removeUnderneath(volume);
        }

        @Override
        public int exports() {
            return target().exports();
        }
    }
}
