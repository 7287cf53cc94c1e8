package dev.fairlead.adapter.freenas;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.freenas.testkit.BoxController;
import dev.fairlead.adapter.freenas.testkit.Protocol;
import dev.fairlead.adapter.freenas.testkit.WiredBox;
import dev.fairlead.application.port.in.volume.Source;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.simulator.Simulator;
import dev.fairlead.simulator.failure.CallLog;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.crash.OneConnectionFixture;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many calls to the box an RPC makes on an open session, and how many sessions there are. */
class CallsOfRpcsTest {
    private static final String VOLUME = "v:nas/pvc-1";

    @TempDir
    private Path folder = Path.of("/nowhere");

    /** Two of a creation of files are for the mode of its root: a job, and the mark that the volume is whole. */
    @ParameterizedTest
    @CsvSource({
        "V25_04, NFS, 6, 6, 4, 5",
        "V25_10, NFS, 6, 7, 4, 5",
        "V26, NFS, 6, 7, 6, 6",
        "V25_10, SMB, 8, 8, 4, 5",
        "V25_10, ISCSI, 7, 13, 4, 5",
        "V26, ISCSI, 7, 13, 6, 6",
        "V25_10, NVMEOF, 5, 10, 4, 5",
    })
    void an_rpc_makes_no_more_calls_than_it_needs(
            Profile profile, Protocol protocol, int create, int delete, int snapshot, int deleteSnapshot) {
        try (WiredBox box = WiredBox.start(profile, protocol, folder)) {
            box.makeParents();
            try (OneConnectionFixture controller = new BoxController(box.simulator(), protocol).open()) {
                controller.create("pvc-0");
                controller.useCases().deleteVolume().delete("v:nas/pvc-0", TestWork.patient()); // looks for trash

                assertThat(calls(box, () -> controller.create("pvc-1"))).hasSizeLessThanOrEqualTo(create);
                assertThat(calls(box, () -> takeSnapshot(controller))).hasSizeLessThanOrEqualTo(snapshot);
                assertThat(calls(
                                box,
                                () -> controller
                                        .useCases()
                                        .deleteSnapshot()
                                        .delete("s:nas/pvc-1@snap-1", TestWork.patient())))
                        .hasSizeLessThanOrEqualTo(deleteSnapshot);
                assertThat(calls(box, () -> controller.useCases().deleteVolume().delete(VOLUME, TestWork.patient())))
                        .hasSizeLessThanOrEqualTo(delete);
            }
        }
    }

    /** Two are for the mode of its root, one sets what a clone cannot have from its first moment up to 25.10. */
    @ParameterizedTest
    @CsvSource({"V25_10, 13", "V26, 16"})
    void a_clone_makes_no_more_calls_than_it_needs(Profile profile, int clone) {
        try (WiredBox box = WiredBox.start(profile, Protocol.NFS, folder)) {
            box.makeParents();
            try (OneConnectionFixture controller = new BoxController(box.simulator(), Protocol.NFS).open()) {
                controller.create("pvc-1");
                var source = new Source.Volume(VOLUME);

                assertThat(calls(
                                box,
                                () -> controller.create(
                                        "pvc-2", TestVolumes.atLeast(TestVolumes.SIZE), source, Map.of())))
                        .hasSizeLessThanOrEqualTo(clone);
            }
        }
    }

    private static void takeSnapshot(OneConnectionFixture controller) {
        var _ = controller.useCases().takeSnapshot().take(new CsiName("snap-1"), VOLUME, Map.of(), TestWork.patient());
    }

    private static List<String> calls(WiredBox box, Runnable rpc) {
        box.simulator().clearCalls();
        rpc.run();
        return box.simulator().calls().stream().map(CallLog.Entry::method).toList();
    }

    @Test
    void ten_connections_to_a_box_are_one_socket() throws Exception {
        try (Simulator box = Simulator.start(Profile.V25_10, folder);
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<OneConnectionFixture> controllers = new BoxController(box, Protocol.NFS).openTogether(10);
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < controllers.size(); i++) {
                String name = "pvc-" + i;
                OneConnectionFixture controller = controllers.get(i);
                running.add(callers.submit(() -> controller.create(name)));
            }
            for (Future<?> each : running) {
                var _ = each.get();
            }

            assertThat(box.sockets()).isEqualTo(1);
            assertThat(box.broken()).isEmpty();
            controllers.forEach(OneConnectionFixture::close);
        }
    }
}
