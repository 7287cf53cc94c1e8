package dev.fairlead.testkit.contract.volume;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.ContentTransfer;
import dev.fairlead.application.port.out.store.ContentTransfer.Begun;
import dev.fairlead.application.port.out.store.ContentTransfer.Extent;
import dev.fairlead.application.port.out.store.ContentTransfer.Receiver;
import dev.fairlead.application.port.out.store.ContentTransfer.Sender;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.application.port.out.store.VolumeStore.Creation;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.HostileInput;
import dev.fairlead.testkit.contract.SnapshotSubject;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Everything that {@code ContentTransfer} promises; for the test class of a {@code VolumeStore} that returns this role.
 */
public interface ContentTransferContract extends SnapshotSubject {
    /** A ticket as the caller of a transfer gives it: letters and digits. */
    String TICKET = "0123456789abcdef01234567";

    /**
     * Returns a store of the same format over other storage. Each call opens a new instance, as {@link #store} does.
     */
    VolumeStore elsewhere();

    /** Returns what a file of a volume holds there, read directly from the storage; empty if there is none. */
    Optional<String> readElsewhere(StoredVolume volume, String file);

    /** Fails unless that storage holds nothing. */
    void verifyElsewhereEmpty();

    private static ContentTransfer transfer(VolumeStore store) {
        return store.transfer().orElseThrow(() -> new AssertionError("the store carries nothing over"));
    }

    private static Sender sender(VolumeStore store) {
        return transfer(store).sender();
    }

    private static Receiver receiver(VolumeStore store) {
        return transfer(store).receiver();
    }

    /** Makes a volume with enough content that a stream of it can be cut within. */
    private StoredVolume source(VolumeStore store) {
        StoredVolume volume = make(store, TestVolumes.empty("pvc-a"));
        IntStream.range(0, 40).forEach(i -> write(volume, "file-" + i, "precious " + i));
        return volume;
    }

    private Birth arriving(VolumeStore there) {
        return birth(
                there, TestVolumes.with("pvc-b", new Content.Transferred(Content.Kind.SNAPSHOT, "s:nas/pvc-a@snap-1")));
    }

    private static byte[] sent(VolumeStore store, Content content, Optional<String> mark) {
        var stream = new ByteArrayOutputStream();
        sender(store).send(content, TICKET, mark, stream, TestWork.patient());
        return stream.toByteArray();
    }

    private static InputStream first(byte[] stream, int bytes) {
        return new ByteArrayInputStream(Arrays.copyOf(stream, Math.min(bytes, stream.length)));
    }

    /** Checks that nobody else sees a volume of this birth there. */
    private void unseen(VolumeStore there, Birth birth) {
        assertThat(there.find(birth.id(), TestWork.patient())).isEmpty();
        assertThat(there.existing(birth, TestWork.patient())).isEmpty();
        assertThat(volumes(there)).isEmpty();
    }

    private void arrived(Creation made, Birth birth) {
        assertThat(made.volume().id()).isEqualTo(birth.id());
        assertThat(made.volume().content()).isEqualTo(birth.request().content());
        assertThat(made.volume().capacity()).contains(birth.capacity());
        assertThat(IntStream.range(0, 40))
                .allSatisfy(i ->
                        assertThat(readElsewhere(made.volume(), "file-" + i)).contains("precious " + i));
    }

    /** Deletes all that a test made there by the store's own means, and checks that nothing is left. */
    @AfterEach
    default void what_arrived_can_be_deleted_without_a_trace() {
        try (VolumeStore there = elsewhere()) {
            volumes(there).forEach(volume -> there.delete(volume.id(), OnDependents.REFUSE, TestWork.patient()));
            receiver(there).clear(TestVolumes.id("pvc-b"), TestWork.patient());
        }
        verifyElsewhereEmpty();
    }

