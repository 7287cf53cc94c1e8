package dev.fairlead.adapter.freenas.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.testkit.FaultyBox;
import dev.fairlead.adapter.freenas.testkit.Protocol;
import dev.fairlead.simulator.Simulator;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.Until;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.model.Answer;
import dev.fairlead.testkit.model.Code;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is told over the wire while the service of a box is off. */
@Execution(ExecutionMode.CONCURRENT)
class ServiceOffTest {
    @TempDir
    private Path folder = Path.of("/nowhere");

    private static void set(Simulator box, String service, String state) {
        box.dump().getAsJsonObject("service").asMap().forEach((key, row) -> {
            if (row.getAsJsonObject().get("service").getAsString().equals(service)) {
                box.tamper("service", key, old -> {
                    JsonObject changed = old.deepCopy();
                    changed.addProperty("state", state);
                    return changed;
                });
            }
        });
    }

    private static List<String> told(FaultyBox box) {
        return box.box()
                .exporter()
                .accessReview()
                .orElseThrow()
                .review(TestWork.patient())
                .troubles();
    }

    @ParameterizedTest
    @CsvSource({
        "SCALE_24_10, NFS, nfs",
        "V25_10, SMB, cifs",
        "V26, ISCSI, iscsitarget",
        "V25_10, NVMEOF, nvmet",
        "V26, NFS, nfs"
    })
    void no_volume_is_said_to_be_usable_and_the_check_of_connections_tells_it(
            Profile profile, Protocol protocol, String service) {
        try (FaultyBox box = FaultyBox.start(profile, protocol, folder)) {
            assertThat(told(box)).isEmpty();
            set(box.simulator(), service, "STOPPED");

            Answer<?> answer = box.create("pvc-1");

            assertThat(answer.code()).as(answer.message()).isEqualTo(Code.UNAVAILABLE);
            assertThat(answer.message()).contains("connection box", "service of the box is off", "start it");
            assertThat(told(box)).singleElement().asString().contains("service of the box is off");
            set(box.simulator(), service, "RUNNING");
            Until.holds(() -> box.create("pvc-1").code() == Code.OK);
            set(box.simulator(), service, "STOPPED");
            box.verifyDeletion("pvc-1");
        }
    }
}
