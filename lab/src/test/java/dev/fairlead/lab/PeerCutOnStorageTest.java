package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.in.volume.CreateVolume;
import dev.fairlead.application.port.in.volume.Source;
import dev.fairlead.application.port.in.volume.VolumeView;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.topology.AccessibilityRequirement;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.testkit.crash.OneConnectionFixture;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.peer.PeerCommands;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * democratic-csi's commands, run on the storage host and cut at each, its scripts for targetcli and nvmetcli at each
 * line too, and the same call repeated by us. What the host's own tools tell is then as after a call of ours that
 * nobody has cut, or as democratic-csi had left it where nothing was missing; and the answer has all that a node needs.
 */
@OnStorage
class PeerCutOnStorageTest {
    private static final System.Logger LOG = System.getLogger(PeerCutOnStorageTest.class.getName());
    private static final Map<String, String> DETACHED =
            Map.of("detachedVolumesFromVolumes", "true", "detachedVolumesFromSnapshots", "true");

    /** What a node needs of a volume, besides what every volume has. */
    private static final Map<String, List<String>> NEEDED = Map.of(
            "zfs-generic-nfs", List.of("server", "share"),
            "zfs-generic-smb", List.of("server", "share"),
            "zfs-generic-iscsi", List.of("portal", "iqn", "lun"),
            "zfs-generic-nvmeof", List.of("transport", "nqn", "nsid"),
            "zfs-local-dataset", List.of("zfs_asset_name"),
            "zfs-local-zvol", List.of("zfs_asset_name"));

    /** What hosts know an NVMe namespace by, in a line of the kernel's and in one of the saved configuration. */
    private static final Pattern IDENTITY = Pattern.compile("^subsystems/.*/(?:attr_serial|device_uuid|device_nguid):");

    private static final Pattern SAVED_IDENTITY = Pattern.compile("\"(?:serial|uuid|nguid)\": \"([^\"]*)\"");

    @ParameterizedTest
    @CsvSource({
        "zfs-generic-nfs, create",
        "zfs-generic-nfs, clone",
        "zfs-generic-nfs, detached-restore",
        "zfs-generic-nfs, restore-of-detached",
        "zfs-generic-smb, create",
        "zfs-generic-iscsi, create",
        "zfs-generic-iscsi, detached-clone",
        "zfs-generic-nvmeof, create",
        "zfs-generic-nvmeof, restore",
        "zfs-local-dataset, create",
        "zfs-local-zvol, create"
    })
    void a_call_is_finished_from_every_command_on(String driverType, String call, StorageHost host) {
        try (KeptSession session = new KeptSession()) {
            StorageCrashFixture storageCrashFixture =
                    StorageCrashFixture.ofPeer(driverType, host).by(session);
            PeerHost peer = new PeerHost(storageCrashFixture.rig(), driverType);
            before(storageCrashFixture, peer, call);
            String empty = storageCrashFixture.dump();
            VolumeView expected = create(storageCrashFixture, call);
            String ours = storageCrashFixture.dump();
            delete(storageCrashFixture);
            String deleted = storageCrashFixture.dump(); // with the file that targets are saved in, and none of them
            assertThat(told(deleted)).noneMatch(line -> line.contains("pvc-1"));
            assertThat(datasets(deleted)).containsExactlyElementsOf(datasets(empty));
            before(storageCrashFixture, peer, call);
            peer.play(peer.whole(call, "pvc-1"));
            String theirs = storageCrashFixture.dump();
            int told = PeerCommands.of(driverType, call).size() - 1; // the context is noted, one command before the end
            List<PeerHost.Cut> cuts = peer.cuts(call);
            assertThat(cuts).hasSizeGreaterThan(told);

            for (PeerHost.Cut cut : cuts) {
                String where = driverType + " " + call + " cut " + cut;
                before(storageCrashFixture, peer, call);
                peer.play(peer.until(call, cut));
                List<String> shown = storageCrashFixture.shownIdentity("pvc-1");

                VolumeView view = create(storageCrashFixture, call);

                String end = cut.commands() < told ? ours : theirs;
                String finished = storageCrashFixture.dump();
                assertThat(beforeSaved(finished)).as(where).containsExactlyElementsOf(beforeSaved(end));
                String saved = peer.hasSaved(call, cut) ? theirs : end;
                assertThat(savedForNvmet(finished)).as(where).containsExactlyElementsOf(savedForNvmet(saved));
                List<String> kept = shown.isEmpty() ? identity(ours, "pvc-1") : shown;
                assertThat(identity(finished, "pvc-1")).as(where).containsExactlyElementsOf(kept);
                assertThat(savedIdentity(finished)).as(where).containsAll(values(kept));
                assertThat(view.context())
                        .as(where)
                        .containsKeys("node_attach_driver", "provisioner_driver", "provisioner_driver_instance_id")
                        .containsKeys(
                                Objects.requireNonNull(NEEDED.get(driverType)).toArray(String[]::new));
                assertThat(expected.context()).as(where).containsAllEntriesOf(view.context());
                assertThat(view.capacity()).as(where).isEqualTo(expected.capacity());
                assertThat(create(storageCrashFixture, call).context())
                        .as(where)
                        .isEqualTo(view.context());
                LOG.log(System.Logger.Level.INFO, "{0}: finished", where);
            }
            delete(storageCrashFixture);
            String end = storageCrashFixture.dump();
            assertThat(beforeSaved(end)).as("after deleting").containsExactlyElementsOf(beforeSaved(deleted));
            assertThat(savedForNvmet(end)).as("after deleting").noneMatch(line -> line.contains("pvc-1"));
        }
    }