    @Test
    default void what_is_sent_arrives_and_is_a_volume_once_it_is_finished() {
        try (VolumeStore here = store();
                VolumeStore there = elsewhere()) {
            StoredVolume volume = source(here);
            StoredSnapshot snapshot = take(here, "snap-1", volume);
            Content content = new Content.OfSnapshot(snapshot.id());
            write(volume, "file-0", "written since");
            Birth birth = arriving(there);
            assertThat(transfer(here).format()).isEqualTo(transfer(there).format());
            assertThat(receiver(there).begun(birth.id(), TestWork.patient())).isEmpty();

            sender(here).keep(content, TICKET, TestWork.patient());
            Extent extent = sender(here)
                    .extent(content, TICKET, Optional.empty(), TestWork.patient())
                    .orElseThrow();
            receiver(there)
                    .receive(
                            birth, new ByteArrayInputStream(sent(here, content, Optional.empty())), TestWork.patient());
            unseen(there, birth);
            assertThat(receiver(there).begun(birth.id(), TestWork.patient()))
                    .get()
                    .returns(true, Begun::complete)
                    .returns(Optional.of(birth.capacity()), Begun::size)
                    .returns(birth.request().content(), Begun::content);
            Creation made = receiver(there).finish(birth, TestWork.patient());
            sender(here).letGo(content, TICKET, TestWork.patient());

            assertThat(extent.done()).isZero();
            assertThat(extent.left()).isPositive();
            assertThat(made.fresh()).isTrue();
            arrived(made, birth);
            assertThat(there.find(birth.id(), TestWork.patient())).contains(made.volume());
            assertThat(receiver(there).begun(birth.id(), TestWork.patient())).isEmpty();
            assertThat(receiver(there).finish(birth, TestWork.patient()).fresh())
                    .isFalse();
        }
    }

    @Test
    default void a_stream_that_is_cut_anywhere_is_taken_up_and_never_taken_for_the_whole() {
        try (VolumeStore here = store();
                VolumeStore there = elsewhere()) {
            Content content = new Content.OfVolume(source(here).id());
            sender(here).keep(content, TICKET, TestWork.patient());
            Birth birth = arriving(there);
            byte[] whole = sent(here, content, Optional.empty());

            for (int part = 0; part < 8; part++) {
                int cut = whole.length * part / 8;
                Failing.orEmpty(() -> {
                    receiver(there).receive(birth, first(whole, cut), TestWork.patient());
                    throw new AssertionError("a stream of " + cut + " of " + whole.length + " bytes was taken for all");
                });
                unseen(there, birth);
                Optional<Begun> begun = receiver(there).begun(birth.id(), TestWork.patient());
                assertThat(begun.filter(Begun::complete)).isEmpty();
                Optional<String> mark = begun.flatMap(Begun::mark);
                if (mark.isPresent()) {
                    assertThat(sender(here).extent(content, TICKET, mark, TestWork.patient()))
                            .get()
                            .satisfies(left -> assertThat(left.left()).isPositive());
                }
                receiver(there).receive(birth, new ByteArrayInputStream(sent(here, content, mark)), TestWork.patient());
                arrived(receiver(there).finish(birth, TestWork.patient()), birth);
                there.delete(birth.id(), OnDependents.REFUSE, TestWork.patient());
            }
            sender(here).letGo(content, TICKET, TestWork.patient());
        }
    }

    @Test
    default void content_is_kept_until_it_is_let_go_of_however_often_either_is_asked() {
        try (VolumeStore here = store()) {
            StoredVolume volume = source(here);
            Content content = new Content.OfVolume(volume.id());

            sender(here).keep(content, TICKET, TestWork.patient());
            sender(here).keep(content, TICKET, TestWork.patient());

            assertThat(here.deletionCheck(volume.id(), OnDependents.REFUSE, TestWork.patient())
                            .obstacles())
                    .isNotEmpty();
            Failing.with(Failure.InUse.class, () -> here.delete(volume.id(), OnDependents.REFUSE, TestWork.patient()));
            assertThat(read(volume, "file-1")).contains("precious 1");
            assertThat(snapshots(here)).as("nobody's but the transfer's").isEmpty();
            sender(here).letGo(content, TICKET, TestWork.patient());
            sender(here).letGo(content, TICKET, TestWork.patient());
            here.delete(volume.id(), OnDependents.REFUSE, TestWork.patient());
        }
    }

    /** Checks that a repeated transfer may release again what it has released before, and what was deleted since. */
    @Test
    default void a_snapshot_is_let_go_of_however_often_that_is_asked() {
        try (VolumeStore here = store()) {
            StoredSnapshot snapshot = take(here, "snap-1", source(here));
            Content content = new Content.OfSnapshot(snapshot.id());
            sender(here).keep(content, TICKET, TestWork.patient());

            sender(here).letGo(content, TICKET, TestWork.patient());
            sender(here).letGo(content, TICKET, TestWork.patient());

            assertThat(snapshots(here)).containsExactly(snapshot);
            role(here).delete(snapshot.id(), TestWork.patient());
            sender(here).letGo(content, TICKET, TestWork.patient());
        }
    }

