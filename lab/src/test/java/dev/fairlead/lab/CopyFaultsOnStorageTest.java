package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.snapshot.SnapshotRequest;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A detached snapshot, a copied clone and a copied restore of checksummed content, all three at once, of which some has
 * come when something happens to the storage host or to its caller.
 */
@OnStorage
class CopyFaultsOnStorageTest {
    private static final long SIZE = 32L << 20;
    private static final long BYTES = 16_000_000;
    private static final int MOST_CALLS = 60;

    /** A zfs that stops the first stream of each snapshot early while there is a file: a third has no room then. */
    private static final String PROGRAM = "/root/held-zfs";

    private static final String WRITE_PROGRAM = "cat >" + PROGRAM + " <<'end'\n"
            + "#!/bin/sh\n"
            + "[ \"$1\" = send ] && [ -e /run/hold ] && mkdir -p /run/held"
            + " && mkdir \"/run/held/$(echo \"$2\" | tr / _)\" 2>/dev/null || exec /sbin/zfs \"$@\"\n"
            + "/sbin/zfs \"$@\" | { head -c 2000000; while [ -e /run/hold ]; do sleep 0.2; done; cat; }\n"
            + "end\n"
            + "chmod 755 " + PROGRAM + "; sync";

    /** Ends the whole session over which the streams were begun; they themselves go on. */
    private static final String DROP_SESSION = "p=$(pgrep -n -f '^/sbin/zfs send ') || exit 1;"
            + " while [ \"$p\" -gt 1 ] && [ \"$(cat /proc/$p/comm)\" != sshd ]; do"
            + " p=$(awk '{print $4}' /proc/$p/stat); done; kill -KILL \"$p\"";

    private static final NativeId SOURCE = new NativeId("pvc-1");
    /** The restore's: no more than two copies of one volume run at once. */
    private static final NativeId OTHER = new NativeId("pvc-0");

    private static final NativeId DETACHED = new NativeId("pvc-1/d-1");
    private static final Map<String, String> COPIES =
            Map.of("detachedVolumesFromVolumes", "true", "detachedVolumesFromSnapshots", "true");

    private enum Copy {
        DETACHED_SNAPSHOT,
        CLONE,
        RESTORE
    }

    private Optional<ZfsPoolFixture> entered = Optional.empty();
    private String top = "";

    @BeforeEach
    void enter(StorageHost host) {
        ZfsPoolFixture fixture = new ZfsPoolFixture(host);
        entered = Optional.of(fixture);
        top = fixture.host().parent();
        fixture.shell(WRITE_PROGRAM);
        fixture.shell("rm -rf /run/hold /run/held");
    }

    @AfterEach
    void leave() {
        shell("rm -rf /run/hold /run/held; zfs destroy -R small/c 2>/dev/null || true");
    }

    private String shell(String line) {
        return entered.orElseThrow().shell(line);
    }

    private VolumeStore open(VolumeStoreKind kind) {
        Map<String, Object> keys = Map.of(
                "datasetParentName",
                top + "/v",
                "detachedSnapshotsDatasetParentName",
                top + "/s",
                "cli",
                Map.of("paths", Map.of("zfs", PROGRAM)));
        ZfsPoolFixture fixture = new ZfsPoolFixture(entered.orElseThrow().host());
        return kind == VolumeStoreKind.BLOCK ? fixture.volumes(keys) : fixture.filesystems(keys);
    }

    private enum VolumeStoreKind {
        FILESYSTEMS,
        BLOCK
    }

    private StoredVolume make(VolumeStore store, String name, Content content, Map<String, String> parameters) {
        CreateRequest plain = TestVolumes.empty(name);
        var size = new CapacityRange(Optional.of(new Capacity(SIZE)), Optional.empty());
        var request = new CreateRequest(plain.name(), size, plain.capabilities(), parameters, content, plain.mutable());
        return store.create(store.plan(request, new NativeId(name)), TestWork.patient())
                .volume();
    }

    private StoredSnapshot snapshot(VolumeStore store, String name, NativeId volume, Map<String, String> parameters) {
        SnapshotStore snapshots = store.snapshots().orElseThrow();
        return snapshots.take(new SnapshotRequest(new CsiName(name), volume, parameters), 100, TestWork.patient());
    }

    private void ask(VolumeStore store, Copy copy) {
        switch (copy) {
            case DETACHED_SNAPSHOT -> snapshot(store, "d-1", SOURCE, Map.of("detachedSnapshots", "true"));
            case CLONE -> make(store, "pvc-2", new Content.OfVolume(SOURCE), COPIES);
            case RESTORE -> make(store, "pvc-3", new Content.OfSnapshot(new NativeId("pvc-0@s-1")), COPIES);
        }
    }

