package dev.fairlead.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.page.Page;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.contract.snapshot.SnapshotStoreContract;
import dev.fairlead.testkit.contract.volume.VolumeStoreContract;
import dev.fairlead.testkit.fake.FaultyStore;
import dev.fairlead.testkit.fake.InMemoryStorage;
import dev.fairlead.testkit.fake.InMemorySubject;
import dev.fairlead.testkit.fake.TestWork;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each way in which a store may go wrong is found by a test of the contracts. */
class StoreContractsTest {
    /** A store over memory, as sound as it is made. */
    static class Subject implements InMemorySubject, VolumeStoreContract, SnapshotStoreContract {
        private final InMemoryStorage storage = InMemoryStorage.named("memory");
        private final Function<InMemoryStorage, VolumeStore> opening;

        Subject(Function<InMemoryStorage, VolumeStore> opening) {
            this.opening = opening;
        }

        @Override
        public InMemoryStorage storage() {
            return storage;
        }

        @Override
        public VolumeStore store() {
            return opening.apply(storage);
        }
    }

    @Test
    void a_sound_store_passes() {
        assertThat(ContractRun.failures(() -> new Subject(FaultyStore::new))).isEmpty();
    }

    static Stream<Arguments> faults() {
        return Stream.of(
                fault("shrinks", Shrinking::new, "a_volume_never_shrinks"),
                fault("replaces what exists", Replacing::new, "an_existing_volume_that_differs_comes_back_untouched"),
                fault("forgets notes at birth", Forgetful::new, "a_volume_is_born_with_its_notes"),
                fault("drops other notes", Overwriting::new, "notes_are_added_and_replaced_and_survive_a_restart"),
                fault(
                        "keeps notes in the process",
                        Volatile::new,
                        "notes_are_added_and_replaced_and_survive_a_restart"),
                fault("fails on what is absent", Strict::new, "deleting_what_is_not_there_is_no_error"),
                fault("keeps what it deletes", Hoarding::new, "a_deleted_volume_is_gone_with_its_data"),
                fault("repeats at page ends", Repeating::new, "what_stays_is_listed_once_while_others_come_and_go"),
                fault("copies nothing", Hollow::new, "a_clone_has_the_content_of_its_source_and_a_life_of_its_own"),
                fault("throws raw", Raw::new, "what_is_not_there_is_not_found"),
                fault("finds by prefix", Prefixed::new, "hostile_ids_are_not_found_and_change_nothing"),
                fault("acts while planning", Eager::new, "planning_makes_nothing"),
                fault("ignores cancellation", Deaf::new, "a_cancelled_call_has_no_effect"));
    }

    private static Arguments fault(String name, Function<InMemoryStorage, VolumeStore> opening, String found) {
        return Arguments.of(Named.of(name, opening), found);
    }

    @ParameterizedTest
    @MethodSource("faults")
    void an_unsound_store_is_found(Function<InMemoryStorage, VolumeStore> opening, String by) {
        assertThat(ContractRun.failures(() -> new Subject(opening))).contains(by);
    }

    private static StoredVolume with(StoredVolume volume, Optional<Capacity> capacity, Map<String, String> notes) {
        return new StoredVolume(volume.id(), volume.name(), capacity, volume.medium(), volume.content(), notes);
    }

    static final class Shrinking extends FaultyStore {
        Shrinking(InMemoryStorage storage) {
            super(storage);
        }

        @Override
        public StoredVolume expand(NativeId id, CapacityRange range, Work work) {
            StoredVolume now = sound.find(id, work).orElseThrow(() -> notFound(id));
            Capacity atLeast = range.required().orElse(Capacity.ZERO);
            boolean less = now.capacity().filter(atLeast::isLessThan).isPresent();
            return less ? with(now, Optional.of(atLeast), now.notes()) : sound.expand(id, range, work);
        }
    }

    static final class Replacing extends FaultyStore {
        Replacing(InMemoryStorage storage) {
            super(storage);
        }

        @Override
        public Creation create(Birth birth, Work work) {
            sound.find(birth.id(), work)
                    .filter(volume -> !volume.notes().equals(birth.notes()))
                    .ifPresent(volume -> sound.delete(birth.id(), OnDependents.REFUSE, work));
            return sound.create(birth, work);
        }
    }