    @Test
    default void two_transfers_of_one_content_do_not_let_go_of_each_other() {
        try (VolumeStore here = store()) {
            StoredVolume volume = source(here);
            Content content =
                    new Content.OfSnapshot(take(here, "snap-1", volume).id());
            sender(here).keep(content, TICKET, TestWork.patient());
            sender(here).keep(content, "other" + TICKET, TestWork.patient());

            sender(here).letGo(content, TICKET, TestWork.patient());

            assertThat(sender(here).extent(content, "other" + TICKET, Optional.empty(), TestWork.patient()))
                    .isPresent();
            sender(here).letGo(content, "other" + TICKET, TestWork.patient());
        }
    }

    @Test
    default void content_that_is_not_there_is_not_found_and_let_go_of() {
        try (VolumeStore here = store()) {
            Content volume = new Content.OfVolume(TestVolumes.id("absent"));
            Content snapshot = new Content.OfSnapshot(TestVolumes.id("absent@snap-1"));

            Failing.with(Failure.VolumeNotFound.class, () -> sender(here).keep(volume, TICKET, TestWork.patient()));
            Failing.with(Failure.SnapshotNotFound.class, () -> sender(here).keep(snapshot, TICKET, TestWork.patient()));
            sender(here).letGo(volume, TICKET, TestWork.patient());
            sender(here).letGo(snapshot, TICKET, TestWork.patient());
        }
        verifyEmpty();
    }

    @Test
    default void a_mark_that_is_none_leads_nowhere() {
        try (VolumeStore here = store()) {
            Content content = new Content.OfVolume(source(here).id());
            sender(here).keep(content, TICKET, TestWork.patient());

            HostileInput.texts()
                    .limit(200)
                    .forEach(text -> assertThat(
                                    sender(here).extent(content, TICKET, Optional.of(text), TestWork.patient()))
                            .isEmpty());

            sender(here).letGo(content, TICKET, TestWork.patient());
        }
    }

    @Test
    default void what_has_begun_is_cleared_and_a_whole_volume_never() {
        try (VolumeStore here = store();
                VolumeStore there = elsewhere()) {
            Content content = new Content.OfVolume(source(here).id());
            sender(here).keep(content, TICKET, TestWork.patient());
            Birth birth = arriving(there);
            byte[] whole = sent(here, content, Optional.empty());
            Failing.works(() -> receiver(there).receive(birth, first(whole, whole.length / 2), TestWork.patient()));

            receiver(there).clear(birth.id(), TestWork.patient());
            receiver(there).clear(birth.id(), TestWork.patient());
            assertThat(receiver(there).begun(birth.id(), TestWork.patient())).isEmpty();
            verifyElsewhereEmpty();
            receiver(there).receive(birth, new ByteArrayInputStream(whole), TestWork.patient());
            Creation made = receiver(there).finish(birth, TestWork.patient());
            receiver(there).clear(birth.id(), TestWork.patient());

            arrived(made, birth);
            sender(here).letGo(content, TICKET, TestWork.patient());
        }
    }

    @Test
    default void what_is_there_already_is_not_overwritten() {
        try (VolumeStore here = store();
                VolumeStore there = elsewhere()) {
            Content content = new Content.OfVolume(source(here).id());
            sender(here).keep(content, TICKET, TestWork.patient());
            Birth birth = arriving(there);
            StoredVolume before = make(there, TestVolumes.empty("pvc-b"));
            byte[] whole = sent(here, content, Optional.empty());

            org.assertj.core.api.Assertions.assertThatThrownBy(
                            () -> receiver(there).receive(birth, new ByteArrayInputStream(whole), TestWork.patient()))
                    .isInstanceOf(StorageException.class);

            assertThat(there.find(birth.id(), TestWork.patient())).contains(before);
            assertThat(readElsewhere(before, "file-1")).isEmpty();
            sender(here).letGo(content, TICKET, TestWork.patient());
        }
    }
}
