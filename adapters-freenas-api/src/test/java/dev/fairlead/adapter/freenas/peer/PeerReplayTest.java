package dev.fairlead.adapter.freenas.peer;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.fairlead.adapter.freenas.testkit.Protocol;
import dev.fairlead.adapter.freenas.testkit.WiredBox;
import dev.fairlead.application.port.in.ControllerUseCases;
import dev.fairlead.application.port.in.list.ListSnapshots;
import dev.fairlead.application.port.in.snapshot.SnapshotView;
import dev.fairlead.application.port.in.volume.Source;
import dev.fairlead.application.port.in.volume.VolumeView;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.crash.OneConnectionFixture;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the requests of democratic-csi have made is Fairlead's to use, and what Fairlead makes is the same. */
class PeerReplayTest {
    private static final String THEIRS = "pvc-theirs";
    private static final String OURS = "pvc-ours";
    private static final String CONTEXT = "csi_share_volume_context";
    private static final Pattern ROW = Pattern.compile("democratic-csi:freenas_.*_id");
    private static final List<String> NUMBERS_AND_WORDS_OF_THE_BOX =
            List.of("id", "target", "extent", "serial", "naa", "vuid", "rel_tgt_id");

    /**
     * What Fairlead says otherwise: comments name it, a share of SMB has the purpose that takes hosts, and a target
     * lets in the groups of the file, which has none here.
     */
    private static final List<String> OWN = List.of("comment", "purpose", "options", "groups");

    private static final long SIZE = 1L << 30;

    @TempDir
    private Path folder = Path.of("/nowhere");

    static Stream<Arguments> cells() {
        return Arrays.stream(Profile.values())
                .filter(profile -> profile.since(Profile.SCALE_24_10) && profile.rest())
                .flatMap(profile -> Stream.of(Protocol.NFS, Protocol.SMB, Protocol.ISCSI)
                        .map(protocol -> Arguments.of(profile, protocol)));
    }

    @ParameterizedTest
    @MethodSource("cells")
    void what_it_made_is_listed_grown_snapshotted_and_deleted(Profile profile, Protocol protocol) {
        try (WiredBox box = WiredBox.start(profile, protocol, folder);
                OneConnectionFixture fairlead = fairlead(box, protocol)) {
            ControllerUseCases calls = fairlead.useCases();
            box.makeParents();
            Set<String> before = box.rows();
            var peer = new PeerRequests(box.simulator(), profile, protocol);
            peer.createVolume(THEIRS, SIZE);
            peer.createSnapshot(THEIRS, "snapshot-theirs");

            VolumeView volume = only(calls.listVolumes()
                    .list(Optional.empty(), 0, TestWork.patient())
                    .items());
            assertThat(volume.handle()).isEqualTo("v:nas/" + THEIRS);
            assertThat(volume.capacity().bytes()).isEqualTo(SIZE);
            Map<String, String> answered = context(box, THEIRS);
            answered.put("provisioner_driver", protocol.driverType());
            answered.put("provisioner_driver_instance_id", "i-1");
            assertThat(withoutBlanks(volume.context())).containsAllEntriesOf(withoutBlanks(answered));
            assertThat(create(fairlead, THEIRS)).isEqualTo(volume);
            assertThat(calls.expandVolume()
                            .expand(volume.handle(), CapacityRange.of(2 * SIZE, 0), TestWork.patient())
                            .capacity()
                            .bytes())
                    .isEqualTo(2 * SIZE);
            String own = snapshot(calls, volume, "snapshot-ours");
            String theirs = snapshot(calls, volume, "snapshot-theirs");
            assertThat(calls.listSnapshots()
                            .list(
                                    new ListSnapshots.Query(Optional.empty(), Optional.empty(), Optional.empty(), 0),
                                    TestWork.patient())
                            .items())
                    .extracting(SnapshotView::handle)
                    .containsExactlyInAnyOrder(own, theirs);
            String at = WiredBox.PARENT + "/" + THEIRS + "@snapshot-";
            assertThat(likened(box.properties(at + "ours"))).isEqualTo(likened(box.properties(at + "theirs")));

            calls.deleteSnapshot().delete(own, TestWork.patient());
            calls.deleteSnapshot().delete(theirs, TestWork.patient());
            calls.deleteVolume().delete(volume.handle(), TestWork.patient());

            assertThat(box.rows()).isEqualTo(before);
        }
    }

