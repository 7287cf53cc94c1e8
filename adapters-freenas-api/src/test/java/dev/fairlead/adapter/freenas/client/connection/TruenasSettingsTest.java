package dev.fairlead.adapter.freenas.client.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.ConfigValue;
import dev.fairlead.application.config.ConfigValue.Mapping;
import dev.fairlead.application.config.ConfigValue.Scalar;
import dev.fairlead.application.config.Problems;
import dev.fairlead.http.trust.Trust;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TruenasSettingsTest {
    private static final String KEY = "7-" + "k".repeat(64);

    private final Problems problems = new Problems("box.yaml");

    @ParameterizedTest
    @CsvSource({
        "https, , https://box/",
        "https, 8443, https://box:8443/",
        ", 443, https://box:443/",
        ", , https://box/",
    })
    void the_address_is_made_of_protocol_host_and_port(String protocol, String port, String expected) {
        TruenasSettings settings = read(with(Map.of("host", "box", "apiKey", KEY), "protocol", protocol, "port", port));

        assertThat(said()).isEqualTo("[]");
        assertThat(settings.server()).hasToString(expected);
    }

    @ParameterizedTest
    @CsvSource({"http, ", "http, 443", ", 80", ", 8080"})
    void plain_text_has_to_be_asked_for(String protocol, String port) {
        Map<String, String> file = with(Map.of("host", "box", "apiKey", KEY), "protocol", protocol, "port", port);

        read(file);
        assertThat(said()).contains("plain text").contains("fairlead.http.plainText");
        assertThat(said()).doesNotContain("kkkk");

        var fine = new Problems("box.yaml");
        TruenasSettings settings = TruenasSettings.read(node(file, Map.of("plainText", "true"), fine));
        assertThat(fine.hasErrors()).isFalse();
        assertThat(settings.isPlain()).isTrue();
    }

    @Test
    void all_problems_are_told_at_once() {
        read(Map.of("host", "a b", "port", "x", "apiKey", "s3cret", "username", "a:b", "protocol", "ftp"));

        assertThat(said())
                .contains("httpConnection.host")
                .contains("httpConnection.port")
                .contains("httpConnection.apiKey")
                .contains("httpConnection.username")
                .contains("httpConnection.protocol")
                .doesNotContain("s3cret");
    }

    @Test
    void there_are_credentials() {
        read(Map.of("host", "box"));
        assertThat(said()).contains("has no credentials");
    }

    @Test
    void a_password_has_a_user() {
        read(Map.of("host", "box", "password", "p4ss"));
        assertThat(said()).contains("httpConnection.username").doesNotContain("p4ss");
    }

    @Test
    void the_key_is_taken_before_the_password() {
        TruenasSettings settings =
                read(Map.of("host", "box", "username", "csi", "password", "p4ss-w0rd", "apiKey", KEY));

        assertThat(said()).isEqualTo("[]");
        assertThat(settings.login().apiKey()).isPresent();
        assertThat(settings.login().password()).isEmpty();
        assertThat(settings.toString()).doesNotContain("p4ss").doesNotContain("kkk");
    }

    @Test
    void an_unknown_key_is_told() {
        ConfigNode file =
                node(Map.of("host", "box", "apiKey", KEY, "apikey", "x"), Map.of("plaintext", "true"), problems);
        TruenasSettings.read(file);
        file.reportUnread(ConfigNode.Unread.WARNING);

        assertThat(said()).contains("httpConnection.apikey").contains("fairlead.http.plaintext");
    }

    @Test
    void whom_to_believe_is_said_once() {
        var own = Map.of("ca", "/etc/fairlead/box.pem");
        TruenasSettings trusting = TruenasSettings.read(node(Map.of("host", "box", "apiKey", KEY), own, problems));
        assertThat(trusting.trust()).isInstanceOf(Trust.Roots.class);
        assertThat(said()).isEqualTo("[]");

        TruenasSettings.read(node(Map.of("host", "box", "apiKey", KEY, "allowInsecure", "true"), own, problems));
        assertThat(said()).contains("httpConnection.allowInsecure");
    }

    @Test
    void any_box_is_believed_only_if_that_is_said() {
        assertThat(read(Map.of("host", "box", "apiKey", KEY)).trust()).isInstanceOf(Trust.SystemRoots.class);
        assertThat(read(Map.of("host", "box", "apiKey", KEY, "allowInsecure", "true"))
                        .trust())
                .isInstanceOf(Trust.Anything.class);
    }

    @Test
    void connections_with_the_same_settings_are_equal() {
        var file = Map.of("host", "box", "apiKey", KEY);

        assertThat(read(file)).isEqualTo(read(file)).hasSameHashCodeAs(read(file));
        assertThat(read(file)).isNotEqualTo(read(Map.of("host", "box", "apiKey", KEY + "x")));
    }

    private TruenasSettings read(Map<String, String> http) {
        return TruenasSettings.read(node(http, Map.of(), problems));
    }

    private String said() {
        return problems.all().toString();
    }

    private static Map<String, String> with(Map<String, String> first, String... more) {
        var all = new LinkedHashMap<>(first);
        for (int i = 0; i < more.length; i += 2) {
            if (more[i + 1] != null) {
                all.put(more[i], more[i + 1]);
            }
        }
        return all;
    }

    private static ConfigNode node(Map<String, String> http, Map<String, String> own, Problems problems) {
        Mapping fairlead = new Mapping(Map.of("http", mapping(own)), 1);
        return ConfigNode.root(new Mapping(Map.of("httpConnection", mapping(http), "fairlead", fairlead), 1), problems);
    }

    private static Mapping mapping(Map<String, String> texts) {
        var entries = new LinkedHashMap<String, ConfigValue>();
        texts.forEach((key, text) -> entries.put(key, new Scalar(text, Scalar.Type.STRING, 1)));
        return new Mapping(entries, 1);
    }
}
