package dev.fairlead.adapter.linstor.replica;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which replica has data. */
class ReplicaTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "DISKLESS",
                "DRBD_DISKLESS",
                "TIE_BREAKER",
                "DELETE",
                "DRBD_DELETE",
                "NVME_INITIATOR",
                "EBS_INITIATOR",
                "FAILED_DEPLOYMENT",
                "FAILED_DISCONNECT"
            })
    void a_flag_that_denies_data_wins_over_a_disk_that_is_up_to_date(String flag) {
        assertThat(drbd("\"" + flag + "\"", "UpToDate").dataOf(0, true)).isEqualTo(Replica.Evidence.ABSENT);
        assertThat(drbd("\"" + flag + "\"", "UpToDate").dataOf(0, false)).isEqualTo(Replica.Evidence.ABSENT);
    }

    @Test
    void a_replica_that_is_moved_away_counts_until_it_is_gone() {
        assertThat(drbd("\"EVACUATE\"", "UpToDate").dataOf(0, true)).isEqualTo(Replica.Evidence.PRESENT);
        assertThat(drbd("\"DELETE\", \"EVACUATE\"", "UpToDate").dataOf(0, true)).isEqualTo(Replica.Evidence.ABSENT);
    }

    @ParameterizedTest
    @CsvSource({
        "UpToDate,PRESENT",
        "Diskless,ABSENT",
        "Inconsistent,ABSENT",
        "SyncTarget,ABSENT",
        "Outdated,ABSENT",
        "Failed,ABSENT",
        "DUnknown,NOT_TOLD",
        "'',NOT_TOLD"
    })
    void a_disk_without_flags_counts_if_it_is_up_to_date(String state, Replica.Evidence expected) {
        assertThat(drbd("", state).dataOf(0, true)).isEqualTo(expected);
    }

    @Test
    void an_offline_node_says_nothing_new_even_if_its_disk_still_has_a_state() {
        assertThat(drbd("", "UpToDate").dataOf(0, false)).isEqualTo(Replica.Evidence.NOT_TOLD);
    }

    @Test
    void plain_storage_has_a_device_instead_of_a_state() {
        assertThat(plain("\"device_path\": \"/dev/loop3\",").dataOf(0, true)).isEqualTo(Replica.Evidence.PRESENT);
        assertThat(plain("").dataOf(0, true)).isEqualTo(Replica.Evidence.ABSENT);
        assertThat(plain("").dataOf(0, false)).isEqualTo(Replica.Evidence.NOT_TOLD);
    }

    @Test
    void each_volume_has_a_disk_of_its_own() {
        assertThat(drbd("", "UpToDate").dataOf(1, true)).isEqualTo(Replica.Evidence.NOT_TOLD);
    }

    @Test
    void drbd_below_another_layer_is_drbd() {
        String entry = """
                {"name": "v", "node_name": "n", "layer_object": {"type": "LUKS", "children": [{"type": "DRBD"}]},
                 "volumes": [{"volume_number": 0, "device_path": "/dev/x"}]}""";

        assertThat(read(entry).dataOf(0, true)).isEqualTo(Replica.Evidence.NOT_TOLD);
    }

    @Test
    void an_entry_that_names_no_node_is_no_replica() {
        assertThat(Replica.of(JsonParser.parseString("{\"name\": \"v\"}").getAsJsonObject()))
                .isEmpty();
    }

    private static Replica drbd(String flags, String state) {
        String shown = state.isEmpty() ? "" : ", \"state\": {\"disk_state\": \"" + state + "\"}";
        return read("""
                {"name": "v", "node_name": "n", "uuid": "u", "flags": [%s], "layer_object": {"type": "DRBD"},
                 "volumes": [{"volume_number": 0, "device_path": "/dev/drbd1000"%s}]}""".formatted(flags, shown));
    }

    private static Replica plain(String device) {
        return read("""
                {"name": "v", "node_name": "n", "uuid": "u", "layer_object": {"type": "STORAGE"}, "state": {},
                 "volumes": [{%s "volume_number": 0}]}""".formatted(device));
    }

    private static Replica read(String entry) {
        return Replica.of(JsonParser.parseString(entry).getAsJsonObject()).orElseThrow();
    }
}