    @ParameterizedTest
    @MethodSource("cells")
    void what_fairlead_makes_has_the_same_properties_and_exports_key_by_key(Profile profile, Protocol protocol) {
        try (WiredBox box = WiredBox.start(profile, protocol, folder);
                OneConnectionFixture fairlead = fairlead(box, protocol)) {
            box.makeParents();
            new PeerRequests(box.simulator(), profile, protocol).createVolume(THEIRS, SIZE);

            create(fairlead, OURS);

            assertThat(likened(box.properties(WiredBox.PARENT + "/" + OURS)))
                    .isEqualTo(likened(box.properties(WiredBox.PARENT + "/" + THEIRS)));
            assertThat(withoutBlanks(context(box, OURS)).toString().replace(OURS, "NAME"))
                    .isEqualTo(withoutBlanks(context(box, THEIRS)).toString().replace(THEIRS, "NAME"));
            JsonObject dump = box.simulator().dump();
            assertThat(dataset(dump, OURS)).isEqualTo(dataset(dump, THEIRS));
            List<String> tables = protocol == Protocol.ISCSI
                    ? List.of("iscsi_target", "iscsi_extent", "iscsi_targetextent")
                    : List.of(protocol.name().toLowerCase(Locale.ROOT) + "_share");
            for (String table : tables) {
                List<JsonObject> rows = rows(dump, table);
                assertThat(rows).as(table).hasSize(2);
                assertThat(rows.getLast()).as(table).isEqualTo(rows.getFirst());
            }
        }
    }

    private static OneConnectionFixture fairlead(WiredBox box, Protocol protocol) {
        return OneConnectionFixture.files(protocol.driverType(), box.store(), box.exporter());
    }

    private static VolumeView create(OneConnectionFixture fairlead, String name) {
        return fairlead.create(name, CapacityRange.of(SIZE, 0), Source.NONE, Map.of());
    }

    private static String snapshot(ControllerUseCases calls, VolumeView volume, String name) {
        return calls.takeSnapshot()
                .take(new CsiName(name), volume.handle(), Map.of(), TestWork.patient())
                .handle();
    }

    private static VolumeView only(List<VolumeView> all) {
        assertThat(all).hasSize(1);
        return all.getFirst();
    }

    private static Map<String, String> context(WiredBox box, String name) {
        Map<String, String> context = new TreeMap<>();
        JsonParser.parseString(
                        box.properties(WiredBox.PARENT + "/" + name).getOrDefault("democratic-csi:" + CONTEXT, "{}"))
                .getAsJsonObject()
                .asMap()
                .forEach((key, value) -> context.put(key, value.getAsString()));
        return context;
    }

    private static Map<String, String> withoutBlanks(Map<String, String> context) {
        Map<String, String> rest = new TreeMap<>(context);
        rest.values().removeIf(String::isEmpty);
        return rest;
    }

    /** Returns what democratic-csi keeps of a volume or snapshot, with the same word for its name and its numbers. */
    private static Map<String, String> likened(Map<String, String> properties) {
        Map<String, String> all = new TreeMap<>(properties);
        all.keySet().removeIf(key -> key.startsWith("dev.fairlead:") || key.endsWith(CONTEXT));
        all.replaceAll((key, value) -> ROW.matcher(key).matches()
                ? "number"
                : value.replace(THEIRS, "NAME").replace(OURS, "NAME").replaceAll("snapshot-(ours|theirs)", "SNAPSHOT"));
        return all;
    }

    private static JsonElement dataset(JsonObject dump, String name) {
        JsonObject row = dump.getAsJsonObject("dataset").getAsJsonObject(WiredBox.PARENT + "/" + name);
        return row.get("props");
    }

    /** Returns the rows of a table by their age, with the same word for names and numbers. */
    private static List<JsonObject> rows(JsonObject dump, String table) {
        return dump.getAsJsonObject(table).asMap().values().stream()
                .map(row -> likened(row.getAsJsonObject()))
                .toList();
    }

    private static JsonObject likened(JsonObject row) {
        JsonObject liked = JsonParser.parseString(
                        row.toString().replace(THEIRS, "NAME").replace(OURS, "NAME"))
                .getAsJsonObject();
        NUMBERS_AND_WORDS_OF_THE_BOX.forEach(liked::remove);
        OWN.forEach(liked::remove);
        return liked;
    }
}
