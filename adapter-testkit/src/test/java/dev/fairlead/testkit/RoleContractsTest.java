package dev.fairlead.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.ContentProbe;
import dev.fairlead.application.port.out.store.SnapshotGroups;
import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.VolumeModification;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.snapshot.GroupRequest;
import dev.fairlead.domain.snapshot.StoredGroup;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.contract.snapshot.SnapshotGroupsContract;
import dev.fairlead.testkit.contract.volume.ContentProbeContract;
import dev.fairlead.testkit.fake.FaultyStore;
import dev.fairlead.testkit.fake.ForwardingSnapshots;
import dev.fairlead.testkit.fake.InMemoryModificationSubject;
import dev.fairlead.testkit.fake.InMemoryStorage;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each way in which groups of snapshots, modifications and probes may go wrong is found by a test of their contracts.
 */
class RoleContractsTest {
    /** The roles of a sound store, made faulty. */
    record Faults(
            UnaryOperator<SnapshotGroups> groups,
            UnaryOperator<VolumeModification> modification,
            UnaryOperator<ContentProbe> probe) {}

    static final class Subject implements SnapshotGroupsContract, InMemoryModificationSubject, ContentProbeContract {
        private final InMemoryStorage storage =
                InMemoryStorage.named("memory").of(EnumSet.allOf(VolumeMedium.Kind.class));
        private final Faults faults;

        Subject(Faults faults) {
            this.faults = faults;
        }

        @Override
        public InMemoryStorage storage() {
            return storage;
        }

        @Override
        public VolumeStore store() {
            return new Roles(storage, faults);
        }
    }

    private static final class Roles extends FaultyStore {
        private final Faults faults;

        Roles(InMemoryStorage storage, Faults faults) {
            super(storage);
            this.faults = faults;
        }

        @Override
        public Optional<SnapshotStore> snapshots() {
            return sound.snapshots()
                    .map(store -> new Snapshots(
                            store, faults.groups().apply(store.groups().orElseThrow())));
        }

        @Override
        public Optional<VolumeModification> modification() {
            return sound.modification().map(faults.modification());
        }

        @Override
        public Optional<ContentProbe> contentProbe() {
            return sound.contentProbe().map(faults.probe());
        }
    }

    private static final class Snapshots extends ForwardingSnapshots {
        private final SnapshotGroups with;

        Snapshots(SnapshotStore sound, SnapshotGroups with) {
            super(sound);
            this.with = with;
        }

        @Override
        public Optional<SnapshotGroups> groups() {
            return Optional.of(with);
        }
    }

    @Test
    void sound_roles_pass() {
        Faults none = new Faults(UnaryOperator.identity(), UnaryOperator.identity(), UnaryOperator.identity());

        assertThat(ContractRun.failures(() -> new Subject(none))).isEmpty();
    }

    static Stream<Arguments> faults() {
        return Stream.of(
                groups(
                        "takes what it can",
                        Partial::new,
                        "a_missing_volume_is_refused_and_nothing_is_taken_of_the_others"),
                groups(
                        "leaves the last",
                        OneShort::new,
                        "a_group_is_found_and_its_snapshots_are_snapshots_like_any_other"),
                groups("forgets to delete", Keeping::new, "a_deleted_group_is_gone_and_nothing_else_is"),
                groups(
                        "takes a name for another",
                        Confusing::new,
                        "a_group_of_any_name_is_found_by_the_id_of_exactly_that_name"),
                modification(
                        "sets the good before it refuses",
                        FaultyModification.Hasty::new,
                        "what_is_wrong_is_refused_with_nothing_changed_of_what_is_right"),
                modification(
                        "sets one after the other",
                        FaultyModification.Slow::new,
                        "a_change_that_was_cut_anywhere_is_all_or_nothing_and_a_retry_succeeds"),
                modification("sets nothing", FaultyModification.Idle::new, "what_is_named_is_changed_and_nothing_else"),
                modification("lets all through", FaultyModification.Blind::new, "each_known_key_is_checked_alone"),
                probe("finds nothing", FaultyProbe::blind, "what_is_on_a_volume_is_known_to_each_process"),
                probe(
                        "takes little for nothing",
                        FaultyProbe::blind,
                        "a_volume_with_the_least_content_is_not_called_blank"),
                probe("finds something everywhere", FaultyProbe::anxious, "a_new_volume_is_not_called_written"),
                probe(
                        "takes a missing one for blank",
                        FaultyProbe::careless,
                        "the_content_of_a_missing_volume_is_not_found"));
    }

