package dev.fairlead.adapter.linstor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.linstor.client.TokenFile;
import dev.fairlead.application.config.Problem;
import dev.fairlead.application.config.Problems;
import dev.fairlead.http.BasicLogin;
import dev.fairlead.http.trust.Trust;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How the variables of LINSTOR's clients are read. */
class LinstorSettingsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|http://localhost:3370",
                "controller|http://controller:3370",
                "linstor://controller|http://controller:3370",
                "linstor+ssl://controller|https://controller:3371",
                "https://controller:443/|https://controller:443",
                "a, b:1234|http://a:3370 http://b:1234",
                "[fd00::1]:3370|http://[fd00::1]:3370"
            })
    void controllers_have_the_usual_schemes_and_ports(String text, String expected) {
        assertThat(read(Map.of("LS_CONTROLLERS", text)).map(LinstorSettings::controllers))
                .hasValueSatisfying(found -> assertThat(String.join(
                                " ", found.stream().map(Object::toString).toList()))
                        .isEqualTo(expected));
    }

    @Test
    void any_variable_of_tls_makes_the_plain_scheme_tls() {
        assertThat(read(Map.of("LS_CONTROLLERS", "a,http://b", "LS_ROOT_CA_FILE", "/ca.crt")))
                .hasValueSatisfying(settings -> {
                    assertThat(settings.controllers())
                            .extracting(Object::toString)
                            .containsExactly("https://a:3371", "http://b:3370");
                    assertThat(settings.trust()).isInstanceOf(Trust.Roots.class);
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"ftp://a", "user:secret@a", "a:99999", "a b", ",", "a/path", "a?x=y"})
    void an_address_that_is_none_is_refused_without_showing_it(String text) {
        assertThat(problem(Map.of("LS_CONTROLLERS", text))).isEqualTo("LS_CONTROLLERS");
    }

    @Test
    void a_certificate_and_its_key_go_together() {
        assertThat(problem(Map.of("LS_USER_CERTIFICATE_FILE", "/tls.crt"))).isEqualTo("LS_USER_KEY");
        assertThat(problem(Map.of("LS_USER_KEY", "x"))).isEqualTo("LS_USER_CERTIFICATE");
        assertThat(read(Map.of("LS_USER_CERTIFICATE_FILE", "/tls.crt", "LS_USER_KEY_FILE", "/tls.key"))
                        .flatMap(LinstorSettings::certificate))
                .isPresent();
    }

    @Test
    void a_token_is_before_a_user_and_no_secret_is_shown() {
        Map<String, String> user = Map.of("LS_USERNAME", "me", "LS_PASSWORD", "hidden");
        Map<String, String> both =
                Map.of("LS_USERNAME", "me", "LS_PASSWORD", "hidden", "LS_BEARER_TOKEN_FILE", "/token");

        assertThat(read(user).flatMap(LinstorSettings::credential)).containsInstanceOf(BasicLogin.class);
        assertThat(read(both).flatMap(LinstorSettings::credential)).containsInstanceOf(TokenFile.class);
        assertThat(read(user).toString()).doesNotContain("hidden");
        assertThat(problem(Map.of("LS_USERNAME", "a:b"))).isEqualTo("LS_USERNAME");
    }

    private static Optional<LinstorSettings> read(Map<String, String> variables) {
        return LinstorSettings.read(
                name -> variables.getOrDefault(name, ""), Optional.empty(), false, "test", new Problems("test"));
    }

    private static String problem(Map<String, String> variables) {
        Problems problems = new Problems("the environment");
        assertThat(LinstorSettings.read(
                        name -> variables.getOrDefault(name, ""), Optional.empty(), false, "test", problems))
                .isEmpty();
        Problem first = problems.errors().getFirst();
        assertThat(first.toString()).doesNotContain("secret");
        return first.path();
    }
}
