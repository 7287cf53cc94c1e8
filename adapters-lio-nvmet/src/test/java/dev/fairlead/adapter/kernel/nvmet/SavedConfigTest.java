package dev.fairlead.adapter.kernel.nvmet;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SavedConfigTest {
    private static final Subsystem OURS = subsystem("pvc-1");
    private static final NvmeIdentity IDENTITY = new NvmeIdentity("u-1", "n-1", "s-1");

    /** As nvmetcli writes it, with what it does not know: a key of the user, numbers of odd forms. */
    private static final String OTHERS = """
            {
              "comment": "l'été <b>",
              "hosts": [
                {
                  "nqn": "nqn.2014-08.org.nvmexpress:uuid:1"
                }
              ],
              "ports": [
                {
                  "addr": {
                    "adrfam": "ipv4",
                    "traddr": "10.0.0.9",
                    "treq": "not specified",
                    "trsvcid": "4420",
                    "trtype": "tcp"
                  },
                  "ana_groups": [
                    {
                      "ana": {
                        "state": "optimized"
                      },
                      "grpid": 1
                    }
                  ],
                  "param": {
                    "inline_data_size": "16384"
                  },
                  "portid": 1,
                  "referrals": [],
                  "subsystems": [
                    "other"
                  ]
                }
              ],
              "subsystems": [
                {
                  "allowed_hosts": [
                    "nqn.2014-08.org.nvmexpress:uuid:1"
                  ],
                  "attr": {
                    "allow_any_host": "0",
                    "serial": "a5"
                  },
                  "namespaces": [
                    {
                      "ana_grpid": 1e0,
                      "device": {
                        "path": "/dev/sdz"
                      },
                      "enable": 1,
                      "nsid": 1.0000000000000000001
                    }
                  ],
                  "nqn": "other",
                  "spare": null
                }
              ]
            }
            """;

    private static Subsystem subsystem(String name) {
        return new Subsystem(
                "nqn.2003-01.org.example:" + name,
                "/dev/zvol/tank/v/" + name,
                Map.of("allow_any_host", "1"),
                List.of("1"));
    }

    private static SavedConfig others() {
        return SavedConfig.read(OTHERS).orElseThrow();
    }

    @Test
    void what_is_read_is_written_word_for_word() {
        assertThat(others().text()).isEqualTo(OTHERS);
    }

    @Test
    void entries_of_others_survive_word_for_word() {
        SavedConfig with = others().with(OURS, IDENTITY, Map.of());

        assertThat(with.text().lines())
                .containsSubsequence(OTHERS.lines().limit(29).toList());
        assertThat(with.text()).contains("1.0000000000000000001").contains("\"spare\": null");
        assertThat(with.without(OURS.nqn(), OURS.device()).text()).isEqualTo(OTHERS);
    }

    /** What nvmetcli's restore reads. */
    @Test
    void a_subsystem_is_saved_as_nvmetcli_saves_it() {
        JsonObject saved = JsonParser.parseString(
                        others().with(OURS, IDENTITY, Map.of()).text())
                .getAsJsonObject();

        assertThat(saved.getAsJsonArray("subsystems").get(1)).isEqualTo(JsonParser.parseString("""
                        {"allowed_hosts": [],
                         "attr": {"allow_any_host": "1", "serial": "s-1"},
                         "namespaces": [{"device": {"nguid": "n-1", "path": "/dev/zvol/tank/v/pvc-1", "uuid": "u-1"},
                                         "enable": 1, "nsid": 1}],
                         "nqn": "nqn.2003-01.org.example:pvc-1"}"""));
        assertThat(saved.getAsJsonArray("ports").get(0).getAsJsonObject().get("subsystems"))
                .isEqualTo(JsonParser.parseString("[\"other\", \"nqn.2003-01.org.example:pvc-1\"]"));
    }

    @Test
    void saving_twice_is_saving_once() {
        SavedConfig once = others().with(OURS, IDENTITY, Map.of());

        assertThat(once.with(OURS, IDENTITY, Map.of())).isEqualTo(once);
        assertThat(once.identity(OURS.nqn(), OURS.identity())).isEqualTo(IDENTITY);
    }

    @Test
    void keys_that_others_gave_our_entry_stay_there() {
        String more =
                others().with(OURS, IDENTITY, Map.of()).text().replace("\"nsid\": 1\n", "\"nsid\": 1, \"x\": 2\n");
        SavedConfig changed = SavedConfig.read(more).orElseThrow();

        assertThat(changed.with(OURS, IDENTITY, Map.of())).isEqualTo(changed);
    }

    @Test
    void a_port_that_was_never_saved_is_saved_as_it_is() {
        NvmetReport report = NvmetReport.read("""
                port/2/addr_trtype\ttcp
                port/2/addr_traddr\t10.0.0.1
                port/2/param_inline_data_size\t16384
                port/2/ana_groups/1/ana_state\toptimized
                port/2/referrals/r/addr_traddr\t10.0.0.2
                port/2/referrals/r/enable\t1
                """);
        Subsystem both = new Subsystem(OURS.nqn(), OURS.device(), OURS.attributes(), List.of("1", "2"));

        JsonObject saved = JsonParser.parseString(
                        others().with(both, IDENTITY, report.ports()).text())
                .getAsJsonObject();

        assertThat(saved.getAsJsonArray("ports").get(1)).isEqualTo(JsonParser.parseString("""
                        {"addr": {"traddr": "10.0.0.1", "trtype": "tcp"},
                         "ana_groups": [{"grpid": 1, "ana": {"state": "optimized"}}],
                         "param": {"inline_data_size": "16384"},
                         "portid": 2,
                         "referrals": [{"name": "r", "addr": {"traddr": "10.0.0.2"}, "enable": 1}],
                         "subsystems": ["nqn.2003-01.org.example:pvc-1"]}"""));
    }

    @Test
    void a_subsystem_goes_also_by_the_device_alone_and_none_that_shows_another_does() {
        SavedConfig with = others().with(OURS, IDENTITY, Map.of());

        assertThat(with.without("", OURS.device())).isEqualTo(others());
        assertThat(with.without("other", OURS.device())).isEqualTo(others());
        assertThat(with.without(OURS.nqn(), "/dev/zvol/tank/v/pvc-2")).isEqualTo(with);
    }

    @Test
    void a_name_that_shows_another_device_is_told() {
        assertThat(others().foreign("other", OURS.device())).contains("/dev/sdz");
        assertThat(others().foreign("other", "/dev/sdz")).isEmpty();
        assertThat(others().foreign(OURS.nqn(), OURS.device())).isEmpty();
        assertThat(others().hasOthers("other")).isFalse();
        assertThat(others().hasOthers(OURS.nqn())).isTrue();
        assertThat(SavedConfig.empty().hasOthers(OURS.nqn())).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "{",
                "x",
                "{\"subsystems\": {}}",
                "{\"ports\": 1}",
                "{'hosts': []}",
                "{\"subsystems\": []} trailing"
            })
    void what_nvmetcli_cannot_have_saved_is_not_taken_for_it(String text) {
        assertThat(SavedConfig.read(text)).isEmpty();
    }

    @Test
    void an_empty_file_is_an_empty_configuration() {
        assertThat(SavedConfig.read(" \n")).isEqualTo(Optional.of(SavedConfig.empty()));
    }

    @Test
    void depth_does_not_overflow() {
        assertThat(SavedConfig.read("{\"subsystems\": " + "[".repeat(50_000))).isEmpty();
    }
}
