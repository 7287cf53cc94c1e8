package dev.fairlead.adapter.freenas;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.testkit.BoxController;
import dev.fairlead.adapter.freenas.testkit.CutSweep;
import dev.fairlead.adapter.freenas.testkit.LabScale;
import dev.fairlead.adapter.freenas.testkit.Protocol;
import dev.fairlead.adapter.freenas.testkit.WiredBox;
import dev.fairlead.simulator.failure.CallLog;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.crash.ControllerScenarios;
import dev.fairlead.testkit.crash.PublishScenarios;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every RPC whose connection is cut before and after each call to the box, which may take effect late all the same. */
@Execution(ExecutionMode.CONCURRENT)
class CutsOfCallsTest {
    @TempDir
    private Path folder = Path.of("/nowhere");

    /** All boxes, or those that {@code lab/truenas test} has named. */
    static Stream<Arguments> boxes() {
        return Stream.of(
                        Arguments.of(Profile.SCALE_24_10, Protocol.NFS, 1),
                        Arguments.of(Profile.V25_10, Protocol.NFS, 2),
                        Arguments.of(Profile.V26, Protocol.NFS, 3),
                        Arguments.of(Profile.V26_BETA, Protocol.SMB, 4),
                        Arguments.of(Profile.V25_10, Protocol.SMB, 5),
                        Arguments.of(Profile.SCALE_24_10, Protocol.ISCSI, 6),
                        Arguments.of(Profile.V25_10, Protocol.ISCSI, 7),
                        Arguments.of(Profile.V26, Protocol.ISCSI, 8),
                        Arguments.of(Profile.V25_10, Protocol.NVMEOF, 9),
                        Arguments.of(Profile.V26, Protocol.NVMEOF, 10))
                .filter(box -> LabScale.isWanted(box.get()[0] + "-" + box.get()[1]));
    }

    @ParameterizedTest
    @MethodSource("boxes")
    void the_repetition_of_a_call_that_was_cut_ends_as_a_clean_run_does(Profile profile, Protocol protocol, long seed)
            throws IOException {
        try (WiredBox box = WiredBox.start(profile, protocol, folder)) {
            box.makeParents();
            JsonObject empty = box.simulator().dump();
            var sweep =
                    new CutSweep(box.simulator(), new BoxController(box.simulator(), protocol), seed, LabScale.PERCENT);

            ControllerScenarios.all("pvc-1@snap-1").forEach(scenario -> sweep.survive(empty, scenario));
            PublishScenarios.all().forEach(scenario -> sweep.survive(empty, scenario));

            assertThat(sweep.differences()).isEmpty();
            assertThat(sweep.runs()).isPositive();
            assertThat(sweep.payloads().misfits()).isEmpty();
            if (!profile.before(Profile.V25_10_0)) { // older ones have few models, or none
                assertThat(sweep.payloads().fitting()).isPositive();
                assertThat(sweep.payloads().withoutModel()).noneMatch(CallLog::isChange);
            }
            System.out.printf(
                    "payloads, %s %s: %d fit the vendor's models, none does not; no model has %s%n",
                    profile,
                    protocol,
                    sweep.payloads().fitting(),
                    sweep.payloads().withoutModel());
            Files.writeString(
                    Path.of("target", "truenas-cuts"), // for the table of lab/truenas test
                    "%s %s %d %d %d%n"
                            .formatted(
                                    profile,
                                    protocol,
                                    sweep.runs(),
                                    LabScale.PERCENT,
                                    sweep.payloads().fitting()),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        }
    }
}
