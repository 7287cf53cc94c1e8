package dev.fairlead.adapter.freenas.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.fairlead.adapter.freenas.store.snapshot.SnapshotEntry;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which answers to the creation of a snapshot spare the look at it: those that have all that a caller is told. */
class SnapshotEntryTest {
    private static final Map<String, String> SENT = Map.of("democratic-csi:managed_resource", "true");

    private static String property(String name, String raw, String source) {
        return "\"%s\": {\"rawvalue\": \"%s\", \"value\": \"%s\", \"source\": \"%s\"}"
                .formatted(name, raw, raw, source);
    }

    private static SnapshotEntry entry(String properties) {
        JsonObject row = JsonParser.parseString("{\"id\": \"tank/v/pvc-1@snap\", \"properties\": {" + properties + "}}")
                .getAsJsonObject();
        return SnapshotEntry.read(row).orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({
        "true, creation, volsize, true, LOCAL, true",
        "false, creation, referenced, true, LOCAL, true",
        // Without its size a volume would be restored that is as small as what the snapshot takes on the pool.
        "true, creation, referenced, true, LOCAL, false",
        "false, creation, used, true, LOCAL, false",
        "false, used, referenced, true, LOCAL, false",
        "false, creation, referenced, false, LOCAL, false",
        "false, creation, referenced, true, INHERITED, false"
    })
    void only_what_tells_time_size_and_marks_is_a_read_back(
            boolean isBlock, String first, String second, String mark, String source, boolean isEnough) {
        String marked = property("democratic-csi:managed_resource", mark, source);
        SnapshotEntry entry =
                entry(String.join(", ", property(first, "1", "NONE"), property(second, "65536", "NONE"), marked));

        assertThat(entry.tells(SENT, isBlock)).isEqualTo(isEnough);
    }
}
