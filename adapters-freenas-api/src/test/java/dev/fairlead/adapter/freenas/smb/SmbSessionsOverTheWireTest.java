package dev.fairlead.adapter.freenas.smb;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.testkit.FaultyBox;
import dev.fairlead.adapter.freenas.testkit.Protocol;
import dev.fairlead.simulator.failure.Fault;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.model.Code;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How a box is asked over the wire who uses a share, by an RPC that shuts a node out. */
@Execution(ExecutionMode.CONCURRENT)
class SmbSessionsOverTheWireTest {
    private static final String STATUS = "smb.status";
    private static final String NODE = "198.51.100.";

    @TempDir
    private Path folder = Path.of("/nowhere");

    /** Starts a box whose volume is published to two nodes, of which the second uses it. */
    private FaultyBox used(Profile profile) {
        FaultyBox box = FaultyBox.start(profile, Protocol.SMB, folder);
        assertThat(box.create("pvc-1").code()).isEqualTo(Code.OK);
        box.publish("pvc-1", 1);
        box.publish("pvc-1", 2);
        String share = table(box, "smb_share").getFirst().get("name").getAsString();
        box.simulator().connect(share, NODE + 2);
        box.controllers().wait(Duration.ofHours(1)); // until no process before this one has to be thought of
        box.simulator().clearCalls();
        return box;
    }

    private static List<JsonObject> table(FaultyBox box, String table) {
        return box.simulator().dump().getAsJsonObject(table).asMap().values().stream()
                .map(row -> row.getAsJsonObject())
                .toList();
    }

    private static void unpublish(FaultyBox box, int node) {
        String id =
                "n=node-%1$d/i1=node-%1$d/vu=00000000-0000-4000-8000-00000000000%1$d/a=198.51.100.%1$d".formatted(node);
        box.controller().useCases().unpublishVolume().unpublish("v:nas/pvc-1", Optional.of(id), TestWork.patient());
    }

    private static void assertLetIn(FaultyBox box, int node, boolean isIn) {
        String share = table(box, "smb_share").getFirst().get("name").getAsString();
        assertThat(box.simulator().<Boolean>admission(admission -> admission.smb(share, NODE + node)))
                .isEqualTo(isIn);
    }

    @ParameterizedTest
    @EnumSource(names = {"SCALE_24_10", "V25_04", "V26_BETA", "V26", "V27"})
    void a_node_that_has_unmounted_is_shut_out_without_a_break_for_the_others(Profile profile) {
        try (FaultyBox box = used(profile)) {
            unpublish(box, 1);

            assertThat(box.simulator().calls())
                    .filteredOn(call -> call.method().equals(STATUS))
                    .isNotEmpty()
                    .allSatisfy(call -> assertThat(call.outcome()).isEqualTo("ok"));
            assertThat(table(box, "smb_session")).hasSize(1);
            assertLetIn(box, 1, false);
            assertLetIn(box, 2, true);
        }
    }

    @Test
    void a_box_that_does_not_answer_holds_nobody_up_for_long() {
        try (FaultyBox box = used(Profile.V26)) {
            box.fault(STATUS, new Fault.Silent());
            Instant begin = Instant.now();

            unpublish(box, 1);

            assertThat(Duration.between(begin, Instant.now())).isLessThan(Duration.ofSeconds(20));
            assertThat(table(box, "smb_session")).isEmpty();
            assertLetIn(box, 1, false);
            assertLetIn(box, 2, true);
        }
    }
}
