package dev.fairlead.bootstrap.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.bootstrap.logging.LogSettings.LogLevel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServeCommandLineTest {
    @Test
    void the_command_line_of_democratic_csi_s_chart_is_understood() {
        ServeOptions options = parse(
                "--csi-version=1.5.0",
                "--csi-name=org.democratic-csi.proxy",
                "--driver-config-file=/config/driver-config-file.yaml",
                "--log-level=info",
                "--csi-mode=controller",
                "--server-socket=/csi-data/csi.sock.internal");

        assertThat(options.modes()).containsExactly(Mode.CONTROLLER);
        assertThat(options.configFile()).isEqualTo(Path.of("/config/driver-config-file.yaml"));
        assertThat(options.endpoints())
                .containsExactly(new ServeOptions.Endpoint(
                        "org.democratic-csi.proxy",
                        Optional.of(Path.of("/csi-data/csi.sock.internal")),
                        Optional.empty()));
        assertThat(options.socketMode()).isEqualTo("0600");
        assertThat(options.logLevel()).contains(LogLevel.INFO);
        assertThat(options.warnings()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --csi-mode=controller --csi-mode=node | CONTROLLER,NODE
            --csi-mode controller node            | CONTROLLER,NODE
            --csi-mode=controller,node            | CONTROLLER,NODE
            --csi-mode node                       | NODE
            --csi-version 1.9.0                   | CONTROLLER,NODE
            """)
    void modes_come_in_every_form_that_yargs_takes(String arguments, String modes) {
        List<String> all = new ArrayList<>(List.of(arguments.split(" ")));
        all.addAll(List.of("--csi-name=a.b", "--driver-config-file=f", "--server-socket=/s"));

        ServeOptions options = parse(all.toArray(String[]::new));

        assertThat(options.modes().stream().map(Mode::name).sorted()).containsExactly(modes.split(","));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --server-socket=/k/plugins/a.b/csi.sock --registration-dir=/var/snap/kubelet/plugins_registry | /var/snap/kubelet
            --server-socket=/k/plugins/a.b/csi.sock                                                       | /k
            --server-socket=/csi-data/csi.sock                                                            | /var/lib/kubelet
            --server-socket=/s                                                                            | /var/lib/kubelet
            """)
    void kubelet_s_folder_is_known_by_what_is_in_it(String arguments, String kubelet) {
        List<String> all = new ArrayList<>(List.of(arguments.split(" ")));
        all.addAll(List.of("--csi-name=a.b", "--driver-config-file=f"));

        assertThat(parse(all.toArray(String[]::new)).kubelet()).isEqualTo(Path.of(kubelet));
    }

    @Test
    void every_option_is_an_environment_variable_too() {
        ServeOptions options = ServeCommandLine.parse(
                Optional.empty(),
                List.of("--csi-name=from.line"),
                Map.of(
                        "DEMOCRATIC_CSI_CSI_NAME", "from.environment",
                        "DEMOCRATIC_CSI_CSI_MODE", "node",
                        "DEMOCRATIC_CSI_DRIVER_CONFIG_FILE", "f.yaml",
                        "DEMOCRATIC_CSI_SERVER_SOCKET", "unix:///run/csi.sock",
                        "CSI_VERSION", "1.9.0"));

        assertThat(options.endpoints().getFirst().csiName()).isEqualTo("from.line");
        assertThat(options.endpoints().getFirst().socket()).contains(Path.of("/run/csi.sock"));
        assertThat(options.modes()).containsExactly(Mode.NODE);
        assertThat(options.configFile()).isEqualTo(Path.of("f.yaml"));
    }

    @Test
    void bodies_are_logged_where_it_is_asked_for_alone() {
        String[] rest = {"--csi-name=a.b", "--driver-config-file=f", "--server-socket=/s"};
        List<String> more = new ArrayList<>(List.of(rest));
        more.add("--log-bodies");

        assertThat(parse(rest).logBodies()).isFalse();
        assertThat(parse(more.toArray(String[]::new)).logBodies()).isTrue();
    }

    @Test
    void pairs_of_names_and_sockets_are_served_in_their_order() {
        ServeOptions options = parse(
                "--csi-name=a.one",
                "--server-socket=/1.sock",
                "--csi-name=a.two",
                "--server-socket=/2.sock",
                "--driver-config-file=f");

        assertThat(options.endpoints())
                .extracting(
                        ServeOptions.Endpoint::csiName,
                        e -> e.socket().orElseThrow().toString())
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("a.one", "/1.sock"),
                        org.assertj.core.groups.Tuple.tuple("a.two", "/2.sock"));
    }

    @Test
    void a_verb_says_the_modes() {
        ServeOptions options = ServeCommandLine.parse(
                Optional.of(Set.of(Mode.NODE)),
                List.of("--csi-name=a.b", "--driver-config-file=f", "--server-socket=/s", "--csi-mode=controller"),
                Map.of());

        assertThat(options.modes()).containsExactly(Mode.NODE);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            :9808          | ''        | 9808
            127.0.0.1:0    | 127.0.0.1 | 0
            localhost:9808 | localhost | 9808
            [::1]:65535    | ::1       | 65535
            """)
    void health_and_metrics_have_an_address_or_a_port_alone(String text, String address, int port) {
        ServeOptions options =
                parse("--csi-name=a.b", "--driver-config-file=f", "--server-socket=/s", "--http-endpoint=" + text);

        assertThat(options.http()).contains(new ServeOptions.Tcp(address, port));
        assertThat(options.registration()).isEmpty();
        assertThat(options.warnings()).isEmpty();
    }

    @Test
    void a_node_is_told_kubelet_s_folder_by_an_option_or_a_variable() {
        ServeOptions options = ServeCommandLine.parse(
                Optional.of(Set.of(Mode.NODE)),
                List.of("--csi-name=a.b", "--driver-config-file=f", "--server-socket=/s"),
                Map.of("DEMOCRATIC_CSI_REGISTRATION_DIR", "/var/lib/kubelet/plugins_registry"));

        assertThat(options.registration()).contains(Path.of("/var/lib/kubelet/plugins_registry"));
    }

    @Test
    void what_is_unknown_is_accepted_with_a_warning() {
        ServeOptions options =
                parse("--csi-name=a.b", "--driver-config-file=f", "--server-socket=/s", "--future-flag=7", "stray");

        assertThat(options.warnings()).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --driver-config-file=f --server-socket=/s                                         | --csi-name: is missing
            --csi-name=a.b --server-socket=/s                                                 | --driver-config-file: is missing
            --csi-name=a.b --driver-config-file=f                                             | --server-socket: is missing
            --csi-name=a_b --driver-config-file=f --server-socket=/s                          | --csi-name: 'a_b'
            --csi-name=a.b --csi-name=c.d --driver-config-file=f --server-socket=/s           | 2 times and --server-socket 1
            --csi-name=a --csi-name=a --driver-config-file=f --server-socket=/s --server-socket=/t | stands twice
            --csi-name=a --csi-name=b --driver-config-file=f --server-socket=/s --server-socket=/s | same path
            --csi-name=a.b --driver-config-file=f --server-address=0.0.0.0                    | only one is given
            --csi-name=a.b --driver-config-file=f --server-address=0.0.0.0 --server-port=0    | --server-port: '0'
            --csi-name=a.b --driver-config-file=f --server-socket=/s --csi-mode=master        | --csi-mode: 'master'
            --csi-name=a.b --driver-config-file=f --server-socket=/s --log-level=loud         | --log-level: 'loud'
            --csi-name=a.b --driver-config-file=f --server-socket=/s --csi-version=new        | --csi-version: 'new'
            --csi-name=a.b --driver-config-file=f --server-socket=/s --server-socket-permissions-mode=rw | permissions-mode: 'rw'
            --csi-name=a.b --driver-config-file --server-socket=/s                            | --driver-config-file: has no value
            --csi-name=a.b --driver-config-file=f --server-socket=/s --http-endpoint=9808     | --http-endpoint: '9808'
            --csi-name=a.b --driver-config-file=f --server-socket=/s --http-endpoint=:65536   | --http-endpoint: ':65536'
            --csi-name=a.b --driver-config-file=f --server-socket=/s --http-endpoint=::1:80   | --http-endpoint: '::1:80'
            --csi-name=a.b --driver-config-file=f --server-socket=/s --http-endpoint=http://a:1 | --http-endpoint: 'http
            --csi-name=a.b --driver-config-file=f --server-socket=/s --registration-dir=      | --registration-dir: is empty
            --csi-name=a.b --driver-config-file=f --server-socket=/s --registration-dir=/r --csi-mode=controller | serves none
            --csi-name=a.b --driver-config-file=f --server-address=a --server-port=1 --registration-dir=/r | calls a socket
            """)
    void what_cannot_be_followed_is_said_in_one_line(String arguments, String message) {
        assertThatThrownBy(() -> parse(arguments.split(" ")))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining(message)
                .hasMessageContaining("expected")
                .hasMessageNotContaining("\n");
    }

    private static ServeOptions parse(String... arguments) {
        return ServeCommandLine.parse(Optional.empty(), List.of(arguments), Map.of());
    }
}
