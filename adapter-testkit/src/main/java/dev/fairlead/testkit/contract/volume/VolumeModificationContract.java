package dev.fairlead.testkit.contract.volume;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.VolumeModification;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.HostileInput;
import dev.fairlead.testkit.contract.StoreSubject;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Everything that {@code VolumeModification} promises; for the test class of a {@code VolumeStore} that returns this
 * role.
 */
public interface VolumeModificationContract extends StoreSubject {
    /** Returns several parameters, with values as they are read back. */
    Map<String, String> parameters();

    /** Returns other values of the same keys. */
    Map<String, String> otherParameters();

    /** Returns what the storage itself has for these keys, read without the store. */
    Map<String, String> modified(StoredVolume volume);

    private VolumeModification modification(VolumeStore store) {
        return store.modification().orElseThrow(() -> new AssertionError("the store changes nothing of a volume"));
    }

    private static CreateRequest modified(CreateRequest request, Map<String, String> mutable) {
        return new CreateRequest(
                request.name(),
                request.capacity(),
                request.capabilities(),
                request.parameters(),
                request.content(),
                mutable);
    }

    /** Returns only one of the parameters: the one whose key is the first in order. */
    private Map<String, String> first(Map<String, String> parameters) {
        String key = parameters().keySet().stream().sorted().findFirst().orElseThrow();
        return Map.of(key, parameters.getOrDefault(key, ""));
    }

    @Test
    default void what_is_named_is_changed_and_nothing_else() {
        try (VolumeStore store = store()) {
            StoredVolume volume = make(store, TestVolumes.empty("pvc-a"));
            StoredVolume other = make(store, TestVolumes.empty("pvc-b"));
            Map<String, String> before = modified(other);
            write(volume, "data", "precious");
            modification(store).modify(volume.id(), parameters(), TestWork.patient());

            modification(store).modify(volume.id(), first(otherParameters()), TestWork.patient());
            modification(store).modify(volume.id(), first(otherParameters()), TestWork.patient());

            Map<String, String> expected = new HashMap<>(parameters());
            expected.putAll(first(otherParameters()));
            assertThat(modified(volume)).containsAllEntriesOf(expected);
            assertThat(modified(other)).isEqualTo(before);
            assertThat(store.find(volume.id(), TestWork.patient())).contains(volume);
            assertThat(read(volume, "data")).contains("precious");
        }
    }

    @Test
    default void a_missing_volume_is_not_found_and_not_made() {
        try (VolumeStore store = store()) {
            Stream.concat(Stream.of(TestVolumes.id("absent")), HostileInput.ids())
                    .forEach((NativeId id) -> Failing.with(
                            Failure.VolumeNotFound.class,
                            () -> modification(store).modify(id, parameters(), TestWork.patient())));
        }
        verifyEmpty();
    }

    @Test
    default void what_is_wrong_is_refused_with_nothing_changed_of_what_is_right() {
        try (VolumeStore store = store()) {
            StoredVolume volume = make(store, TestVolumes.empty("pvc-a"));
            modification(store).modify(volume.id(), parameters(), TestWork.patient());

            HostileInput.texts().limit(300).forEach(text -> {
                Map<String, String> unknown = new HashMap<>(otherParameters());
                unknown.put("key" + text, "value");
                refused(store, volume, unknown);
                Map<String, String> bad = new HashMap<>(otherParameters());
                first(otherParameters()).keySet().forEach(key -> bad.put(key, "value" + text));
                refused(store, volume, bad);
            });

            assertThat(modified(volume)).containsAllEntriesOf(parameters());
        }
    }

    private void refused(VolumeStore store, StoredVolume volume, Map<String, String> wrong) {
        TestWork work = TestWork.patient();
        Failing.with(Failure.InvalidRequest.class, () -> modification(store).check(wrong));
        Failing.with(Failure.InvalidRequest.class, () -> modification(store).modify(volume.id(), wrong, work));
        assertThat(work.effects()).as("before the first effect").isEmpty();
        CreateRequest request = modified(TestVolumes.empty("pvc-b"), wrong);
        Failing.with(Failure.InvalidRequest.class, () -> store.plan(request, suggested(request)));
    }

    @Test
    default void each_known_key_is_checked_alone() {
        try (VolumeStore store = store()) {
            assertThat(modification(store).keys())
                    .containsAll(parameters().keySet())
                    .allSatisfy(key -> Failing.with(
                            Failure.InvalidRequest.class,
                            () -> modification(store).check(Map.of(key, ""))));
            modification(store).check(parameters());
            modification(store).check(Map.of());
        }
    }

    @Test
    default void a_change_that_was_cut_anywhere_is_all_or_nothing_and_a_retry_succeeds() {
        try (VolumeStore store = store()) {
            StoredVolume volume = make(store, modified(TestVolumes.empty("pvc-a"), parameters()));
            boolean cut = true;
            for (int effects = 0; cut; effects++) {
                TestWork work = TestWork.patient().cancelledAfter(effects);

                cut = !Failing.works(() -> modification(store).modify(volume.id(), otherParameters(), work));

                Map<String, String> now = new HashMap<>(modified(volume));
                now.keySet().retainAll(parameters().keySet());
                assertThat(now).isIn(parameters(), otherParameters());
                modification(store).modify(volume.id(), otherParameters(), TestWork.patient());
                assertThat(modified(volume)).containsAllEntriesOf(otherParameters());
                modification(store).modify(volume.id(), parameters(), TestWork.patient());
                assertThat(effects).isLessThan(1000);
            }
        }
    }

    @Test
    default void a_volume_is_born_with_its_mutable_parameters_and_they_outlive_a_restart() {
        StoredVolume born;
        try (VolumeStore store = store()) {
            born = make(store, modified(TestVolumes.empty("pvc-a"), parameters()));
            assertThat(modified(born)).containsAllEntriesOf(parameters());
            Failing.unlessUnsupported(() ->
                            make(store, modified(TestVolumes.fromVolume("pvc-b", born.id()), otherParameters())))
                    .ifPresent(clone -> assertThat(modified(clone)).containsAllEntriesOf(otherParameters()));
        }

        try (VolumeStore reopened = store()) {
            StoredVolume again = make(reopened, modified(TestVolumes.empty("pvc-a"), otherParameters()));

            assertThat(again).isEqualTo(born);
            assertThat(modified(born))
                    .as("one that exists comes back untouched")
                    .containsAllEntriesOf(parameters());
        }
    }

    @Test
    default void what_is_gone_leaves_nothing_for_the_next_of_its_name() {
        try (VolumeStore store = store()) {
            StoredVolume first = make(store, TestVolumes.empty("pvc-a"));
            Map<String, String> usual = modified(first);
            modification(store).modify(first.id(), otherParameters(), TestWork.patient());
            store.delete(first.id(), OnDependents.REFUSE, TestWork.patient());

            StoredVolume second = make(store, TestVolumes.empty("pvc-a"));

            assertThat(modified(second)).isEqualTo(usual);
        }
    }

    @Test
    default void a_cancelled_change_has_no_effect() {
        try (VolumeStore store = store()) {
            StoredVolume volume = make(store, modified(TestVolumes.empty("pvc-a"), parameters()));

            try {
                modification(store)
                        .modify(
                                volume.id(),
                                otherParameters(),
                                TestWork.patient().cancelledWhen(() -> true));
                throw new AssertionError("it went on");
            } catch (StorageException e) {
                assertThat(e.failure()).isInstanceOf(Failure.Cancelled.class);
            }

            assertThat(modified(volume)).containsAllEntriesOf(parameters());
        }
    }
}
