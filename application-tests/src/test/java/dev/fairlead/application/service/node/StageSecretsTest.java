package dev.fairlead.application.service.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.config.Secret;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The prefixes that democratic-csi knows before each key of a stage secret. */
class StageSecretsTest {
    private static final Map<String, String> CONTEXT =
            Map.of("provisioner_driver", "zfs-generic-iscsi", "provisioner_driver_instance_id", "nas");

    /** From the one that counts least to the one that counts most. */
    private static final List<String> PREFIXES =
            List.of("", "democratic-csi.org/", "democratic-csi.org/zfs-generic-iscsi/", "democratic-csi.org/nas/");

    private static final List<String> KEYS = List.of(
            "mount_flags",
            "node-db.node.session.auth.authmethod",
            "node-db.node.session.auth.username",
            "node-db.node.session.auth.password",
            "node-db.node.session.auth.username_in",
            "node-db.node.session.auth.password_in",
            "node-db.node.conn[0].timeo.noop_out_interval",
            "env.OBJECTIVEFS_LICENSE",
            "token");

    private static Map<String, String> plain(Map<String, String> secrets, Map<String, String> context) {
        Map<String, Secret> hidden = new TreeMap<>();
        secrets.forEach((key, text) -> hidden.put(key, new Secret(text)));
        Map<String, String> plain = new TreeMap<>();
        StageSecrets.plain(hidden, context).forEach((key, secret) -> plain.put(key, secret.reveal()));
        return plain;
    }

    static Stream<Arguments> every_key_is_read_with_every_prefix() {
        return PREFIXES.stream().flatMap(prefix -> KEYS.stream().map(key -> Arguments.of(prefix, key)));
    }

    @ParameterizedTest
    @MethodSource
    void every_key_is_read_with_every_prefix(String prefix, String key) {
        assertThat(plain(Map.of(prefix + key, "x"), CONTEXT)).isEqualTo(Map.of(key, "x"));
    }

    @Test
    void the_more_a_prefix_says_the_more_it_counts_whatever_the_order_of_the_secret() {
        for (int most = 1; most < PREFIXES.size(); most++) {
            Map<String, String> secrets = new TreeMap<>();
            PREFIXES.subList(0, most + 1).forEach(prefix -> secrets.put(prefix + "token", "by " + prefix));

            assertThat(plain(secrets, CONTEXT)).isEqualTo(Map.of("token", "by " + PREFIXES.get(most)));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "democratic-csi.org/freenas-nfs/token",
        "democratic-csi.org/other/token",
        "democratic-csi.org/nas/zfs-generic-iscsi/token",
        "democratic-csi.org/zfs-generic-iscsi/",
        "democratic-csi.org/"
    })
    void what_is_for_another_is_left_out(String key) {
        assertThat(plain(Map.of(key, "x"), CONTEXT)).isEmpty();
    }

    @Test
    void a_volume_without_an_instance_or_a_driver_reads_what_is_for_all() {
        Map<String, String> secrets = Map.of("democratic-csi.org/token", "x", "democratic-csi.org//mount_flags", "y");

        assertThat(plain(secrets, Map.of("provisioner_driver_instance_id", ""))).isEqualTo(Map.of("token", "x"));
    }

    @Test
    void other_keys_stay_as_they_are() {
        assertThat(plain(Map.of("password", "x", "example.org/key", "y"), CONTEXT))
                .isEqualTo(Map.of("password", "x", "example.org/key", "y"));
    }
}
