package dev.fairlead.application.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.service.connection.Backend;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.topology.Placement;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.InMemoryExporter;
import dev.fairlead.testkit.fake.InMemoryStorage;
import dev.fairlead.testkit.fake.InMemoryVolumeStore;
import dev.fairlead.testkit.fake.TestWork;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A code after which nobody asks again is given only where nothing is left. */
class FinalCodesTest {
    private static final Failure REFUSED = new Failure.BackendRejected("nas", "no more exports");

    private final InMemoryStorage nas = InMemoryStorage.named("nas");
    private final ControllerFixture controller = ControllerFixture.proxy();
    /** Methods that fail, by interface and name; those marked with a plus do their work first. */
    private final Map<String, RuntimeException> failing = new TreeMap<>();

    private final Set<String> called = new TreeSet<>();

    FinalCodesTest() {
        VolumeStore store = failing(VolumeStore.class, new InMemoryVolumeStore(nas));
        Exporter exporter = failing(Exporter.class, new InMemoryExporter(nas));
        controller.connections.install(new Backend(
                new ConnectionName("nas"),
                "memory",
                store,
                exporter,
                ControllerFixture.settings(Placement.ANYWHERE, Map.of(), ControllerFixture.PATIENT)));
    }

    @AfterEach
    void close() {
        controller.close();
    }

    @Test
    void a_volume_that_cannot_be_exported_is_removed_before_the_refusal_is_told() {
        failing.put("Exporter.export", new StorageException(REFUSED));

        Failing.with(Failure.BackendRejected.class, () -> controller.create("pvc-1", "nas"));
        assertThat(called).contains("Exporter.unexport");
        assertThat(nas.isEmpty()).isTrue();
    }

    @Test
    void a_bug_is_treated_alike_and_stays_itself() {
        failing.put("+Exporter.export", new IllegalStateException("a bug"));

        assertThatThrownBy(() -> controller.create("pvc-1", "nas"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("a bug");
        assertThat(nas.isEmpty()).isTrue();
    }

    @Test
    void what_cannot_be_removed_again_is_to_be_retried_with_the_reason() {
        failing.put("Exporter.export", new StorageException(REFUSED));
        failing.put("VolumeStore.delete", new StorageException(REFUSED));

        assertThatThrownBy(() -> controller.create("pvc-1", "nas"))
                .isInstanceOfSatisfying(
                        StorageException.class,
                        e -> assertThat(e.failure()).isInstanceOf(Failure.BackendUnavailable.class))
                .hasMessageContaining("no more exports")
                .hasMessageContaining("a repeated call goes on from there");

        failing.clear();
        assertThat(controller.create("pvc-1", "nas").handle()).isEqualTo("v:nas/pvc-1");
    }

    @Test
    void a_volume_that_was_there_before_is_never_removed() {
        controller.create("pvc-1", "nas");
        failing.put("Exporter.export", new StorageException(REFUSED));

        Failing.with(Failure.BackendUnavailable.class, () -> controller.create("pvc-1", "nas"));
        assertThat(nas.volumes()).hasSize(1);
        assertThat(called).doesNotContain("VolumeStore.delete");
    }

    @Test
    void a_create_that_failed_after_all_was_made_is_to_be_retried() {
        failing.put("+VolumeStore.create", new StorageException(REFUSED));

        Failing.with(Failure.BackendUnavailable.class, () -> controller.create("pvc-1", "nas"));

        failing.clear();
        controller.create("pvc-1", "nas");
        assertThat(nas.volumes()).hasSize(1);
    }

    @Test
    void a_refusal_with_nothing_made_stays_what_it_is_and_touches_nothing() {
        failing.put("VolumeStore.create", new StorageException(new Failure.NotOurs("v:nas/pvc-1", "a folder")));

        Failing.with(Failure.NotOurs.class, () -> controller.create("pvc-1", "nas"));
        assertThat(called).doesNotContain("VolumeStore.delete", "Exporter.unexport");
    }

    /** Its own permissions may be what a file system has no room for. */
    @Test
    void a_volume_that_there_was_no_room_to_finish_is_cleared_away() {
        failing.put("VolumeStore.create", new StorageException(new Failure.OutOfSpace("nas", "quota exceeded")));

        Failing.with(Failure.OutOfSpace.class, () -> controller.create("pvc-1", "nas"));
        assertThat(called).contains("VolumeStore.delete");

        failing.put("VolumeStore.delete", new StorageException(REFUSED));

        Failing.with(Failure.BackendUnavailable.class, () -> controller.create("pvc-1", "nas"));
    }

    /** It was there before, and is none of this call's leavings. */
    @Test
    void what_is_somebody_elses_does_not_make_a_refusal_one_that_is_repeated() {
        failing.put("VolumeStore.create", new StorageException(REFUSED));
        failing.put("VolumeStore.delete", new StorageException(new Failure.NotOurs("v:nas/pvc-1", "a dataset")));

        Failing.with(Failure.BackendRejected.class, () -> controller.create("pvc-1", "nas"));
    }

    @Test
    void storage_that_cannot_say_whether_something_was_made_is_asked_again() {
        failing.put("+VolumeStore.create", new StorageException(REFUSED));
        failing.put("later VolumeStore.existing", new StorageException(REFUSED));

        Failing.with(Failure.BackendUnavailable.class, () -> controller.create("pvc-1", "nas"));
    }

    @Test
    void a_snapshot_that_was_taken_though_the_storage_refused_is_to_be_retried() {
        controller.create("pvc-1", "nas");
        failing.put("+SnapshotStore.take", new StorageException(REFUSED));

        Failing.with(Failure.BackendUnavailable.class, this::snapshot);

        failing.clear();
        snapshot();
        assertThat(nas.snapshots()).hasSize(1);
    }

    @Test
    void a_snapshot_that_was_refused_and_is_not_there_stays_refused() {
        controller.create("pvc-1", "nas");
        failing.put("SnapshotStore.take", new StorageException(REFUSED));

        Failing.with(Failure.BackendRejected.class, this::snapshot);
        assertThat(nas.snapshots()).isEmpty();
    }

    private void snapshot() {
        controller.useCases.takeSnapshot().take(new CsiName("snap-1"), "v:nas/pvc-1", Map.of(), TestWork.patient());
    }

    /** The port, with the failures that are asked for. */
    private <T> T failing(Class<T> port, T delegate) {
        return port.cast(Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {port}, (_, method, arguments) -> {
                    String name = port.getSimpleName() + "." + method.getName();
                    boolean again = !called.add(name);
                    throwIfAsked(name);
                    if (again) {
                        throwIfAsked("later " + name);
                    }
                    Object answer;
                    try {
                        answer = method.invoke(delegate, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                    throwIfAsked("+" + name);
                    return answer instanceof Optional<?> role && role.orElse(null) instanceof SnapshotStore snapshots
                            ? Optional.of(failing(SnapshotStore.class, snapshots))
                            : answer;
                }));
    }

    private void throwIfAsked(String name) {
        RuntimeException asked = failing.get(name);
        if (asked != null) {
            throw asked;
        }
    }
}