    static final class Forgetful extends FaultyStore {
        Forgetful(InMemoryStorage storage) {
            super(storage);
        }

        @Override
        public Creation create(Birth birth, Work work) {
            return sound.create(
                    new Birth(birth.id(), birth.request(), birth.capacity(), birth.medium(), Map.of()), work);
        }
    }

    static final class Overwriting extends FaultyStore {
        Overwriting(InMemoryStorage storage) {
            super(storage);
        }

        @Override
        public Optional<StoredVolume> find(NativeId id, Work work) {
            return sound.find(id, work).map(volume -> {
                Map<String, String> notes = new HashMap<>(volume.notes());
                if (notes.containsKey("c")) {
                    notes.remove("a");
                }
                return with(volume, volume.capacity(), notes);
            });
        }
    }

    static final class Volatile extends FaultyStore {
        private final Map<String, String> kept = new HashMap<>();

        Volatile(InMemoryStorage storage) {
            super(storage);
        }

        @Override
        public void note(NativeId id, Map<String, String> notes, Work work) {
            kept.putAll(notes);
        }
    }

    static final class Strict extends FaultyStore {
        Strict(InMemoryStorage storage) {
            super(storage);
        }

        @Override
        public void delete(NativeId id, OnDependents policy, Work work) {
            if (sound.find(id, work).isEmpty()) {
                throw notFound(id);
            }
            sound.delete(id, policy, work);
        }
    }

    static final class Hoarding extends FaultyStore {
        Hoarding(InMemoryStorage storage) {
            super(storage);
        }

        @Override
        public void delete(NativeId id, OnDependents policy, Work work) {
            work.checkCancelled();
        }
    }

    static final class Repeating extends FaultyStore {
        Repeating(InMemoryStorage storage) {
            super(storage);
        }

        /** Goes on after the place of an id, which shifts, instead of after the id. */
        @Override
        public Page<StoredVolume> list(PageRequest page, Work work) {
            List<StoredVolume> all = sound.list(PageRequest.all(), work).items();
            List<String> ids = all.stream().map(volume -> volume.id().value()).toList();
            int from = page.after().map(id -> ids.indexOf(id) + 1).orElse(0);
            int to = (int) Math.min(all.size(), (long) from + page.size());
            return new Page<>(all.subList(from, to), to < all.size());
        }
    }

    static final class Hollow extends FaultyStore {
        Hollow(InMemoryStorage storage) {
            super(storage);
        }

        @Override
        public Creation create(Birth birth, Work work) {
            Creation made = sound.create(birth, work);
            storage.volume(made.volume().id()).files().keySet().forEach(f -> storage.write(birth.id(), f, ""));
            return made;
        }
    }

    static final class Raw extends FaultyStore {
        Raw(InMemoryStorage storage) {
            super(storage);
        }

        @Override
        public StoredVolume expand(NativeId id, CapacityRange range, Work work) {
            storage.volume(id);
            return sound.expand(id, range, work);
        }
    }

    static final class Prefixed extends FaultyStore {
        Prefixed(InMemoryStorage storage) {
            super(storage);
        }

        @Override
        public Optional<StoredVolume> find(NativeId id, Work work) {
            return sound.list(PageRequest.all(), work).items().stream()
                    .filter(volume -> volume.id().value().contains(id.value()))
                    .findFirst();
        }
    }

    static final class Eager extends FaultyStore {
        Eager(InMemoryStorage storage) {
            super(storage);
        }

        @Override
        public Birth plan(CreateRequest request, NativeId suggested) {
            Birth birth = sound.plan(request, suggested);
            sound.create(birth, TestWork.patient());
            return birth;
        }
    }

    static final class Deaf extends FaultyStore {
        Deaf(InMemoryStorage storage) {
            super(storage);
        }

        @Override
        public void delete(NativeId id, OnDependents policy, Work work) {
            work.finishing()
                    .effect(new Effect("remove", id.value()), () -> sound.delete(id, policy, TestWork.patient()));
        }
    }

    private static StorageException notFound(NativeId id) {
        return new StorageException(new Failure.VolumeNotFound(id.value()));
    }
}
