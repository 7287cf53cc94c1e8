package dev.fairlead.adapter.zfs.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.ContentTransfer;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Block volumes with the content of one that has larger blocks than the connection makes by now. */
class LargerBlocksTest {
    private static final String TICKET = "0123456789abcdef01234567";
    private static final long SIZE = TestVolumes.SIZE.bytes();

    private final ZfsFixture fixture = new ZfsFixture(
            VolumeMedium.Kind.BLOCK_DEVICE,
            Map.of("datasetParentName", "tank/v", "detachedSnapshotsDatasetParentName", "tank/s"));
    private final VolumeStore store = fixture.open();
    private StoredVolume source = new StoredVolume(
            TestVolumes.id("pvc-a"),
            Optional.empty(),
            Optional.empty(),
            new VolumeMedium.BlockDevice(""),
            Content.EMPTY,
            Map.of());

    @BeforeEach
    void made_when_the_connection_said_64K() {
        try (VolumeStore before = fixture.openWith(Map.of("datasetParentName", "tank/v", "zvolBlocksize", "64K"))) {
            source = before.create(plan(before, "pvc-a", Content.EMPTY, SIZE, 0), TestWork.patient())
                    .volume();
        }
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static Birth plan(VolumeStore store, String name, Content content, long required, long limit) {
        return plan(store, name, content, required, limit, Map.of());
    }

    private static Birth plan(
            VolumeStore store,
            String name,
            Content content,
            long required,
            long limit,
            Map<String, String> parameters) {
        var request = new CreateRequest(
                new CsiName(name), CapacityRange.of(required, limit), List.of(TestVolumes.MOUNT), parameters, content);
        return store.plan(request, new NativeId(name));
    }

    private long made(Birth birth) {
        StoredVolume volume = store.create(birth, TestWork.patient()).volume();
        assertThat(volume.capacity()).contains(birth.capacity());
        assertThat(fixture.pool().own("tank/v/" + birth.id())).containsEntry("volblocksize", "64K");
        return birth.capacity().bytes();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_clone_is_of_whole_blocks_of_its_source(boolean copied) {
        Content content = new Content.OfVolume(source.id());
        Map<String, String> parameters = Map.of("detachedVolumesFromVolumes", Boolean.toString(copied));

        assertThat(made(plan(store, "pvc-b", content, SIZE + 1, 0, parameters))).isEqualTo(SIZE + (128 << 10));
        assertThat(made(plan(store, "pvc-c", content, SIZE, 0, parameters))).isEqualTo(SIZE);
    }

    @Test
    void so_is_a_restored_snapshot() {
        var snapshot =
                store.snapshots().orElseThrow().take(TestVolumes.snapshot("snap-1", source), 100, TestWork.patient());

        assertThat(made(plan(store, "pvc-b", new Content.OfSnapshot(snapshot.id()), SIZE + 1, 0)))
                .isEqualTo(SIZE + (128 << 10));
    }

    @Test
    void so_is_what_was_carried_over() {
        var other = new ZfsFixture(VolumeMedium.Kind.BLOCK_DEVICE, Map.of("datasetParentName", "tank/v"));
        Content content = new Content.OfVolume(source.id());
        try (VolumeStore there = other.open()) {
            ContentTransfer.Sender from = store.transfer().orElseThrow().sender();
            ContentTransfer.Receiver into = there.transfer().orElseThrow().receiver();
            Birth birth =
                    plan(there, "pvc-b", new Content.Transferred(Content.Kind.VOLUME, "v:nas/pvc-a"), SIZE + 1, 0);
            var stream = new ByteArrayOutputStream();
            from.keep(content, TICKET, TestWork.patient());
            from.send(content, TICKET, Optional.empty(), stream, TestWork.patient());
            into.receive(birth, new ByteArrayInputStream(stream.toByteArray()), TestWork.patient());

            StoredVolume volume = into.finish(birth, TestWork.patient()).volume();

            assertThat(volume.capacity()).contains(Capacity.ofBytes(SIZE + (128 << 10)));
            assertThat(other.pool().own("tank/v/pvc-b")).containsEntry("volblocksize", "64K");
        }
    }

    /** The largest blocks that the limit leaves room for hold those of any source that can be had within it. */
    @Test
    void a_limit_is_kept() {
        Content content = new Content.OfVolume(source.id());

        assertThat(made(plan(store, "pvc-b", content, SIZE + 1, SIZE + (64 << 10))))
                .isEqualTo(SIZE + (64 << 10));
        assertThat(made(plan(store, "pvc-c", content, SIZE, SIZE))).isEqualTo(SIZE);
        Failing.with(Failure.CapacityOutOfRange.class, () -> plan(store, "pvc-d", content, SIZE + 1, SIZE + 2));
    }

    @Test
    void a_limit_that_leaves_room_for_smaller_blocks_alone_is_refused() {
        Birth birth = plan(store, "pvc-b", new Content.OfVolume(source.id()), SIZE + 1, SIZE + (32 << 10));

        Failing.with(Failure.BackendRejected.class, () -> store.create(birth, TestWork.patient()));
    }
}
