package dev.fairlead.adapter.node.nvmeof;

import static dev.fairlead.testkit.Failing.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.config.Secret;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.node.AttachCalls;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whoever asks for TLS gets it or is told that there is none: nothing of the volume goes over the network as it is. */
class NvmeofTlsTest {
    private static final String NQN = "nqn.2026-11.test.lab:stor";
    private static final String PLAIN = "transport=tcp,traddr=10.0.0.1,trsvcid=4420,nqn=" + NQN;
    private static final String OTHER_PLAIN = "transport=tcp,traddr=10.0.0.2,trsvcid=4420,nqn=" + NQN;

    @TempDir
    private Path folder;

    @AutoClose
    private ScriptedKernel kernel;

    @BeforeEach
    void a_subsystem() throws IOException {
        kernel = new ScriptedKernel(folder.toRealPath());
        kernel.subsystems.put(NQN, List.of(1));
    }

    private void attach(String... transports) {
        Attachment.Nvmeof volume = new Attachment.Nvmeof("", List.of(transports), NQN, 1);
        kernel.stage("v:1", volume);
        var _ = AttachCalls.attach(kernel.attacher(), volume, TestVolumes.BLOCK, Map.of());
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp://10.0.0.1?tls=true", "tcp://localhost?tls=true"})
    void a_connection_without_tls_is_not_taken_for_one_with_it(String transport) throws IOException {
        kernel.connect(PLAIN.replace("10.0.0.1", transport.contains("localhost") ? "127.0.0.1" : "10.0.0.1"));

        Failure failure = failure(() -> attach(transport));

        assertThat(failure).isInstanceOf(Failure.NodeFault.class);
        assertThat(failure.message()).contains("nvme0", "without TLS", "nvme disconnect -n " + NQN);
        assertThat(kernel.disconnected).isEmpty();
    }

    @Test
    void neither_is_one_to_another_address_of_the_subsystem() throws IOException {
        kernel.connect(OTHER_PLAIN);

        assertThat(failure(() -> attach("tcp://10.0.0.1?tls=true")).message()).contains("10.0.0.2", "without TLS");
    }

    @Test
    void a_way_for_which_the_volume_asks_no_tls_may_be_without_it() throws IOException {
        kernel.connect(OTHER_PLAIN);

        attach("tcp://10.0.0.1?tls=true", "tcp://10.0.0.2");

        assertThat(kernel.connected).hasSize(2).last().asString().contains(",tls,");
    }

    @Test
    void one_that_has_tls_is_used() throws IOException {
        kernel.connect(PLAIN + ",tls");

        attach("tcp://10.0.0.1?tls=true");

        assertThat(kernel.connected).hasSize(1);
    }

    @Test
    void who_asks_for_no_tls_uses_whatever_there_is() throws IOException {
        kernel.connect(PLAIN);

        attach("tcp://10.0.0.1");

        assertThat(kernel.connected).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "tls_key, NVMeTLSkey-1:01:hunter2:",
        "tls-psk, hunter2",
        "tlsKey, hunter2",
        "TLS, hunter2",
        "nvme_tls_psk, hunter2",
        "configured_psk, hunter2",
        "psk, hunter2",
        "password, ' NVMeTLSkey-1:01:hunter2:'",
        "dhchap_secret, NVMeTLSkey-1:01:hunter2:",
        "tls.key, NVMeTLSkey-1:02:hunter2:"
    })
    void a_key_of_tls_in_the_stage_secret_is_refused_by_its_name_and_not_passed_over(String key, String value) {
        Failure failure = failure(() -> NvmeofRequest.of(
                new Attachment.Nvmeof("tcp://10.0.0.1", List.of(), NQN, 1), Map.of(key, new Secret(value))));

        assertThat(failure).isInstanceOf(Failure.InvalidRequest.class);
        assertThat(failure.message())
                .contains("secrets.'" + key + "'", "keyring .nvme", "?tls=true")
                .doesNotContain("hunter2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"username", "tls.crt", "ca.crt"})
    void what_is_no_key_of_it_passes(String key) {
        NvmeofRequest request = NvmeofRequest.of(
                new Attachment.Nvmeof("tcp://10.0.0.1", List.of(), NQN, 1), Map.of(key, new Secret("hunter2")));

        assertThat(request.transports().getFirst().options().secrets()).isEmpty();
    }
}
