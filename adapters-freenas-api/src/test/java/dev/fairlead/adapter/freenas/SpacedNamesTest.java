package dev.fairlead.adapter.freenas;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.fairlead.adapter.freenas.testkit.FaultyBox;
import dev.fairlead.adapter.freenas.testkit.Protocol;
import dev.fairlead.adapter.freenas.testkit.WiredConnection;
import dev.fairlead.simulator.SentPayloads;
import dev.fairlead.simulator.Simulator;
import dev.fairlead.simulator.StateRows;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.crash.OneConnectionFixture;
import dev.fairlead.testkit.model.Answer;
import dev.fairlead.testkit.model.Code;
import dev.fairlead.testkit.model.Facts;
import dev.fairlead.testkit.model.UseCaseCalls;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Volumes of a pool and a parent whose names have spaces, which a box writes as a plus in the names of devices. */
@Execution(ExecutionMode.CONCURRENT)
class SpacedNamesTest {
    private static final String FOLDER = "my tank/k8s apps";
    private static final String PARENT = FOLDER + "/v";
    private static final String VOLUME = "v:nas/pvc-1";

    @TempDir
    private Path folder = Path.of("/nowhere");

    private Simulator start(Profile profile) {
        Simulator simulator = Simulator.start(profile, folder);
        String dump = simulator.dump().toString().replace("\"tank\"", "\"my tank\"");
        simulator.become(JsonParser.parseString(dump).getAsJsonObject());
        make(simulator, FOLDER);
        make(simulator, PARENT);
        return simulator;
    }

    private static void make(Simulator simulator, String dataset) {
        var fields = new JsonObject();
        fields.addProperty("name", dataset);
        var arguments = new JsonArray();
        arguments.add(fields);
        var _ = simulator.call("pool.dataset.create", arguments);
    }

    private static OneConnectionFixture open(Simulator simulator, Protocol protocol) {
        WiredConnection opened = WiredConnection.openBelow(PARENT, simulator, protocol);
        return OneConnectionFixture.closed(protocol.driverType(), opened.store(), opened.exporter());
    }

    private static UseCaseCalls calls(OneConnectionFixture controller) {
        return new UseCaseCalls(controller.useCases(), OneConnectionFixture.ON_NAS);
    }

    private static <T> T ok(Answer<T> answer) {
        assertThat(answer.code()).as(answer.message()).isEqualTo(Code.OK);
        return answer.value().orElseThrow();
    }

    private static String shown(Simulator simulator, Protocol protocol) {
        return switch (protocol) {
            case NFS -> simulator.dump().getAsJsonObject("nfs_share").toString();
            case SMB -> simulator.dump().getAsJsonObject("smb_share").toString();
            case ISCSI -> simulator.dump().getAsJsonObject("iscsi_extent").toString();
            case NVMEOF -> simulator.dump().getAsJsonObject("nvmet_namespace").toString();
        };
    }

    @ParameterizedTest
    @CsvSource({
        "SCALE_24_10, NFS",
        "V25_10, NFS",
        "V26, NFS",
        "V25_10, SMB",
        "V26, SMB",
        "SCALE_24_10, ISCSI",
        "V25_10, ISCSI",
        "V26_BETA, ISCSI",
        "V26, ISCSI",
        "V25_10, NVMEOF",
        "V26, NVMEOF"
    })
    void a_volume_lives_there_and_leaves_nothing_behind(Profile profile, Protocol protocol) {
        try (Simulator simulator = start(profile);
                OneConnectionFixture controller = open(simulator, protocol)) {
            Set<String> before = StateRows.rows(simulator.dump());
            UseCaseCalls calls = calls(controller);

            Facts.Volume made = ok(calls.createVolume("pvc-1", FaultyBox.GIB, 0, Facts.Source.NONE));
            assertThat(shown(simulator, protocol))
                    .contains(
                            protocol.isBlock() ? "\"zvol/my+tank/k8s+apps/v/pvc-1\"" : "\"/mnt/" + PARENT + "/pvc-1\"");
            FaultyBox.publish(controller.useCases(), "pvc-1", 1);
            Set<String> there = StateRows.rows(simulator.dump());
            assertThat(ok(calls.createVolume("pvc-1", FaultyBox.GIB, 0, Facts.Source.NONE)))
                    .isEqualTo(made);
            FaultyBox.publish(controller.useCases(), "pvc-1", 1);
            assertThat(StateRows.rows(simulator.dump())).isEqualTo(there);
            assertThat(simulator.broken()).isEmpty();
            assertThat(ok(calls.listVolumes(Optional.empty(), 0)).items()).hasSize(1);
            assertThat(ok(calls.expandVolume(VOLUME, 2 * FaultyBox.GIB, 0))).isEqualTo(2 * FaultyBox.GIB);
            String snapshot = ok(calls.createSnapshot("snap-1", VOLUME)).id();
            var _ = ok(calls.createVolume(
                    "pvc-2", 2 * FaultyBox.GIB, 0, new Facts.Source(Facts.Source.Kind.SNAPSHOT, snapshot)));

            for (String name : new String[] {"pvc-2", "pvc-1"}) {
                if (name.equals("pvc-1")) {
                    var _ = ok(calls.deleteSnapshot(snapshot));
                }
                var _ = ok(calls.deleteVolume("v:nas/" + name));
                var _ = ok(calls.deleteVolume("v:nas/" + name));
            }
            assertThat(StateRows.rows(simulator.dump())).isEqualTo(before);
            var _ = SentPayloads.verify(simulator);
        }
    }

    @Test
    void a_namespace_that_others_have_made_by_a_name_with_spaces_is_found_and_goes_with_its_volume() {
        try (Simulator simulator = start(Profile.V25_10);
                OneConnectionFixture controller = open(simulator, Protocol.NVMEOF)) {
            Set<String> before = StateRows.rows(simulator.dump());
            var _ = ok(calls(controller).createVolume("pvc-1", FaultyBox.GIB, 0, Facts.Source.NONE));
            String key = simulator
                    .dump()
                    .getAsJsonObject("nvmet_namespace")
                    .keySet()
                    .iterator()
                    .next();
            simulator.tamper("nvmet_namespace", key, row -> {
                row.addProperty("device_path", "zvol/" + PARENT + "/pvc-1");
                return row;
            });

            FaultyBox.publish(controller.useCases(), "pvc-1", 1);
            assertThat(simulator.dump().getAsJsonObject("nvmet_namespace").keySet())
                    .containsExactly(key);
            var _ = ok(calls(controller).deleteVolume(VOLUME));

            assertThat(StateRows.rows(simulator.dump())).isEqualTo(before);
        }
    }
}
