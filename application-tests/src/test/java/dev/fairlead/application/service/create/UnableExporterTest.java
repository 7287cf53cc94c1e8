package dev.fairlead.application.service.create;

import static dev.fairlead.application.service.ControllerFixture.command;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.in.volume.Source;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.ControllerFixture;
import dev.fairlead.application.service.connection.Backend;
import dev.fairlead.domain.capacity.CapacityRange;
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
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Volumes that no exporter could export: a process may end at any time, so nothing may be made of them that an export's
 * refusal takes away again.
 */
class UnableExporterTest {
    private static final Map<String, String> ON_NAS = Map.of("connection", "nas");

    private final InMemoryStorage nas = InMemoryStorage.named("nas");
    private final AtomicBoolean isAble = new AtomicBoolean(true);
    private final ControllerFixture controller = ControllerFixture.proxy();

    @BeforeEach
    void open() {
        controller.connections.install(new Backend(
                new ConnectionName("nas"),
                "memory",
                new InMemoryVolumeStore(nas),
                new InMemoryExporter(nas) {
                    @Override
                    public void requireAble(Work work) {
                        if (!isAble.get()) {
                            throw new StorageException(new Failure.Unsupported("it is too old", "upgrade it"));
                        }
                    }
                },
                ControllerFixture.settings(Placement.ANYWHERE, Map.of(), ControllerFixture.PATIENT)));
    }

    @AfterEach
    void close() {
        controller.close();
    }

    @Test
    void nothing_is_ever_made_of_an_empty_volume() {
        isAble.set(false);

        verifyNothingMade(Source.NONE);

        assertThat(nas.isEmpty()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void nothing_is_ever_made_of_a_copy(boolean ofSnapshot) {
        controller.create("pvc-1", "nas");
        String snapshot = controller
                .useCases
                .takeSnapshot()
                .take(new CsiName("snap-1"), "v:nas/pvc-1", Map.of(), TestWork.patient())
                .handle();
        String before = nas.dump();
        isAble.set(false);

        verifyNothingMade(ofSnapshot ? new Source.Snapshot(snapshot) : new Source.Volume("v:nas/pvc-1"));

        assertThat(nas.dump()).isEqualTo(before);
    }

    /** After a final refusal the caller may forget a volume, which would be left for good. */
    @Test
    void a_volume_that_is_there_is_not_refused_for_good() {
        controller.create("pvc-1", "nas");
        isAble.set(false);

        Failure failure = Failing.failure(() -> controller.create("pvc-1", "nas"));
        isAble.set(true);

        assertThat(failure).isInstanceOf(Failure.BackendUnavailable.class);
        assertThat(failure.message()).contains("it is too old", "what has been made stays");
        assertThat(controller.create("pvc-1", "nas").handle()).isEqualTo("v:nas/pvc-1");
    }

    private void verifyNothingMade(Source source) {
        var work = TestWork.patient();
        var command = command("pvc-2", ON_NAS, CapacityRange.ANY, source);

        Failing.with(
                Failure.Unsupported.class,
                () -> controller.useCases.createVolume().create(command, work));

        assertThat(work.effects()).isEmpty();
    }
}