    private static String content(StoredVolume volume) {
        String path = volume.medium().path();
        return path.startsWith("/dev/") ? path : path + "/data";
    }

    private String checksum(StoredVolume volume) {
        return shell("udevadm settle; head -c " + BYTES + " " + content(volume) + " | cksum");
    }

    /** Two volumes of one content. */
    private String source(VolumeStore store) {
        String path = content(make(store, SOURCE.value(), Content.EMPTY, Map.of()));
        StoredVolume other = make(store, OTHER.value(), Content.EMPTY, Map.of());
        shell("udevadm settle; head -c " + BYTES + " /dev/urandom | dd of=" + path
                + " bs=1M iflag=fullblock conv=notrunc,fsync 2>/dev/null; dd if=" + path + " of=" + content(other)
                + " bs=1M count=" + BYTES + " iflag=count_bytes conv=notrunc,fsync 2>/dev/null");
        snapshot(store, "s-1", OTHER, Map.of());
        return checksum(other);
    }

    /** All three, in their middle: how each ends is told by its future. */
    private Map<Copy, CompletableFuture<Optional<Failure>>> begin(VolumeStore store) {
        shell("touch /run/hold");
        Map<Copy, CompletableFuture<Optional<Failure>>> calls = Arrays.stream(Copy.values())
                .collect(Collectors.toMap(
                        copy -> copy,
                        copy -> CompletableFuture.supplyAsync(
                                () -> failure(store, copy),
                                task -> Thread.ofPlatform().daemon().start(task))));
        shell("for i in $(seq 300); do [ \"$(zfs get -Hp -o value inconsistent " + top + "/s/pvc-1/d-1 " + top
                + "/v/pvc-2 " + top + "/v/pvc-3 2>/dev/null | tr -d '\\n')\" != 111 ] || exit 0; sleep 0.2; done;"
                + " zfs list -t all -r " + top + " >&2; exit 1");
        return calls;
    }

    private Optional<Failure> failure(VolumeStore store, Copy copy) {
        try {
            ask(store, copy);
            return Optional.empty();
        } catch (StorageException e) {
            return Optional.of(e.failure());
        }
    }

    private static void requireRetried(Optional<Failure> failure) {
        assertThat(failure)
                .get()
                .isInstanceOfAny(
                        Failure.BackendUnavailable.class, Failure.OutcomeUnknown.class, Failure.TimedOut.class);
    }

    private void requireNoneReady(VolumeStore store) {
        SnapshotStore snapshots = store.snapshots().orElseThrow();
        assertThat(snapshots.find(DETACHED, TestWork.patient())).isEmpty();
        assertThat(snapshots.findByName(new CsiName("d-1"), TestWork.patient())).isEmpty();
        assertThat(snapshots
                        .list(Optional.empty(), PageRequest.all(), TestWork.patient())
                        .items())
                .extracting(snapshot -> snapshot.id().value())
                .containsExactly("pvc-0@s-1");
        assertThat(store.list(PageRequest.all(), TestWork.patient()).items())
                .extracting(StoredVolume::id)
                .containsExactlyInAnyOrder(OTHER, SOURCE);
    }

    private void requireWaitedFor(VolumeStore store) {
        for (Copy copy : Copy.values()) {
            assertThat(failure(store, copy)).get().isInstanceOf(Failure.BackendUnavailable.class);
        }
        Failing.with(
                Failure.BackendUnavailable.class,
                () -> store.snapshots().orElseThrow().delete(DETACHED, TestWork.patient()));
        List.of(SOURCE, OTHER)
                .forEach(source -> assertThatThrownBy(
                                () -> store.delete(source, OnDependents.REFUSE, TestWork.patient()))
                        .isInstanceOf(StorageException.class));
        requireNoneReady(store);
    }

