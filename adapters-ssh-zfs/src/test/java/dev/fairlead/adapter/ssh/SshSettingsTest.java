package dev.fairlead.adapter.ssh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.Problem;
import dev.fairlead.application.config.Problems;
import dev.fairlead.testkit.ConfigTrees;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SshSettingsTest {
    private final Problems problems = new Problems("nas.yaml");

    private SshSettings read(Map<String, Object> ssh, Map<String, Object> own) {
        ConfigNode file = ConfigNode.root(ConfigTrees.of(Map.of("sshConnection", ssh, "fairlead", own)), problems);
        SshSettings settings = SshSettings.read(file);
        file.reportUnread(ConfigNode.Unread.WARNING);
        return settings;
    }

    private List<String> said() {
        return problems.all().stream().map(Problem::toString).toList();
    }

    @Test
    void what_democratic_csi_hands_to_its_client_is_understood() {
        SshSettings settings = read(
                Map.of("host", "nas", "username", "root", "password", "x", "readyTimeout", 5000, "debug", true),
                Map.of());

        assertThat(said()).isEmpty();
        assertThat(settings.port()).isEqualTo(22);
        assertThat(settings.timing())
                .isEqualTo(new SshSettings.Timing(Duration.ofSeconds(5), Duration.ofSeconds(10), 3));
        assertThat(settings.toString()).doesNotContain("Optional[x]");
    }

    @Test
    void a_password_is_given_interactively_unless_the_file_forbids_it() {
        Map<String, Object> entered = Map.of("host", "nas", "username", "root", "password", "x");
        assertThat(read(entered, Map.of()).credentials().keyboard()).isTrue();

        Map<String, Object> forbidden = new HashMap<>(entered);
        forbidden.put("tryKeyboard", false);

        assertThat(read(forbidden, Map.of()).credentials().keyboard()).isFalse();
    }

    @Test
    void all_that_is_missing_is_said_at_once() {
        read(Map.of("port", 22), Map.of());

        assertThat(said()).hasSize(3);
        assertThat(String.join("\n", said()))
                .contains("sshConnection.host", "sshConnection.username", "has no credentials");
    }

    @Test
    void an_agent_is_refused_with_what_to_use() {
        read(Map.of("host", "nas", "username", "root", "password", "x", "agent", "/tmp/agent"), Map.of());

        assertThat(said()).singleElement().asString().contains("sshConnection.agent", "privateKey");
    }

    @Test
    void a_private_key_that_is_none_is_said_without_it() {
        read(Map.of("host", "nas", "username", "root", "privateKey", "s3cret"), Map.of());

        assertThat(said()).singleElement().asString().contains("privateKey").doesNotContain("s3cret");
    }

    @Test
    void strictness_without_a_key_would_refuse_every_host() {
        read(Map.of("host", "nas", "username", "root", "password", "x"), Map.of("strictHostKeys", true));

        assertThat(said()).singleElement().asString().contains("fairlead.strictHostKeys", "hostKey");
    }

    @Test
    void a_host_key_has_its_form() {
        read(Map.of("host", "nas", "username", "root", "password", "x", "hostKey", "SHA256:abc"), Map.of());

        assertThat(said()).singleElement().asString().contains("sshConnection.hostKey", "ssh-keyscan");
    }

    /** A template that nobody filled in must not be the same as no key, with which any host is believed. */
    @ParameterizedTest
    @ValueSource(strings = {"", "  ", "\n \n"})
    void a_host_key_that_is_blank_is_an_error(String blank) {
        read(Map.of("host", "nas", "username", "root", "password", "x", "hostKey", blank), Map.of());

        assertThat(said()).singleElement().asString().contains("sshConnection.hostKey", "is empty", "ssh-keyscan");
    }
}
