package dev.fairlead.adapter.freenas;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.fairlead.adapter.freenas.testkit.FaultyBox;
import dev.fairlead.adapter.freenas.testkit.Protocol;
import dev.fairlead.simulator.Simulator;
import dev.fairlead.simulator.failure.CallLog;
import dev.fairlead.simulator.failure.Fault;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.model.Answer;
import dev.fairlead.testkit.model.Code;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A box with hundreds of exports of others, whose rows it tells in another order each time. */
@Execution(ExecutionMode.CONCURRENT)
class CrowdedBoxTest {
    private static final int OTHERS = 300;

    /** The members of rows that name another row by its number. */
    private static final Pattern NUMBERS = Pattern.compile("\"(id|target|extent|subsys_id|initiator)\":([1-9][0-9]*)");

    private static final List<String> TABLES = List.of(
            "nfs_share",
            "smb_share",
            "iscsi_target",
            "iscsi_extent",
            "iscsi_targetextent",
            "iscsi_initiator",
            "nvmet_subsys",
            "nvmet_namespace",
            "nvmet_port_subsys",
            "iscsi_portal",
            "nvmet_port");

    /** The addresses at which a box listens, and where a row says by which of them something is reached. */
    private static final Pattern LISTENING = Pattern.compile("\"(ip|addr_traddr)\":\"[^\"]*\"");

    private static final Pattern REACHED_BY = Pattern.compile("\"(portal|port_id)\":([0-9]+)");

    /** The questions for all rows of a table: what an administrator has set up, and names and ways of targets. */
    private static final Set<String> UNFILTERED =
            Set.of("iscsi.portal.query", "nvmet.port.query", "iscsi.target.query", "pool.query");

    @TempDir
    private Path folder = Path.of("/nowhere");

    /** Adds exports that are like those of the volume pvc-1, of datasets elsewhere in the pool. */
    private static void crowd(Simulator simulator) {
        JsonObject dump = simulator.dump();
        for (String table : TABLES) {
            JsonObject rows = dump.has(table) ? dump.getAsJsonObject(table) : new JsonObject();
            Map<String, JsonObject> more = new TreeMap<>();
            rows.asMap().values().forEach(row -> {
                for (int i = 0; i < OTHERS; i++) {
                    JsonObject other = other(row.toString(), i);
                    more.put(other.get("id").getAsString(), other);
                }
            });
            more.forEach(rows::add);
        }
        simulator.become(dump);
    }

    private static JsonObject other(String row, int number) {
        String text = row.replace("tank/k8s/v/pvc-1", "tank/others/o-" + number).replace("pvc-1", "other-" + number);
        String shifted = NUMBERS.matcher(text)
                .replaceAll(found ->
                        "\"" + found.group(1) + "\":" + (Long.parseLong(found.group(2)) + 1000L * (number + 1)));
        String elsewhere = LISTENING
                .matcher(shifted)
                .replaceAll(found -> "\"" + found.group(1) + "\":\"203.0.113." + (number % 250 + 1) + "\"");
        return JsonParser.parseString(elsewhere).getAsJsonObject();
    }

    /** Returns the rows of others, whole. */
    private static Map<String, String> others(Simulator simulator) {
        Map<String, String> rows = new TreeMap<>();
        JsonObject dump = simulator.dump();
        for (String table : TABLES) {
            if (dump.has(table)) {
                dump.getAsJsonObject(table).asMap().forEach((key, row) -> {
                    if (Long.parseLong(key) > 1000) {
                        rows.put(table + " " + key, row.toString());
                    }
                });
            }
        }
        return rows;
    }

    /** Checks that what is ours is reached by the portals and ports that the connection's file names, and no others. */
    private static void assertReachedByOurPorts(Simulator simulator, Map<String, String> others) {
        JsonObject dump = simulator.dump();
        for (String table : List.of("iscsi_target", "nvmet_port_subsys")) {
            if (dump.has(table)) {
                dump.getAsJsonObject(table).asMap().forEach((key, row) -> {
                    if (!others.containsKey(table + " " + key)) {
                        assertThat(REACHED_BY.matcher(row.toString()).results())
                                .as(row.toString())
                                .isNotEmpty()
                                .allMatch(found -> Long.parseLong(found.group(2)) <= 1000);
                    }
                });
            }
        }
    }

    private static boolean asksForAll(CallLog.Entry call) {
        return call.method().endsWith(".query")
                && (call.params().isEmpty()
                        || (call.params().get(0).isJsonArray()
                                && call.params().get(0).getAsJsonArray().isEmpty()));
    }

    private static void assertOk(Answer<?> answer) {
        assertThat(answer.code()).as(answer.message()).isEqualTo(Code.OK);
    }

    @ParameterizedTest
    @CsvSource({
        "SCALE_24_10, NFS",
        "V25_10, NFS",
        "V26, NFS",
        "SCALE_24_10, SMB",
        "V26, SMB",
        "SCALE_24_10, ISCSI",
        "V25_10, ISCSI",
        "V26, ISCSI",
        "V25_10, NVMEOF",
        "V26, NVMEOF"
    })
    void ours_are_found_and_nobody_elses_are_touched(Profile profile, Protocol protocol) {
        try (FaultyBox box = FaultyBox.start(profile, protocol, folder)) {
            assertOk(box.create("pvc-1"));
            box.publish("pvc-1", 1);
            crowd(box.simulator());
            Map<String, String> others = others(box.simulator());
            assertThat(others).hasSizeGreaterThanOrEqualTo(OTHERS);
            for (String methods : List.of("pool.*", "zfs.*", "sharing.*", "iscsi.*", "nvmet.*")) {
                box.simulator().fault(Fault.at(methods, new Fault.Shuffled()).always());
            }
            box.simulator().clearCalls();

            assertOk(box.create("pvc-1"));
            assertOk(box.create("pvc-2"));
            box.publish("pvc-1", 2);
            box.publish("pvc-2", 1);
            box.publish("pvc-2", 2);
            assertReachedByOurPorts(box.simulator(), others);
            assertOk(box.calls().expandVolume("v:nas/pvc-2", 2 * FaultyBox.GIB, 0));
            for (String name : List.of("pvc-2", "pvc-1")) {
                assertOk(box.delete(name));
                assertOk(box.delete(name));
            }

            assertThat(others(box.simulator())).isEqualTo(others);
            assertThat(box.box().rows())
                    .filteredOn(row -> !others.containsKey(row))
                    .containsExactlyInAnyOrderElementsOf(box.before());
            assertThat(box.simulator().calls())
                    .filteredOn(CrowdedBoxTest::asksForAll)
                    .extracting(CallLog.Entry::method)
                    .allMatch(UNFILTERED::contains);
            assertThat(box.simulator().calls()) // REST has no word for it
                    .filteredOn(call -> profile.since(Profile.V25_04)
                            && asksForAll(call)
                            && call.method().equals("iscsi.target.query"))
                    .allSatisfy(call -> assertThat(call.params().toString())
                            .as("a question for the names and ways of all targets")
                            .contains("\"select\":[\"id\",\"name\",\"groups\"]"));
        }
    }
}