    private void requireWhole(VolumeStore store, String sum) {
        List<String> said = new ArrayList<>();
        for (Copy copy : Copy.values()) {
            Optional<Failure> failure = failure(store, copy);
            for (int call = 1; failure.isPresent() && call < MOST_CALLS; call++) {
                requireRetried(failure);
                said.add(failure.get().message());
                shell("sleep 1");
                failure = failure(store, copy);
            }
            assertThat(failure).as("%s: %s", copy, said).isEmpty();
        }
        SnapshotStore snapshots = store.snapshots().orElseThrow();
        assertThat(snapshots.findByName(new CsiName("d-1"), TestWork.patient())).isPresent();
        snapshots.delete(new NativeId("pvc-0@s-1"), TestWork.patient());
        assertThat(shell("zfs list -H -o name -t snapshot -r " + top)).isEmpty();
        store.delete(SOURCE, OnDependents.REFUSE, TestWork.patient());
        store.delete(OTHER, OnDependents.REFUSE, TestWork.patient());

        StoredVolume restored = make(store, "pvc-4", new Content.OfSnapshot(DETACHED), Map.of());
        assertThat(checksum(restored)).isEqualTo(sum);
        for (String id : List.of("pvc-2", "pvc-3")) {
            StoredVolume copy = store.find(new NativeId(id), TestWork.patient()).orElseThrow();
            assertThat(checksum(copy)).as(id).isEqualTo(sum);
            assertThat(copy.capacity()).contains(new Capacity(SIZE));
        }
        for (String id : List.of("pvc-4", "pvc-3", "pvc-2")) {
            store.delete(new NativeId(id), OnDependents.REFUSE, TestWork.patient());
        }
        snapshots.delete(DETACHED, TestWork.patient());
        assertThat(shell("zfs list -H -o name -t all -r " + top).lines())
                .containsExactlyInAnyOrder(top, top + "/s", top + "/v");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_session_that_drops_leaves_copies_that_are_waited_for(boolean block) {
        try (VolumeStore store = open(block ? VolumeStoreKind.BLOCK : VolumeStoreKind.FILESYSTEMS)) {
            String sum = source(store);
            var calls = begin(store);

            shell(DROP_SESSION);
            calls.values().forEach(call -> requireRetried(call.join()));

            requireWaitedFor(store);
            shell("rm /run/hold");
            requireWhole(store, sum);
        }
    }

    /** Its sessions end with it, and nothing of what it knew is left. */
    @Test
    void a_controller_that_ends_leaves_copies_that_the_next_one_waits_for() {
        String sum;
        Map<Copy, CompletableFuture<Optional<Failure>>> calls;
        try (VolumeStore first = open(VolumeStoreKind.FILESYSTEMS)) {
            sum = source(first);
            calls = begin(first);
        }
        calls.values().forEach(call -> requireRetried(call.join()));

        try (VolumeStore second = open(VolumeStoreKind.FILESYSTEMS)) {
            requireWaitedFor(second);
            shell("rm /run/hold");
            requireWhole(second, sum);
        }
    }

    @Test
    void a_stream_that_is_killed_leaves_nothing_and_a_repeated_call_begins_anew() {
        try (VolumeStore store = open(VolumeStoreKind.FILESYSTEMS)) {
            String sum = source(store);
            var calls = begin(store);

            shell("pkill -KILL -f '^/sbin/zfs receive '; rm /run/hold");
            calls.values().forEach(call -> requireRetried(call.join()));

            requireNoneReady(store);
            requireWhole(store, sum);
        }
    }

    @Test
    void a_pool_that_fills_up_is_out_of_space_and_nothing_of_the_copies_is_left() {
        top = "small/c";
        shell("zfs create small/c; zfs create small/c/fill");
        try (VolumeStore store = open(VolumeStoreKind.FILESYSTEMS)) {
            String sum = source(store);
            var calls = begin(store);

            shell("dd if=/dev/urandom of=/small/c/fill/data bs=1M 2>/dev/null; sync; rm /run/hold");
            calls.values().forEach(call -> assertThat(call.join()).get().isInstanceOf(Failure.OutOfSpace.class));

            requireNoneReady(store);
            assertThat(shell("zfs list -H -o name -t all -r small/c").lines())
                    .doesNotContain("small/c/s/pvc-1", "small/c/v/pvc-2", "small/c/v/pvc-3")
                    .noneMatch(name -> name.contains("volume-source-for"));
            shell("zfs destroy small/c/fill; sync");
            requireWhole(store, sum);
        }
    }

    @Test
    void a_host_that_restarts_has_none_of_the_copies_and_a_repeated_call_begins_anew(StorageHost host)
            throws Exception {
        try (VolumeStore store = open(VolumeStoreKind.FILESYSTEMS)) {
            String sum = source(store);
            shell("sync; zpool sync");
            var calls = begin(store);

            host.reboot();
            calls.values().forEach(call -> requireRetried(call.join()));

            requireNoneReady(store);
            requireWhole(store, sum);
        }
    }
}
