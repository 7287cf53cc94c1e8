package dev.fairlead.application.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.in.volume.ReportCapacity;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.testkit.Concurrently;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.InMemoryStorage;
import dev.fairlead.testkit.fake.TestWork;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One connection hangs; its storage never answers while a test runs. */
@Timeout(30)
class ConnectionIsolationTest {
    private final InMemoryStorage hung = InMemoryStorage.named("hung");
    private final InMemoryStorage well = InMemoryStorage.named("well");
    private final ControllerFixture controller = ControllerFixture.proxy().with(hung, well);
    private final CountDownLatch storageAnswers = new CountDownLatch(1);

    @BeforeEach
    void hang() {
        controller.create("pvc-1", "hung");
        controller.impatient(hung);
        hung.beforeEachCall(() -> {
            try {
                storageAnswers.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @AfterEach
    void close() {
        storageAnswers.countDown();
        controller.close();
    }

    @Test
    void the_others_work_as_if_it_were_not_there() {
        for (int i = 0; i < 20; i++) {
            Thread.ofVirtual()
                    .start(() -> Failing.works(
                            () -> controller.useCases.getVolume().get("v:hung/pvc-1", TestWork.patient())));
        }
        List<Runnable> calls = new ArrayList<>();
        for (int i = 0; i < 32; i++) {
            String name = "pvc-" + i;
            calls.add(() -> {
                controller.create(name, "well");
                controller.useCases.deleteVolume().delete("v:well/" + name, TestWork.patient());
            });
        }

        Concurrently.run(calls);

        assertThat(well.isEmpty()).isTrue();
    }

    @Test
    void reads_of_it_are_given_up_by_name() {
        assertThatThrownBy(() -> controller.useCases.getVolume().get("v:hung/pvc-1", TestWork.patient()))
                .hasMessageContaining("FL-CON-003 connection hung is not available");
    }

    @Test
    void a_change_that_has_begun_keeps_its_lock_and_the_second_caller_is_told() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        hung.beforeEachCall(() -> {
            begun.countDown();
            try {
                storageAnswers.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        Thread first = Thread.ofVirtual()
                .start(() -> controller
                        .useCases
                        .deleteVolume()
                        .delete("v:hung/pvc-1", TestWork.named("DeleteVolume v:hung/pvc-1")));
        begun.await();

        Failing.with(
                Failure.OperationPending.class,
                () -> controller.useCases.deleteVolume().delete("v:hung/pvc-1", TestWork.patient()));

        storageAnswers.countDown();
        first.join();
        assertThat(hung.isEmpty()).isTrue();
    }

    @Test
    void the_room_of_the_others_is_told_without_it() {
        var all = new ReportCapacity.Command(Map.of(), List.of(), Optional.empty());

        ReportCapacity.Result room = controller.useCases.reportCapacity().report(all, TestWork.patient());

        assertThat(room.available()).isEqualTo(Capacity.ofGibibytes(100));
        assertThat(controller.passedOver).containsExactly("hung");
    }

    @Test
    void when_its_file_goes_so_does_its_trouble() {
        Failing.with(
                Failure.BackendUnavailable.class,
                () -> controller.useCases.listVolumes().list(Optional.empty(), 0, TestWork.patient()));

        controller.connections.remove(new ConnectionName("hung"));

        assertThat(controller
                        .useCases
                        .listVolumes()
                        .list(Optional.empty(), 0, TestWork.patient())
                        .items())
                .isEmpty();
        Failing.with(
                Failure.ConnectionUnknown.class,
                () -> controller.useCases.deleteVolume().delete("v:hung/pvc-1", TestWork.patient()));
    }
}
