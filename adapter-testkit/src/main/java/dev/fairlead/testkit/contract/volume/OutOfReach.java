package dev.fairlead.testkit.contract.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.FinalCodes;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.contract.SnapshotSubject;
import dev.fairlead.testkit.contract.StoreSubject;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Calls every method of a store, on what was made while its storage was there and on what is new. */
public final class OutOfReach {
    private final StoreSubject subject;
    private final VolumeStore store;
    private final StoredVolume volume;
    private final StoredSnapshot snapshot;

    OutOfReach(StoreSubject subject, VolumeStore store, StoredVolume volume, StoredSnapshot snapshot) {
        this.subject = subject;
        this.store = store;
        this.volume = volume;
        this.snapshot = snapshot;
    }

    /** Checks that each call fails in a way that lets the caller retry. */
    void verifyRetried() {
        verbs().forEach((name, verb) -> verify(name, verb, OutOfReach::isRetried));
    }

    /** Checks that each call fails so or says that the storage is another one; in no case it answers about volumes. */
    void verifyRefused() {
        verbs().forEach((name, verb) -> verify(name, verb, OutOfReach::isRefused));
    }

    /** Checks that a call fails in a way that lets the caller retry, whatever it did on the storage. */
    public static void verifyNotNow(String name, ThrowingCallable verb) {
        verify(name, verb, OutOfReach::isRetried);
    }

    /** Checks that a call fails so or says that the storage is another one, whatever it did on the storage. */
    public static void verifyNotOurs(String name, ThrowingCallable verb) {
        verify(name, verb, OutOfReach::isRefused);
    }

    /** Returns whether a call succeeds; checks that it otherwise fails in a way that lets the caller retry. */
    public static boolean isDone(String name, Runnable verb) {
        try {
            verb.run();
            return true;
        } catch (StorageException thrown) {
            assertThat(thrown.failure()).as(name).matches(OutOfReach::isRetried, "says that it is to be tried again");
            return false;
        }
    }

    private static boolean isRetried(Failure failure) {
        return !FinalCodes.isFinal(failure);
    }

    /**
     * Returns whether a failure lets the caller retry, or is the one for a base or pool of somebody else, in which
     * nothing was made.
     */
    private static boolean isRefused(Failure failure) {
        return isRetried(failure) || failure instanceof Failure.BackendRejected;
    }

    private static void verify(String name, ThrowingCallable verb, Predicate<Failure> expected) {
        assertThatThrownBy(verb)
                .as(name)
                .isInstanceOfSatisfying(
                        StorageException.class,
                        e -> assertThat(e.failure())
                                .as(name)
                                .matches(expected, "says that the storage is out of reach"));
    }

    private Map<String, ThrowingCallable> verbs() {
        Map<String, ThrowingCallable> verbs = new LinkedHashMap<>();
        verbs.put("find", () -> store.find(volume.id(), TestWork.patient()));
        verbs.put("list", () -> store.list(PageRequest.all(), TestWork.patient()));
        verbs.put("room", () -> store.room(Map.of(), TestWork.patient()));
        verbs.put("make anew", () -> subject.make(store, TestVolumes.empty("pvc-new")));
        verbs.put("make again", () -> subject.make(store, TestVolumes.empty("pvc-a")));
        verbs.put("clone", () -> subject.make(store, clone("pvc-clone")));
        verbs.put("restore", () -> subject.make(store, TestVolumes.fromSnapshot("pvc-restored", snapshot.id())));
        verbs.put(
                "expand",
                () -> store.expand(volume.id(), TestVolumes.atLeast(VolumeLifeContract.DOUBLE), TestWork.patient()));
        verbs.put("note", () -> store.note(volume.id(), Map.of("a", "b"), TestWork.patient()));
        verbs.put("deletionCheck", () -> store.deletionCheck(volume.id(), OnDependents.REFUSE, TestWork.patient()));
        verbs.put("delete", () -> store.delete(volume.id(), OnDependents.REFUSE, TestWork.patient()));
        SnapshotStore role = store.snapshots().orElseThrow();
        verbs.put(
                "take",
                () -> role.take(TestVolumes.snapshot("snap-new", volume), SnapshotSubject.MAX_ID, TestWork.patient()));
        verbs.put("find snapshot", () -> role.find(snapshot.id(), TestWork.patient()));
        verbs.put("find snapshot by name", () -> role.findByName(snapshot.name().orElseThrow(), TestWork.patient()));
        verbs.put("list snapshots", () -> role.list(Optional.empty(), PageRequest.all(), TestWork.patient()));
        verbs.put("delete snapshot", () -> role.delete(snapshot.id(), TestWork.patient()));
        return verbs;
    }

    private CreateRequest clone(String name) {
        return TestVolumes.fromVolume(name, volume.id());
    }
}
