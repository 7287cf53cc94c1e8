package dev.fairlead.adapter.freenas.iscsi;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.testkit.FaultyBox;
import dev.fairlead.adapter.freenas.testkit.Protocol;
import dev.fairlead.adapter.freenas.testkit.WiredConnection;
import dev.fairlead.simulator.Simulator;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.crash.OneConnectionFixture;
import dev.fairlead.testkit.model.Answer;
import dev.fairlead.testkit.model.Code;
import dev.fairlead.testkit.model.Facts;
import dev.fairlead.testkit.model.UseCaseCalls;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A target of which an administrator, or a call that was cut, has left a part alone: each RPC finds it and sets it
 * right.
 */
@Execution(ExecutionMode.CONCURRENT)
class HalfMadeTargetTest {
    private static final String LINKS = "iscsi_targetextent";
    private static final String TARGETS = "iscsi_target";

    @TempDir
    private Path folder = Path.of("/nowhere");

    private static void damage(Simulator simulator, String part) {
        switch (part) {
            case "link" -> remove(simulator, LINKS);
            case "target" -> {
                remove(simulator, LINKS);
                remove(simulator, TARGETS);
            }
            case "groups" ->
                simulator.tamper(TARGETS, keys(simulator, TARGETS).iterator().next(), row -> {
                    row.add("groups", new JsonArray());
                    return row;
                });
            default -> throw new IllegalArgumentException(part);
        }
    }

    private static void remove(Simulator simulator, String table) {
        keys(simulator, table).forEach(key -> simulator.tamper(table, key, _ -> new JsonObject()));
    }

    private static Set<String> keys(Simulator simulator, String table) {
        return Set.copyOf(simulator.dump().getAsJsonObject(table).keySet());
    }

    private static boolean lets(Simulator simulator, String node) {
        String target = simulator
                .dump()
                .getAsJsonObject(TARGETS)
                .asMap()
                .values()
                .iterator()
                .next()
                .getAsJsonObject()
                .get("name")
                .getAsString();
        return simulator.admission(admission -> admission.iscsi(target, "iqn.1993-08.org.debian:01:" + node));
    }

    private static void assertPublished(FaultyBox box) {
        assertThat(box.simulator().broken()).isEmpty();
        assertThat(keys(box.simulator(), TARGETS)).hasSize(1);
        assertThat(lets(box.simulator(), "node-1")).isTrue();
        assertThat(lets(box.simulator(), "node-2")).isFalse();
    }

    private FaultyBox published(Profile profile, String part) {
        FaultyBox box = FaultyBox.start(profile, Protocol.ISCSI, folder.resolve(part));
        assertThat(box.create("pvc-1").code()).isEqualTo(Code.OK);
        box.publish("pvc-1", 1);
        assertPublished(box);
        return box;
    }

    @ParameterizedTest
    @EnumSource(names = {"SCALE_24_10", "V25_10", "V26"})
    void the_repetition_of_a_creation_makes_what_is_missing(Profile profile) {
        for (String part : new String[] {"link", "target"}) {
            try (FaultyBox box = FaultyBox.start(profile, Protocol.ISCSI, folder.resolve(part))) {
                assertThat(box.create("pvc-1").code()).isEqualTo(Code.OK);
                damage(box.simulator(), part);
                assertThat(box.simulator().broken()).as(part).isNotEmpty();

                Answer<?> again = box.create("pvc-1");

                assertThat(again.code()).as(again.message()).isEqualTo(Code.OK);
                assertThat(box.simulator().broken()).as(part).isEmpty();
                assertThat(keys(box.simulator(), TARGETS)).hasSize(1);
                box.verifyDeletion("pvc-1");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SCALE_24_10", "V25_10", "V26"})
    void the_repetition_of_a_creation_opens_the_target_of_an_open_volume_again(Profile profile) {
        try (FaultyBox box = FaultyBox.start(profile, Protocol.ISCSI, folder)) {
            WiredConnection opened = WiredConnection.open(box.simulator(), Protocol.ISCSI);
            try (OneConnectionFixture open =
                    OneConnectionFixture.files(Protocol.ISCSI.driverType(), opened.store(), opened.exporter())) {
                var calls = new UseCaseCalls(open.useCases(), OneConnectionFixture.ON_NAS);
                for (String part : new String[] {"", "groups", "link", "target"}) {
                    if (!part.isEmpty()) {
                        damage(box.simulator(), part);
                    }
                    Answer<?> made = calls.createVolume("pvc-1", FaultyBox.GIB, 0, Facts.Source.NONE);
                    assertThat(made.code()).as(made.message()).isEqualTo(Code.OK);
                    assertThat(lets(box.simulator(), "node-7")).as(part).isTrue();
                    assertThat(box.simulator().broken()).as(part).isEmpty();
                }
            }
            box.verifyDeletion("pvc-1");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SCALE_24_10", "V25_10", "V26"})
    void a_publication_makes_what_is_missing_and_lets_its_node_in_alone(Profile profile) {
        for (String part : new String[] {"link", "groups", "target"}) {
            try (FaultyBox box = published(profile, part)) {
                damage(box.simulator(), part);

                box.publish("pvc-1", 1);

                assertPublished(box);
                box.verifyDeletion("pvc-1");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SCALE_24_10", "V25_10", "V26"})
    void a_deletion_clears_what_is_left(Profile profile) {
        for (String part : new String[] {"link", "groups", "target"}) {
            try (FaultyBox box = published(profile, part)) {
                damage(box.simulator(), part);

                box.verifyDeletion("pvc-1");

                assertThat(box.simulator().broken()).as(part).isEmpty();
            }
        }
    }
}
