package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.snapshot.SnapshotRequest;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.zfs.property.PropertyForm;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a clone and a copy have of the connection's properties, on a real pool. */
@OnStorage
class CopiedPropertiesOnStorageTest {
    private static final Map<String, String> WANTED = Map.of(
            "acltype", "posixacl",
            "aclmode", "passthrough",
            "aclinherit", "passthrough-x",
            "xattr", "sa",
            "atime", "off",
            "compression", "gzip-6",
            "recordsize", "1M",
            "quota", "1.5G",
            "reservation", "3M",
            "refreservation", "2M");

    private static final String PRINTED =
            "acltype=posix aclmode=passthrough aclinherit=passthrough-x xattr=sa atime=off"
                    + " compression=gzip recordsize=1048576 quota=1610612736 reservation=3145728 refreservation=2097152";

    /** Values that people set, in more spellings than one. */
    private static final List<String> SPELLINGS = List.of(
            "acltype=off disabled noacl posix posixacl nfsv4",
            "aclinherit=discard noallow restricted secure passthrough passthrough-x",
            "aclmode=discard groupmask passthrough restricted",
            "atime=on off",
            "relatime=on off",
            "canmount=on off noauto",
            "checksum=on off fletcher2 fletcher4 sha256 sha512 skein edonr blake3",
            "compression=on off lz4 lzjb zle gzip gzip-1 gzip-6 gzip-9 zstd zstd-1 zstd-3 zstd-19 zstd-fast zstd-fast-1"
                    + " zstd-fast-10 zstd-fast-1000",
            "copies=1 2 3",
            "dedup=off on verify sha256 sha256,verify",
            "devices=on off",
            "dnodesize=legacy auto 1k 2k 16k",
            "exec=on off",
            "filesystem_limit=none 0 10",
            "snapshot_limit=none 0 10",
            "logbias=latency throughput",
            "nbmand=on off",
            "overlay=on off",
            "prefetch=all none metadata",
            "primarycache=all none metadata",
            "secondarycache=all none metadata",
            "quota=none 0 1G 1.5G 8GiB 8gb 10M 1073741824",
            "refquota=none 0 1G .5G 1024K 8T",
            "reservation=none 0 1M 1.5m",
            "refreservation=none 0 1M 2mb",
            "readonly=on off",
            "recordsize=512 4K 128K 131072 1M 128kb",
            "redundant_metadata=all most some none",
            "setuid=on off",
            "snapdev=hidden visible",
            "snapdir=hidden visible",
            "special_small_blocks=0 16K 32k",
            "sync=standard always disabled",
            "version=current 5",
            "volmode=default full geom dev none",
            "vscan=on off",
            "xattr=on off sa dir",
            "utf8only=on off",
            "casesensitivity=sensitive insensitive mixed",
            "normalization=none formC formD",
            "userquota@root=none 1G",
            "groupquota@root=2.5G");

    private static StoredVolume make(VolumeStore store, CreateRequest request, Map<String, String> parameters) {
        var asked = new CreateRequest(
                request.name(), request.capacity(), request.capabilities(), parameters, request.content());
        return store.create(store.plan(asked, new NativeId(asked.name().value())), TestWork.patient())
                .volume();
    }

    private static CreateRequest restored(String name, StoredSnapshot snapshot) {
        CreateRequest plain = TestVolumes.empty(name);
        return new CreateRequest(
                plain.name(), plain.capacity(), plain.capabilities(), Map.of(), new Content.OfSnapshot(snapshot.id()));
    }

    /** ZFS gives them their parent's, unless these are set on them. */
    @Test
    void whatever_is_made_of_content_has_what_was_asked_for(StorageHost host) {
        ZfsPoolFixture fixture = new ZfsPoolFixture(host);
        String volumes = fixture.parent();
        Map<String, Object> keys = Map.of(
                "datasetProperties",
                WANTED,
                "datasetParentName",
                volumes,
                "detachedSnapshotsDatasetParentName",
                fixture.host().parent() + "/s");
        try (VolumeStore store = fixture.filesystems(keys)) {
            StoredVolume source = make(store, TestVolumes.empty("pvc-1"), Map.of());
            make(store, TestVolumes.fromVolume("pvc-2", source.id()), Map.of());
            make(store, TestVolumes.fromVolume("pvc-3", source.id()), Map.of("detachedVolumesFromVolumes", "true"));
            StoredSnapshot detached = store.snapshots()
                    .orElseThrow()
                    .take(
                            new SnapshotRequest(new CsiName("d-1"), source.id(), Map.of("detachedSnapshots", "true")),
                            100,
                            TestWork.patient());
            make(store, restored("pvc-4", detached), Map.of());
            make(store, restored("pvc-5", detached), Map.of("detachedVolumesFromSnapshots", "true"));

            for (String name : List.of("pvc-1", "pvc-2", "pvc-3", "pvc-4", "pvc-5")) {
                assertThat(fixture.shell("zfs get -Hp -o property,value " + String.join(",", WANTED.keySet()) + " "
                                        + volumes + "/" + name)
                                .lines()
                                .map(line -> line.replace('\t', '=')))
                        .as(name)
                        .containsExactlyInAnyOrder(PRINTED.split(" "));
            }
        }
    }

    /** Else what was set would count as refused, and the copy would never be finished. */
    @Test
    void what_zfs_prints_of_a_value_is_one_of_the_forms_that_are_expected(StorageHost host) {
        ZfsPoolFixture fixture = new ZfsPoolFixture(host);
        String name = fixture.host().parent() + "/form";
        String settings =
                SPELLINGS.stream().flatMap(CopiedPropertiesOnStorageTest::each).collect(Collectors.joining(" "));

        List<String> printed = fixture.shell("for s in " + settings + "; do if zfs create -o $s " + name
                        + " 2>/dev/null; then printf '%s\\t' $s; zfs get -Hp -o value,source \"${s%%=*}\" " + name
                        + "; zfs destroy " + name + "; fi; done")
                .lines()
                .toList();

        assertThat(printed).hasSizeGreaterThan(100);
        assertThat(printed).filteredOn(line -> !isExpected(line.split("\t"))).isEmpty();
    }

    private static Stream<String> each(String spellings) {
        String key = spellings.substring(0, spellings.indexOf('=') + 1);
        return Stream.of(spellings.substring(key.length()).split(" ")).map(key::concat);
    }

    /** @param line the setting, the value that is printed, and its source */
    private static boolean isExpected(String[] line) {
        String key = line[0].substring(0, line[0].indexOf('='));
        Set<String> forms = PropertyForm.of(key, line[0].substring(key.length() + 1));
        return forms.contains(line[1]) || line[2].equals("temporary");
    }
}