    /**
     * Line by line; democratic-csi sets nothing on the snapshot that it takes for a clone, so that it inherits, and may
     * have ZFS destroy it with its last clone, while this driver destroys it as the clone goes. What hosts know an NVMe
     * namespace by is compared by itself: the kernel makes up another each time for democratic-csi, which sets none.
     */
    private static List<String> told(String dump) {
        return dump.lines()
                .filter(line -> !(line.contains("@volume-source-for-")
                        && (line.contains(":managed_resource") || line.contains("\tdefer_destroy\t"))))
                .filter(line -> !IDENTITY.matcher(line).find()
                        && !SAVED_IDENTITY.matcher(line).find())
                .toList();
    }

    /** Returns what hosts know a volume's NVMe namespace by, as the kernel has it; nothing if it has none. */
    private static List<String> identity(String dump, String volume) {
        return dump.lines()
                .filter(line -> IDENTITY.matcher(line).find() && line.contains("-" + volume + "/"))
                .map(String::strip)
                .toList();
    }

    private static List<String> values(List<String> identity) {
        return identity.stream()
                .map(line -> line.substring(line.lastIndexOf(':') + 1))
                .toList();
    }

    /** Returns the same for all volumes together, as the configuration has it that a restart of the host restores. */
    private static List<String> savedIdentity(String dump) {
        return dump.lines()
                .map(SAVED_IDENTITY::matcher)
                .filter(Matcher::find)
                .map(matcher -> matcher.group(1))
                .toList();
    }

    /**
     * Returns what nvmet is restored from, without identities. What democratic-csi has saved stays as its program has
     * written it.
     */
    private static List<String> savedForNvmet(String dump) {
        List<String> lines = told(dump);
        return lines.subList(beforeSaved(dump).size(), lines.size());
    }

    private static List<String> beforeSaved(String dump) {
        List<String> lines = told(dump);
        int nvmet = lines.indexOf("nvmet");
        int saved = lines.subList(nvmet, lines.size()).indexOf("{");
        return saved < 0 ? lines : lines.subList(0, nvmet + saved);
    }

    private static List<String> datasets(String dump) {
        return told(dump).stream().takeWhile(line -> !line.equals("exports")).toList();
    }

    /** A source that democratic-csi has made, where there is one, and of it what the call is made from. */
    private static void before(StorageCrashFixture storageCrashFixture, PeerHost peer, String call) {
        storageCrashFixture.reset();
        StringBuilder shell = new StringBuilder();
        if (!call.equals("create")) {
            shell.append(peer.whole("source", "src"));
        }
        if (call.endsWith("of-detached")) {
            shell.append(peer.whole("detached-snapshot", "src"));
        } else if (call.endsWith("restore")) {
            shell.append(peer.whole("snapshot", "src"));
        }
        peer.play(shell.toString());
    }

    private static Source source(String call) {
        return switch (call) {
            case "clone", "detached-clone" -> new Source.Volume("v:nas/src");
            case "restore", "detached-restore" -> new Source.Snapshot("s:nas/src@snap");
            case "restore-of-detached" -> new Source.Snapshot("s:nas/src/copy");
            default -> Source.NONE;
        };
    }

    private static VolumeView create(StorageCrashFixture storageCrashFixture, String call) {
        Map<String, String> parameters = new HashMap<>(call.startsWith("detached") ? DETACHED : Map.of());
        parameters.putAll(OneConnectionFixture.ON_NAS);
        try (OneConnectionFixture oneConnectionFixture = storageCrashFixture.open()) {
            return oneConnectionFixture
                    .useCases()
                    .createVolume()
                    .create(
                            new CreateVolume.Command(
                                    new CsiName("pvc-1"),
                                    CapacityRange.of(1L << 30, 0),
                                    List.of(TestVolumes.MOUNT),
                                    parameters,
                                    source(call),
                                    AccessibilityRequirement.NONE),
                            TestWork.named("pvc-1").left(Duration.ofMinutes(3)));
        }
    }

    private static void delete(StorageCrashFixture storageCrashFixture) {
        try (OneConnectionFixture oneConnectionFixture = storageCrashFixture.open()) {
            oneConnectionFixture
                    .useCases()
                    .deleteVolume()
                    .delete("v:nas/pvc-1", TestWork.named("pvc-1").left(Duration.ofMinutes(3)));
        }
    }
}
