package dev.fairlead.adapter.freenas;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.testkit.BoxController;
import dev.fairlead.adapter.freenas.testkit.CutSweep;
import dev.fairlead.adapter.freenas.testkit.LabScale;
import dev.fairlead.adapter.freenas.testkit.Protocol;
import dev.fairlead.adapter.freenas.testkit.WiredBox;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.crash.ControllerScenarios;
import dev.fairlead.testkit.crash.PublishScenarios;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every RPC whose connection is cut before and after each call to the box, which may take effect late all the same. */
class CutsOfCallsTest {
    @TempDir
    private Path folder = Path.of("/nowhere");

    @ParameterizedTest
    @CsvSource({
        "SCALE_24_10, NFS, 1",
        "V25_10, NFS, 2",
        "V26, NFS, 3",
        "V26_BETA, SMB, 4",
        "V25_10, SMB, 5",
        "SCALE_24_10, ISCSI, 6",
        "V25_10, ISCSI, 7",
        "V26, ISCSI, 8",
        "V25_10, NVMEOF, 9",
        "V26, NVMEOF, 10",
    })
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
            Files.writeString(
                    Path.of("target", "truenas-cuts"), // for the table of lab/truenas test
                    profile + " " + protocol + " " + sweep.runs() + "\n",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        }
    }
}