    private static Arguments groups(String name, UnaryOperator<SnapshotGroups> fault, String found) {
        return Arguments.of(
                Named.of(name, new Faults(fault, UnaryOperator.identity(), UnaryOperator.identity())), found);
    }

    private static Arguments modification(String name, UnaryOperator<VolumeModification> fault, String found) {
        return Arguments.of(
                Named.of(name, new Faults(UnaryOperator.identity(), fault, UnaryOperator.identity())), found);
    }

    private static Arguments probe(String name, UnaryOperator<ContentProbe> fault, String found) {
        return Arguments.of(
                Named.of(name, new Faults(UnaryOperator.identity(), UnaryOperator.identity(), fault)), found);
    }

    @ParameterizedTest
    @MethodSource("faults")
    void an_unsound_role_is_found(Faults faults, String by) {
        assertThat(ContractRun.failures(() -> new Subject(faults))).contains(by);
    }

    /** Groups of a sound store, but for what a fault replaces. */
    private abstract static class FaultyGroups implements SnapshotGroups {
        final SnapshotGroups sound;

        FaultyGroups(SnapshotGroups sound) {
            this.sound = sound;
        }

        @Override
        public Optional<StoredGroup> findByName(CsiName name, int maxIdBytes, Work work) {
            return sound.findByName(name, maxIdBytes, work);
        }

        @Override
        public StoredGroup take(GroupRequest request, int maxIdBytes, Work work) {
            return sound.take(request, maxIdBytes, work);
        }

        @Override
        public Optional<StoredGroup> find(NativeId id, Work work) {
            return sound.find(id, work);
        }

        @Override
        public void delete(NativeId id, Work work) {
            sound.delete(id, work);
        }

        final StoredGroup without(GroupRequest request, int last, int maxIdBytes, Work work) {
            List<NativeId> rest = new ArrayList<>(request.sources());
            rest.remove(last);
            return sound.take(new GroupRequest(request.name(), rest, request.parameters()), maxIdBytes, work);
        }
    }

    private static final class Partial extends FaultyGroups {
        Partial(SnapshotGroups sound) {
            super(sound);
        }

        @Override
        public StoredGroup take(GroupRequest request, int maxIdBytes, Work work) {
            try {
                return sound.take(request, maxIdBytes, work);
            } catch (StorageException missing) {
                for (int i = 0;
                        i < request.sources().size() && request.sources().size() > 1;
                        i++) {
                    int one = i;
                    Failing.works(() -> without(request, one, maxIdBytes, work));
                }
                throw missing;
            }
        }
    }

    private static final class OneShort extends FaultyGroups {
        OneShort(SnapshotGroups sound) {
            super(sound);
        }

        @Override
        public StoredGroup take(GroupRequest request, int maxIdBytes, Work work) {
            int last = request.sources().size() - 1;
            return last == 0 ? sound.take(request, maxIdBytes, work) : without(request, last, maxIdBytes, work);
        }
    }

    private static final class Keeping extends FaultyGroups {
        Keeping(SnapshotGroups sound) {
            super(sound);
        }

        @Override
        public void delete(NativeId id, Work work) {
            // done, it says
        }
    }

    private static final class Confusing extends FaultyGroups {
        Confusing(SnapshotGroups sound) {
            super(sound);
        }

        @Override
        public Optional<StoredGroup> findByName(CsiName name, int maxIdBytes, Work work) {
            return sound.findByName(new CsiName("group-" + name.value().length()), maxIdBytes, work);
        }
    }
}
